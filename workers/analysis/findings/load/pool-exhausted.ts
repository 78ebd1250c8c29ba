import { formatCount } from '#model/format/format.ts';
import { confirmBy } from '../shared/confirm.ts';
import { number } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { barsOf, partsOf } from '../shared/picture.ts';

/** Ratio of sessions seen at the server ÷ configured connections below which a pooler shares sessions. */
const mostSeen = 0.9;
/** Least number of samples: a sample misses sessions that begin or end during it. */
const leastSamples = 3;

/**
 * Connections that a limit refused (certain: the server reported it), or that share fewer sessions of the server
 * (likely: a pooler, which Dyno cannot see directly).
 */
export const poolExhausted: Rule = {
  title: 'Connection pool exhausted',
  bottleneck: 'the connection pool',
  looksFor: 'connections that the server refuses, or that wait for a session of a pool',
  shownWhen: 'the server refuses connections, or has sessions for fewer than 90 % of the connections',
  find: eachCell(outcomeOf, {
    cells: ({ cells }) => cells.filter(({ inProcess }) => !inProcess),
    whyNone: 'Engines inside the client process have no sessions to run out of.',
  }),
};

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { connections } = cell.settings;
  const set = number('Connections set', connections, 'results');
  const fewer = confirmBy(facts, cell, {
    title: 'Fewer connections',
    question: `How many connections does ${cell.target.name} take, and how many does it need?`,
    vary: 'connections',
    levels: halves(connections),
  });
  const failed = cell.results.filter(({ error, status }) => status === 'failed' && error?.kind === 'connectionLimit');
  const refused = cell.results.reduce((sum, { totals }) => sum + (totals.errors.connectionLimit ?? 0), 0);
  const error = [...failed, ...cell.results].find((one) => one.error?.kind === 'connectionLimit')?.error;
  if (error && (failed.length > 0 || refused > 0)) {
    const what =
      failed.length > 0
        ? `${failed.length} of ${cell.results.length} trials of ${cell.name} failed`
        : `${formatCount(refused)} calls of ${cell.name} failed`;
    const part = failed.length > 0 ? failed.length / cell.results.length : refused / (refused + cell.calls);
    return shown({
      claim: `A limit of the server was reached: ${what} with ${connections} connections. The server said: ${error.message}`,
      confidence: 'certain',
      explains: part,
      evidence: [
        set,
        failed.length > 0
          ? number('Trials that failed for a limit', failed.length, 'exceptions')
          : number('Calls that failed for a limit', refused, null),
      ],
      advice:
        error.hint ??
        'Raise the limit at the server, or set fewer connections. More connections than processors seldom bring more throughput.',
      confirm: connections > 1 ? fewer : null,
      picture: partsOf(`${failed.length > 0 ? 'Trials' : 'Calls'} of this cell`, [
        ['failed for a limit', part, 'own'],
        ['others', 1 - part, 'rest'],
      ]),
    });
  }
  if (cell.throughput === null) return notShown('No trial succeeded, for other reasons than a limit.');
  const samples = cell.views.flatMap(({ series }) => series.gauges.sessions?.values ?? []);
  if (samples.length < leastSamples)
    return cannotTell('No limit was reported, and the sessions at the server were not counted.');
  const most = Math.max(...samples);
  if (most === 0)
    return cannotTell('The server shows no sessions under the name that Dyno gives them; a pooler may be in between.');
  if (most >= connections * mostSeen)
    return notShown(
      `${connections === 1 ? 'Its connection had a session of its' : `All ${connections} connections had sessions of their`} own.`,
    );
  const seen = number('Most sessions at the server', most, 'server-counters');
  return shown({
    claim: `${cell.name} has ${connections} connections, but the server never had more than ${most} of their sessions at a time: the other connections waited for a session of a pool.`,
    confidence: 'likely',
    explains: 1 - most / connections,
    evidence: [set, seen],
    advice:
      'Size the pool between client and server, or measure the server without it. Latency includes the wait for a session.',
    confirm: fewer,
    picture: barsOf('Sessions', set, seen),
  });
}

/** 100 → 12, 25, 50, 100. */
function halves(connections: number): readonly number[] {
  const levels = [connections, connections / 2, connections / 4, connections / 8]
    .map(Math.floor)
    .filter((one) => one >= 1);
  return [...new Set(levels)].toReversed();
}
