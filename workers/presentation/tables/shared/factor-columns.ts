import { variedFactors } from '#planning/rates/baseline.ts';
import { factorText, formatLevel } from '#planning/variant-of.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import type { PanelTable } from './panel-table.ts';

/** The names of the factors that vary, and the levels of a variant in the same order. */
interface FactorColumns {
  readonly titles: readonly string[];
  readonly levelsOf: (variant: Variant) => readonly string[];
}

/** The columns that replace the names of variants. Null if fewer than two factors vary. */
export function factorColumns(plan: Pick<Plan, 'variants'>): FactorColumns | null {
  const factors = [...variedFactors(plan)];
  if (factors.length < 2) return null;
  return {
    titles: factors.map(factorText),
    levelsOf: ({ levels }) => factors.map((factor) => (factor in levels ? formatLevel(factor, levels[factor]!) : '–')),
  };
}

/** The table with one column for each factor, instead of one for the names of variants. */
export function withFactorColumns(table: PanelTable, plan: Pick<Plan, 'variants'>): PanelTable {
  const at = table.columns.findIndex(({ title }) => title === 'Variant');
  const own = at === -1 ? null : factorColumns(plan);
  if (own === null) return table;
  const variants = new Map(plan.variants.map((variant) => [variant.label, variant]));
  return {
    ...table,
    columns: table.columns.toSpliced(at, 1, ...own.titles.map((title) => ({ title, kind: 'level' as const }))),
    rows: table.rows.map((row) => {
      const name = row.cells[at];
      const variant = typeof name === 'string' ? variants.get(name) : undefined;
      const [, ...rest] = own.titles;
      const levels = variant === undefined ? [name ?? '', ...rest.map(() => '')] : own.levelsOf(variant);
      return { ...row, cells: row.cells.toSpliced(at, 1, ...levels) };
    }),
  };
}
