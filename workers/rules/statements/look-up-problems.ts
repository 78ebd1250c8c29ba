import type { Experiment } from '#experiment/schema/experiment.ts';
import { textFor } from '#experiment/statements/statement-mix.ts';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { allTables, datasetName, type Tables } from '#model/dataset/tables.ts';
import { formatCount } from '#model/format/format.ts';
import { mayFindNothing } from '#model/statements/may-find-nothing.ts';
import { rowMeaning } from '#model/statements/row-meaning.ts';
import type { ParameterSpec } from '#model/statements/statements.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import type { TargetWithEngine } from '../targets/plan-targets.ts';

type Kind = 'texts' | 'whole numbers' | 'decimals' | 'uuids';

const kinds: Readonly<Partial<Record<ColumnSpec['type'], Kind>>> = {
  integer: 'whole numbers',
  sequence: 'whole numbers',
  decimal: 'decimals',
  text: 'texts',
  name: 'texts',
  words: 'texts',
  code: 'texts',
  uuid4: 'uuids',
  uuid7: 'uuids',
  uuidSequential: 'uuids',
};

const isNumber = (kind: Kind): boolean => kind === 'whole numbers' || kind === 'decimals';

/** A look-up that finds rows more seldom than this gets a warning. */
const hardlyEver = 0.01;
/** Random texts of at least this many characters are never drawn twice. */
const uniqueLength = 8;

/**
 * Look-ups in Dyno's own tables that will find no row, or hardly any, by what their parameters are drawn from; as
 * warnings, because the calls run all the same.
 */
export function lookUpProblems(experiment: Experiment, targets: readonly TargetWithEngine[]): readonly Problem[] {
  const { statements = {} } = experiment;
  const tables = allTables(experiment);
  // A factor may give the keys another type.
  const keysVary = JSON.stringify([experiment.workload, experiment.factors]).includes('"keyKind"');
  return Object.entries(statements).flatMap(([name, { text, parameters, expectRows }]) => {
    if (mayFindNothing(expectRows)) return [];
    const found = new Map<string, Problem>();
    for (const { target, engine } of targets) {
      const chosen = textFor(text, { target: target.name, engine: engine.id });
      const lookUp = chosen === null || !engine.statements ? null : rowMeaning(chosen, engine.statements).lookUp;
      const table = lookUp === null ? undefined : tables[lookUp.table.replaceAll(/[{}]/g, '')];
      if (lookUp === null || table === undefined || !lookUp.table.startsWith('{')) continue;
      for (const [i, parameter] of lookUp.parameters.entries()) {
        const spec = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
        const written = lookUp.columns[i]!;
        const column =
          written === '_id' ? table.key : Object.keys(table.columns).find((one) => one.toLowerCase() === written);
        const own = column === undefined ? undefined : table.columns[column];
        if (spec === undefined || own === undefined || (keysVary && column === table.key)) continue;
        const why = noRowText(spec, drawnFrom(spec, tables, datasetName(experiment.dataset)), own, table.rows);
        if (why === null) continue;
        const isKey = column === table.key;
        found.set(parameter, {
          severity: 'warning',
          path: ['statements', name, 'parameters', parameter],
          message: `\`${name}\` looks for \`${column}\` by \`${parameter}\`: ${why}`,
          suggestion: isKey
            ? 'Draw it from the keys of the table: { type: key }.'
            : 'Draw it from values that the column has; if nothing is to be found, write expectRows: { min: 0 }.',
        });
      }
    }
    return [...found.values()];
  });
}

/** The reason why no row is found, as the end of a sentence; null: rows may be found. */
function noRowText(spec: ParameterSpec, drawn: ColumnSpec | null, column: ColumnSpec, rows: number): string | null {
  if (drawn === null) return null;
  const [own, other] = [kinds[drawn.type], kinds[column.type]];
  if (own === undefined || other === undefined) return null;
  if (isNumber(own) !== isNumber(other))
    return `the column holds ${other}, and the parameter has ${own}. Engines find no row by these, or refuse them.`;
  if (spec.type === 'key' || spec.type === 'newKey') return null;
  const isUnique = own === 'uuids' || (drawn.type === 'text' && (drawn.length ?? 0) >= uniqueLength);
  if (isUnique && (other === 'uuids' || column.type === 'text'))
    return `random ${own} are made anew for each call, and are not in the table.`;
  if (drawn.type !== 'integer' || column.type !== 'sequence') return null;
  const [first, last] = [column.start, column.start + rows - 1];
  const { min, max } = drawn;
  const hits = Math.max(0, Math.min(last, max) - Math.max(first, min) + 1) / (max - min + 1);
  if (hits >= hardlyEver) return null;
  const often = hits === 0 ? 'No call finds a row' : `One call in ${formatCount(1 / hits)} finds a row`;
  return `the column holds ${formatCount(first)} to ${formatCount(last)}, and the parameter has ${formatCount(min)} to ${formatCount(max)}. ${often}.`;
}

/** The generator of the values; null: they come from elsewhere. */
function drawnFrom(spec: ParameterSpec, tables: Tables, ofDataset: string): ColumnSpec | null {
  if (spec.type === 'csv' || spec.type === 'query' || spec.type === 'captured') return null;
  if (spec.type !== 'key' && spec.type !== 'newKey') return spec;
  const table = tables[spec.table ?? ofDataset];
  return (table?.key === undefined ? undefined : table.columns[table.key]) ?? null;
}
