import { formatMs, formatPercent } from '#model/format/format.ts';
import { allCalls } from '../../cells/statement-summary.ts';
import { isBlockedByOthers } from '../server/foreign-lock.ts';
import { confirmWith } from '../shared/confirm.ts';
import { share, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, eachCell, notShown, shown, statementsDoNotAddUp } from '../shared/outcomes.ts';
import { shareOf } from '../shared/picture.ts';
import { withoutStatement } from './without-statement.ts';

/** Above this share of the time in statements, all other statements together take less. */
const leastShare = 0.5;
/** Greatest share of the calls: a more frequent statement naturally takes most of the time. */
const mostCalls = 0.5;
/** Least ratio of the duration of its calls to the duration of other calls. */
const leastRatio = 3;

/**
 * A rarely called statement that takes most of the connections' time. Calls are timed one by one, including failed
 * calls.
 */
export const statementDominates: Rule = {
  title: 'One statement dominates',
  looksFor: 'a statement of a mix that is called seldom and takes most of the connections’ time',
  shownWhen:
    'a statement has at least half of the time and at most half of the calls, and its calls take 3 times as long as the others',
  find: eachCell(outcomeOf, {
    cells: ({ measured }) => measured.filter(({ settings }) => settings.operation === 'statement'),
    whyNone: 'The work is not a mix of custom statements.',
  }),
};

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  if (cell.statements === null) return statementsDoNotAddUp;
  const all = cell.statements
    .filter(({ kind }) => kind === 'statement')
    .map((one) => ({ name: one.name, failed: one.failed.calls, ...allCalls(one) }));
  if (all.length < 2) return notShown('It has only one statement.');
  const [most, ...others] = all.toSorted((a, b) => b.ms - a.ms);
  const sum = { calls: 0, ms: 0 };
  for (const { calls, ms } of others) {
    sum.calls += calls;
    sum.ms += ms;
  }
  if (most === undefined || most.calls === 0 || sum.calls === 0)
    return notShown('No more than one of its statements was called.');
  const ofTime = most.ms / (most.ms + sum.ms);
  const ofCalls = most.calls / (most.calls + sum.calls);
  const [own, other] = [most.ms / most.calls, sum.ms / sum.calls];
  if (ofTime < leastShare || ofCalls > mostCalls || own < other * leastRatio)
    return notShown(
      `“${most.name}”, the statement with the most time, has ${formatPercent(ofTime)} of it for ${formatPercent(ofCalls)} of the calls.`,
    );
  const link = 'statement-latency';
  const ofConnections = Math.min(1, most.ms / (cell.elapsedMs * cell.settings.connections));
  const isBlocked = isBlockedByOthers(cell);
  const edits = isBlocked ? null : withoutStatement(cell.experiment, most.name);
  return shown({
    claim: `${cell.name}: “${most.name}” is ${formatPercent(ofCalls)} of the calls and ${formatPercent(ofTime)} of the time in them. Its calls take ${formatMs(own)} on average, the others ${formatMs(other)}${all.some(({ failed }) => failed > 0) ? ', failed calls included' : ''}.`,
    confidence: 'certain',
    explains: ofConnections,
    evidence: [
      share('Share of the time in statements', ofTime, link),
      share('Share of the calls', ofCalls, link),
      share('Share of the connections’ time', ofConnections, link),
      time('Mean time of its calls', own, link),
      time('Mean time of the other calls', other, link),
    ],
    advice: isBlocked
      ? 'Sessions of the run waited for a lock of a session outside it (see “Blocked by a session outside the run”). End that session first and measure again, because these numbers do not show that the statement itself is slow.'
      : 'Run the statement once by itself and read its plan: an index, fewer rows, or a stored total may help. Otherwise, give it separate connections, so that other statements do not wait for it.',
    confirm:
      edits &&
      confirmWith(
        facts,
        cell,
        {
          title: `Without ${most.name}`,
          question: `How fast are the other statements without “${most.name}”?`,
        },
        edits,
      ),
    picture: shareOf({ label: 'Share of the time in statements', value: ofTime }),
  });
}
