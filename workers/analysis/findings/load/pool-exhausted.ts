import { formatCount } from '#model/format/format.ts';
import { confirmBy } from '../shared/confirm.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Outcome, Rule } from '../shared/finding.ts';
import { cannotTell, linkTo, notShown, number, shown } from '../shared/outcomes.ts';

/** Sessions seen at the server ÷ connections set, below which something between the two hands sessions out. */
const mostSeen = 0.9;
/** Samples: sessions that begin or end within one are not seen in it. */
const leastSamples = 3;

/**
 * Connections that a limit refused (certain: the server said so), or that share fewer sessions of the server than there
 * are of them (likely: a pooler, which Dyno cannot see itself).
 */
export const poolExhausted: Rule = {
  title: 'Connection limit or pool exhausted',
  looksFor: 'connections that the server refuses, or that wait for a session of a pool',
  shownWhen: 'the server refuses connections, or sees fewer than 90 % of the sessions that were set',
  find: (facts) => {
    const cells = facts.cells.filter(({ inProcess }) => !inProcess);
    return cells.length > 0
      ? cells.map((cell) => outcomeOf(facts, cell))
      : [notShown(null, 'Engines inside the client process have no sessions to run out of.')];
  },
};

function outcomeOf(facts: RunFacts, cell: CellFacts): Outcome {
  const { connections } = cell.settings;
  const set = number('Connections set', connections, linkTo('throughput', cell.cell));
  const fewer = confirmBy(facts, cell, {
    title: 'Fewer connections',
    question: `How many connections does ${cell.target.name} take, and how many does it need?`,
    vary: 'connections',
    levels: halves(connections),
  });
  const failed = cell.results.filter(({ error, status }) => status === 'failed' && error?.kind === 'limit');
  const refused = cell.results.reduce((sum, { totals }) => sum + (totals.errors.limit ?? 0), 0);
  const error = [...failed, ...cell.results].find((one) => one.error?.kind === 'limit')?.error;
  if (error && (failed.length > 0 || refused > 0)) {
    const what =
      failed.length > 0
        ? `${failed.length} of ${cell.results.length} trials of ${cell.name} failed`
        : `${formatCount(refused)} calls of ${cell.name} failed`;
    return shown(cell, {
      claim: `A limit of the server was reached: ${what} with ${connections} connections. The server said: ${error.message}`,
      confidence: 'certain',
      explains: failed.length > 0 ? failed.length / cell.results.length : refused / (refused + cell.calls),
      evidence: [
        set,
        failed.length > 0
          ? number('Trials that failed for a limit', failed.length, linkTo('exceptions', cell.cell))
          : number('Calls that failed for a limit', refused, linkTo('exceptions', cell.cell)),
      ],
      advice:
        error.hint ??
        'Raise the limit at the server, or set fewer connections. More connections than processors seldom bring more throughput.',
      confirm: connections > 1 ? fewer : null,
    });
  }
  if (cell.throughput === null) return notShown(cell, 'No trial went well, for other reasons than a limit.');
  const samples = cell.views.flatMap(({ series }) => series.gauges.sessions?.values ?? []);
  if (samples.length < leastSamples)
    return cannotTell(cell, 'No limit was reported; the sessions at the server were not counted.');
  const most = Math.max(...samples);
  if (most === 0)
    return cannotTell(
      cell,
      'The server shows no sessions under the name that Dyno gives them; a pooler may be in between.',
    );
  if (most >= connections * mostSeen)
    return notShown(
      cell,
      `${connections === 1 ? 'Its connection had a session of its' : `All ${connections} connections had sessions of their`} own.`,
    );
  return shown(cell, {
    claim: `${cell.name} has ${connections} connections, and the server never saw more than ${most} sessions of them: the others waited for a session of a pool.`,
    confidence: 'likely',
    explains: 1 - most / connections,
    evidence: [set, number('Most sessions at the server', most, linkTo('server-counters', cell.cell))],
    advice:
      'Size the pool between client and server, or measure the server without it. Latency includes the wait for a session.',
    confirm: fewer,
  });
}

/** 100 → 12, 25, 50, 100. */
function halves(connections: number): readonly number[] {
  const levels = [connections, connections / 2, connections / 4, connections / 8]
    .map(Math.floor)
    .filter((one) => one >= 1);
  return [...new Set(levels)].toReversed();
}
