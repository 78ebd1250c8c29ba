import type { TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { latencySummary, mergeEncoded } from '#stats/histogram/percentiles.ts';
import type { RunModel, StatementSummary } from '../run-model/run-model.ts';

/** Histograms are large, and these are free again after each statement. */
const [served, unserved] = [new Histogram(), new Histogram()];

/**
 * The statements of a cell over its repeats: custom statements and transactions in the order of the file, or the two
 * parts of a copy. Other operations have none.
 */
export function statementSummaries(ok: readonly TrialResult[]): readonly StatementSummary[] {
  const seconds = ok.reduce((sum, { elapsedMs }) => sum + elapsedMs, 0) / 1_000;
  const first = ok.find(({ statements }) => statements !== undefined)?.statements ?? [];
  return first.map(({ name, kind }) => {
    const same = ok.flatMap(({ statements = [] }) => statements.filter((one) => one.name === name));
    const calls = same.reduce((sum, one) => sum + one.calls, 0);
    const rows = same.reduce((sum, one) => sum + one.rows, 0);
    const counted = same.reduce((sum, { uncounted = 0 }) => sum - uncounted, calls);
    const errors: Record<string, number> = {};
    for (const one of same)
      for (const [kindOf, count] of Object.entries(one.errors)) errors[kindOf] = (errors[kindOf] ?? 0) + count;
    const histogram = mergeEncoded(
      same.map(({ service }) => service),
      served,
    );
    const failed = mergeEncoded(
      same.flatMap((one) => one.failed ?? []),
      unserved,
    );
    return {
      name,
      kind,
      callsPerSecond: seconds > 0 ? calls / seconds : 0,
      rowsPerCall: kind === 'statement' && counted > 0 ? rows / counted : null,
      latencyMs: latencySummary(histogram),
      histogram: histogram !== null && histogram.count > 0 ? histogram.encode() : null,
      failed: failed === null ? { calls: 0, ms: 0 } : { calls: failed.count, ms: (failed.count * failed.mean) / 1e6 },
      errors,
    };
  });
}

/** The number of its calls, including those that failed, and their total time. */
export const allCalls = ({
  latencyMs: { count, mean },
  failed,
}: StatementSummary): { readonly calls: number; readonly ms: number } => ({
  calls: count + failed.calls,
  ms: count * (mean ?? 0) + failed.ms,
});

/** The title of the table of statements in this run. */
export const statementsTitle = ({ plan }: Pick<RunModel, 'plan'>): string =>
  plan.variants.some(({ settings }) => settings.operation === 'statement')
    ? 'Custom statements'
    : 'Reading and inserting';

/** "12 wrongResult, 1 deadlock"; a dash for none. */
export const formatErrors = ({ errors }: Pick<StatementSummary, 'errors'>): string =>
  Object.entries(errors)
    .map(([kind, count]) => `${count} ${kind}`)
    .join(', ') || '–';
