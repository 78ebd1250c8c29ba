import { expect } from 'vitest';
import type { PlanStep } from '#engine-api/query-plan.ts';
import { timesOf } from '../../run-model/journal-parts.fixture.ts';
import { planned, step } from '../../server/query-plans.fixture.ts';
import type { Outcome, Shown } from '../shared/finding.ts';
import { judged, type SmallRun, type SmallTrial } from '../shared/small-run.fixture.ts';
import { fullScan } from './full-scan.ts';
import { indexNotUsed } from './index-not-used.ts';

/** Runs of one look-up by a column, for the rules about scans; only for tests. */

export const columns = { id: { type: 'sequence' }, email: { type: 'text', length: 20 }, code: { type: 'integer' } };
export const indexed = { indexes: [{ columns: ['code'] }] };
export const statements = {
  find: { text: 'SELECT * FROM {table} WHERE code = :code', parameters: { code: { type: 'integer' } } },
};
export const oneEach = timesOf([1, 1_000]);
export const counts = { calls: 1_000, rows: 1_000, errors: {}, failed: null };

export const scan = (more: Partial<PlanStep> = {}): PlanStep =>
  step('Seq Scan', { kind: 'fullScan', table: 'table', filter: '(code = 5)', estimatedRows: 1, ...more });
export const counted = { loops: 1, examinedRows: 100_000, actualRows: 1 };

export function run(
  steps: readonly PlanStep[] | null,
  { rowsPerCall = 1, ...more }: Partial<SmallRun> & { rowsPerCall?: number } = {},
) {
  const trial = (): SmallTrial => ({
    perSecond: [100, 100],
    ...(steps && { queryPlans: [planned('find', ...steps)] }),
    more: {
      statements: [{ name: 'find', kind: 'statement', ...counts, rows: 1_000 * rowsPerCall, service: oneEach }],
    },
  });
  const small: SmallRun = {
    cells: [{ settings: { operation: 'statement' }, trials: [trial(), trial(), trial()] }],
    columns,
    ...more,
    more: { statements, ...more.more },
    descriptor: { indexes: { btree: { implementation: 'CREATE INDEX' } }, ...more.descriptor },
  };
  return { scanned: judged(fullScan, small), unused: judged(indexNotUsed, small) };
}
export const only = ({ outcomes }: { readonly outcomes: readonly Outcome[] }): Outcome => {
  expect(outcomes).toHaveLength(1);
  return outcomes[0]!;
};
export const claimed = (outcome: Outcome): Shown => {
  expect(outcome).toMatchObject({ status: 'shown' });
  return outcome as Shown;
};
