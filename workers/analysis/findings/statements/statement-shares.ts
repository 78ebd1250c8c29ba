import type { Cell } from '#protocol/plan.ts';
import { allCalls } from '../../cells/statement-summary.ts';
import { rankedCells } from '../../compare/ranked-cells.ts';
import type { RunModel } from '../../run-model/run-model.ts';
import { rowsExamined } from '../../server/rows-examined.ts';
import { countedRows, statementsOf } from '../plans/statements-of.ts';
import { type CellFacts, type RunFacts, runFacts } from '../shared/facts.ts';

/** The calls of one statement of a cell, over all repeats; failed calls are part of calls and time. */
interface StatementShare {
  readonly name: string;
  readonly calls: number;
  readonly failed: number;
  /** Share (0…1) of the time in the cell's statements. */
  readonly timeShare: number;
  /** Service times, ms; null: there are too few calls. */
  readonly p50: number | null;
  readonly p99: number | null;
  /** Mean number of rows that a call returned or changed; null: not counted. */
  readonly rowsPerCall: number | null;
  /** Rows that the server read for a call, by its own count; null: it did not count them. */
  readonly examinedPerCall: number | null;
}

/** The statements of a cell, the one with the most time first. */
export interface StatementShares {
  readonly cell: Cell;
  readonly statements: readonly StatementShare[];
}

/**
 * The statements of a run of custom statements on a single server: of its only cell, or of the fastest variant that can
 * be compared. Null for other runs, and if the times of the statements do not add up.
 */
export function statementShares(model: RunModel): StatementShares | null {
  if (model.plan.variants.every(({ settings }) => settings.operation !== 'statement')) return null;
  const before = known.get(model.cells);
  if (before) return before.shares;
  const shares = sharesOf(model, runFacts(model));
  known.set(model.cells, { shares });
  return shares;
}

/** A live run changes several times a second, and its cells only when a trial ends. */
const known = new WeakMap<RunModel['cells'], { readonly shares: StatementShares | null }>();

function sharesOf(model: RunModel, facts: RunFacts): StatementShares | null {
  const [fastest] = rankedCells(model);
  const cell = (fastest && facts.of(fastest)) ?? facts.measured[0];
  if (cell === undefined || cell.settings.operation !== 'statement' || cell.statements === null) return null;
  if (facts.cells.some(({ target }) => target.name !== cell.target.name)) return null;
  const own = cell.statements
    .filter(({ kind }) => kind === 'statement')
    .map((one) => ({ ...one, all: allCalls(one) }))
    .filter(({ all }) => all.calls > 0);
  const ms = own.reduce((sum, { all }) => sum + all.ms, 0);
  if (ms <= 0) return null;
  return {
    cell: cell.cell,
    statements: own
      .map(
        ({ name, all, failed, latencyMs, rowsPerCall }): StatementShare => ({
          name,
          calls: all.calls,
          failed: failed.calls,
          timeShare: all.ms / ms,
          p50: latencyMs.p50,
          p99: latencyMs.p99,
          rowsPerCall,
          examinedPerCall: examinedBy(cell, name) ?? (own.length === 1 ? countedByServer(model, cell) : null),
        }),
      )
      .toSorted((a, b) => b.timeShare - a.timeShare),
  };
}

/** Rows that all steps of the executed plan read in tables; null if the server did not count all of them. */
function examinedBy(cell: CellFacts, statement: string): number | null {
  const plan = statementsOf(cell).find(({ name }) => name === statement)?.plan;
  if (!plan?.executed) return null;
  const reading = plan.steps.filter(({ table, kind }) => table !== null && kind !== 'change');
  let rows = 0;
  for (const step of reading) {
    if (step.loops === 0) continue;
    const counted = countedRows(step);
    if (counted === null) return null;
    rows += counted.read * counted.executions;
  }
  return reading.length === 0 ? null : rows;
}

/** The server's counter covers all of its work, so it belongs to a statement only if no other one ran. */
function countedByServer(model: RunModel, { cell }: CellFacts): number | null {
  const found = rowsExamined(model).find(({ variant, target }) => variant === cell.variant && target === cell.target);
  return found?.unit === 'rows' ? found.examined / found.calls : null;
}
