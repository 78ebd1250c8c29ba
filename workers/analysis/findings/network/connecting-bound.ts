import { formatCount, formatMs, formatPercent } from '#model/format/format.ts';
import { speedText } from '../../text/verdict-text.ts';
import { comparedAbove, comparedBy, helps, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy } from '../shared/confirm.ts';
import { number, share, time } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { partsOf } from '../shared/picture.ts';

/** At this share, connecting is the largest part by definition. */
const mostOfTime = 0.5;
/** With fewer sessions, a single slow one decides the share. */
const leastSessions = 30;

/** Connections that end their sessions after a few calls spend most of their time on opening new ones. */
export const connectingBound: Rule = {
  title: 'Bound by connecting',
  bottleneck: 'connecting: sessions are opened for a few calls each',
  looksFor: 'sessions that are opened anew and take more time than their calls',
  shownWhen:
    'connecting takes half of the time for connecting, calls and transactions; certain if connections that make more calls are faster; needs 30 sessions',
  find: eachCell(judge),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { connecting } = cell.summary;
  if (connecting === null || connecting.share === null) return notShown('It keeps its connections.');
  const { latencyMs, share: part } = connecting;
  if (latencyMs.count < leastSessions)
    return cannotTell(`Only ${formatCount(latencyMs.count)} sessions were opened in the measured phases.`);
  if (part < mostOfTime) return notShown(`Connecting took ${formatPercent(part)} of the connections’ time.`);
  const calls = cell.settings.callsPerConnection;
  const kept = comparedBy(cell, 'callsPerConnection').find(({ level }) => level === 0);
  const other = kept ?? comparedAbove(cell, 'callsPerConnection')[0];
  const helped = other !== undefined && helps(other) === true;
  const contradicted = other !== undefined && helps(other) === false;
  const than = kept
    ? 'with connections that are kept'
    : `with ${formatCount(Number(other?.level))} calls per connection`;
  return shown({
    claim: `${cell.name}: ${formatPercent(part)} of the time went into connecting; ${formatCount(latencyMs.count)} sessions were opened, each for ${calls === 1 ? 'one call' : `${formatCount(calls)} calls`}, and a session took ${formatMs(latencyMs.mean)} to open.${helped ? ` It was ${speedText(other.comparison, null)} ${than}.` : ''}`,
    confidence: helped ? 'certain' : contradicted ? 'possible' : 'likely',
    explains: part,
    evidence: [
      share('Connecting, of the time for connecting, calls and transactions', part, 'connecting'),
      number('Sessions opened', latencyMs.count, 'connecting'),
      latencyMs.mean !== null && time('Time to open a session, mean', latencyMs.mean, 'connecting'),
      latencyMs.p99 !== null && time('Time to open a session, p99', latencyMs.p99, 'connecting'),
      other && ratioEvidence(other),
    ],
    advice:
      'Keep connections, or take them from a pool in the program or between program and server. Where each call has to connect, make a connection cheaper: TLS sessions that are resumed, a cheaper check of the password, fewer statements at login.',
    confirm: confirmBy(facts, cell, {
      title: 'More calls per connection',
      question: `How much of the time of ${cell.name} does connecting take?`,
      vary: 'callsPerConnection',
      levels: [...[calls, calls * 10, calls * 100].filter((one) => one >= 1 && one <= 10_000_000), 0],
    }),
    picture: partsOf('Time of the connections', [
      ['connecting', part, 'own'],
      ['calls and transactions', 1 - part, 'rest'],
    ]),
  });
}
