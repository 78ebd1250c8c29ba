import { errorText } from '#model/error-text.ts';
import { formatCount, formatPercent } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { sentence } from '#model/format/sentence.ts';
import { cellOf, keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { damageText, noDamage } from '../run-model/file-damage.ts';
import type { Caveat, CellSummary, RunModel, TrialView } from '../run-model/run-model.ts';
import { conflictsText } from '../text/conflict-text.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

/** The rows in the table differ from the acknowledged rows. */
export const mismatch = cellCaveat('error', 'Rows differ from what was acknowledged', (_, { results }: CellRun) => {
  const wrong = results.find(({ verification }) => verification.outcome === 'mismatch');
  if (wrong === undefined) return null;
  const { expectedRows, foundRows, note } = wrong.verification;
  return `${formatCount(expectedRows)} rows were expected, and ${formatCount(foundRows)} were found. ${note} The trial does not count.`;
});

/** Results of trials that ended without a request of the user. */
const failures: ReadonlySet<TrialResult['status']> = new Set(['failed', 'didNotFinish']);

export function lostTrials(cell: CellSummary, { results }: CellRun): Caveat | null {
  const lost = results.filter(({ status }) => status !== 'ok');
  if (lost.length === 0) return null;
  const late = lost.filter(({ status }) => status === 'didNotFinish').length;
  const reason = lost.find(({ error }) => error !== null)?.error;
  return {
    severity: lost.some(({ status }) => failures.has(status)) ? 'error' : 'warning',
    cell: cellOf(cell),
    title: late === lost.length ? 'Did not finish in time' : 'Trials without a result',
    text: `${lost.length} of ${many(results.length, 'trial')} ${lost.length === 1 ? 'has no result and is' : 'have no result and are'} left out.${
      reason ? ` ${errorText(reason)}` : ''
    }`,
  };
}

/** Statements of `teardown` run after the measurement, which their errors leave as it is. */
export const failedTeardown = cellCaveat('warning', 'Teardown failed', (_, { results }: CellRun) => {
  const failed = results.filter(({ teardownErrors = [] }) => teardownErrors.length > 0);
  const [first] = failed[0]?.teardownErrors ?? [];
  return first === undefined
    ? null
    : `After ${failed.length} of ${many(results.length, 'trial')}: ${sentence(first)} The measurement does not depend on it, and Dyno has dropped its own tables and objects.`;
});

/** Errors take time that no row accounts for, so goodput is below the attempted throughput. */
export function callErrors(cell: CellSummary, { results }: CellRun): Caveat | null {
  const kinds = new Map<string, number>();
  let calls = 0;
  let retries = 0;
  let gaveUp = 0;
  for (const { totals } of results) {
    calls += totals.calls;
    retries += totals.retries;
    gaveUp += totals.gaveUp;
    for (const [kind, count] of Object.entries(totals.errors)) kinds.set(kind, (kinds.get(kind) ?? 0) + count);
  }
  const errors = [...kinds.values()].reduce((sum, count) => sum + count, 0);
  if (errors === 0) return null;
  const list = [...kinds].map(([kind, count]) => `${kind} ${formatCount(count)}`).join(', ');
  const conflicts = (kinds.get('deadlock') ?? 0) + (kinds.get('serialization') ?? 0);
  const tried =
    retries + gaveUp === 0
      ? ''
      : ` After write conflicts ${formatCount(retries)} attempts were repeated and ${gaveUp === 0 ? 'none was' : `${formatCount(gaveUp)} were`} given up.`;
  return {
    // Work that a retry completed costs only time; the caveat on retry overhead covers it.
    severity: retries > 0 && gaveUp === 0 && conflicts === errors ? 'info' : 'warning',
    cell: cellOf(cell),
    title: 'Calls failed',
    text: `${formatCount(errors)} calls failed (${formatPercent(errors / (errors + calls))}): ${list}.${tried} Throughput counts successful calls only.`,
  };
}

/** A smaller share of client time is not reported. */
const negligibleLoss = 0.01;

/** Attempts that write conflicts rolled back take time and complete no work. */
export const lostToRetries = cellCaveat('warning', 'Retry overhead', ({ conflicts }) =>
  conflicts === null || conflicts.lostShare <= negligibleLoss
    ? null
    : `${conflicts.retries > 0 ? 'Retries' : 'Write conflicts'} took ${formatPercent(conflicts.lostShare)} of the connections’ time: the server rolled back this work (${conflictsText(conflicts)}). Throughput counts only committed work.`,
);

/** Lists the parts of the file that could not be read, and the cells whose trials have no result because of that. */
export function damageCaveats({ damage, trials }: Pick<RunModel, 'damage' | 'trials'>): readonly Caveat[] {
  const title = 'Run file damaged';
  const lost = Map.groupBy(
    trials.filter((view) => view.damage !== null),
    ({ trial }) => keyOf(trial),
  );
  return [
    ...damageText({ ...damage, unknown: 0 }).map((text): Caveat => ({ severity: 'error', cell: null, title, text })),
    ...damageText({ ...noDamage, unknown: damage.unknown }).map(
      (text): Caveat => ({ severity: 'warning', cell: null, title: 'Run file of a newer version', text }),
    ),
    ...[...lost.values()].map((views): Caveat => {
      const { variant, target } = views[0]!.trial;
      return { severity: 'error', cell: { variant, target }, title: 'Damaged', text: lossText(views) };
    }),
  ];
}

const lossText = (views: readonly TrialView[]): string =>
  `${many(views.length, 'trial')} ${views.length === 1 ? 'has' : 'have'} no result, because the run file is damaged. ${views[0]!.damage}`;
