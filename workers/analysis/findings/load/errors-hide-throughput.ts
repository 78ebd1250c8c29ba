import { formatCount, formatPercent } from '#model/format/format.ts';
import { callsInFlight } from '#model/settings/calls-in-flight.ts';
import { fillingOperations } from '#model/settings/vocabulary.ts';
import { failedMs } from '../../client/busy-time.ts';
import { conflictsText } from '../../text/conflict-text.ts';
import { confirmBy } from '../shared/confirm.ts';
import { type CellEvidence, linkTo, number, rate, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { shareOf } from '../shared/picture.ts';

/** The caveat on retry overhead has the same limit: a smaller share of the connections' time is not reported. */
const negligible = 0.01;

/** Connections spend time on failed work. Throughput counts only completed work, so the server looks slow. */
export const errorsHideThroughput: Rule = {
  title: 'Errors and retries',
  looksFor: 'time that went into calls that failed or were rolled back',
  shownWhen: 'more than 1 % of the connections’ time went into failed or undone work',
  find: eachCell(judge, { cells: ({ cells }) => cells }),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { summary, settings, elapsedMs } = cell;
  if (summary.ok === 0)
    return cannotTell(`None of its trials went well${summary.firstError ? `: ${summary.firstError.message}` : '.'}`);
  const errors = cell.views.reduce(
    (sum, { result }) => sum + Object.values(result?.totals.errors ?? {}).reduce((a, b) => a + b, 0),
    0,
  );
  const failed = cell.views.reduce((sum, { result }) => sum + (result ? failedMs(result) : 0), 0);
  const usersMs = elapsedMs * settings.connections * callsInFlight(settings);
  // Rolled-back attempts include their failed calls, so the larger of the two times counts.
  const lost = Math.min(1, Math.max(summary.conflicts?.lostShare ?? 0, usersMs > 0 ? failed / usersMs : 0));
  if (lost < negligible)
    return notShown(
      errors === 0
        ? 'No call failed.'
        : `${formatCount(errors)} calls failed, in ${formatPercent(lost)} of the connections’ time.`,
    );
  const { conflicts } = summary;
  const link = conflicts === null ? null : 'retries';
  const ofTime = share('Time lost to errors and retries', lost, link);
  return shown({
    claim: `${formatPercent(lost)} of the connections’ time in ${cell.name} was lost: ${[...(errors > 0 ? [`${formatCount(errors)} calls failed`] : []), ...(conflicts === null ? [] : [conflictsText(conflicts)])].join(', ')}. Throughput counts only the work that succeeded.`,
    // The errors are counted, and each call is timed.
    confidence: 'certain',
    explains: lost,
    evidence: [
      ofTime,
      number('Calls that failed', errors, link),
      conflicts !== null && number('Retries', conflicts.retries, 'throughput-over-time'),
      ...attempted(cell),
    ],
    advice:
      conflicts === null
        ? 'Look at what failed before comparing throughputs: calls that fail fast make a server look idle, calls that fail late make it look slow.'
        : 'Let connections use different rows, keep transactions short, lock rows in the same order everywhere, or use a weaker isolation level where the application allows it.',
    confirm: conflicts === null ? null : spread(facts, cell),
    picture: shareOf(ofTime),
  });
}

const attempted = ({ summary, cell }: CellFacts): readonly CellEvidence[] =>
  !summary.conflicts || summary.conflicts.retries === 0 || summary.callsPerSecond === null
    ? []
    : [rate('Calls completed', summary.callsPerSecond.value, 'calls/s', linkTo('results', cell))];

function spread(facts: RunFacts, cell: CellFacts): Confirm | null {
  const { connections, keyDistribution, operation } = cell.settings;
  return !fillingOperations.includes(operation) && keyDistribution !== 'uniform'
    ? confirmBy(facts, cell, {
        title: 'The same work on other rows',
        question: `How fast is ${cell.name} when its connections touch different rows?`,
        vary: 'keyDistribution',
        levels: [keyDistribution, 'uniform'],
      })
    : confirmBy(facts, cell, {
        title: 'One connection alone',
        question: `How much do the connections of ${cell.name} hold each other up?`,
        vary: 'connections',
        levels: connections === 1 ? [1] : [1, connections],
        workload: { processes: 1 },
      });
}
