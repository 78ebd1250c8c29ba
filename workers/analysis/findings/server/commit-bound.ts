import { formatCount, formatMs, formatNumber, formatPercent, formatShort } from '#model/format/format.ts';
import { readOnlyOperations } from '#model/settings/vocabulary.ts';
import { speedText } from '../../text/verdict-text.ts';
import { comparedPicture, serverTimePicture } from '../shared/cell-pictures.ts';
import { comparedAbove, helps, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy, possibleLevels } from '../shared/confirm.ts';
import { type CellEvidence, linkTo, number, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Evidence, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { effectiveObservations } from '../shared/server-facts.ts';

/** At this share, the log is the largest part by definition. */
const mostOfServer = 0.5;
/** Number of independent samples that determines a share of 0.5 to ± 0.1 (binomial, 95 %: 1.96 √(0.25 ÷ n)). */
const leastObservations = 100;
/** With fewer samples a share is imprecise: ± 0.2. */
const fewObservations = 25;
/** If the server's clocks miss this much of its time, their shares do not describe the whole. */
const mostUnclocked = 0.1;
/** With fewer commits for the same rows, a gain of this factor exceeds the cost of begin and commit themselves. */
const worthSaying = 1.2;

/** From this share of the disk's syncs on, the disk hardly allows more flushes: it was measured without load. */
const atCeiling = 0.8;
/** Above this share, the figures contradict each other: flushes are no syncs, or the disk was slower before the run. */
const mostOfDisk = 1.1;

/** Commits wait for the log: it takes the server's time, and fewer commits for the same rows are faster. */
export const commitBound: Rule = {
  title: 'Bound by commits',
  bottleneck: 'commits, which wait for the log',
  looksFor: 'commits that wait until the log is written',
  shownWhen:
    'the log takes half of the server’s own time, or fewer commits are 1.2 times as fast; certain with both; sampled shares need 25 independent observations, and 100 to be likely',
  find: eachCell(judge),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { settings, server, commits, rows } = cell;
  if (readOnlyOperations.includes(settings.operation)) return notShown('It only reads.');
  if (commits === 0) return cannotTell('Its commits were not counted.');
  // Commits that share one flush cost hardly more than a single commit.
  const observations = effectiveObservations(server, 'log');
  const known =
    server.method === 'timed'
      ? server.unclockedLocks < mostUnclocked
      : server.method !== 'none' && observations >= fewObservations;
  const log = known ? (server.ownShare.log ?? 0) : null;
  const [fewer] = comparedAbove(cell, 'callsPerCommit');
  const helped = fewer?.comparison.verdict === 'faster' && fewer.comparison.ratio.value >= worthSaying;
  const mostlyLog = log !== null && log >= mostOfServer;
  if (!mostlyLog && !helped) {
    if (log === null && fewer === undefined)
      return cannotTell(
        `${server.noTimeText ?? (server.method === 'timed' ? 'Sessions were observed in waits for locks that the server’s timing leaves out, so the share of the log is not known.' : 'Sessions were observed at work too seldom to tell.')} No other variant commits less often.`,
      );
    return notShown(
      [
        ...(log === null ? [] : [`The log took ${formatPercent(log)} of the server’s own time.`]),
        ...(fewer ? [`With ${fewer.level} calls per commit it was ${speedText(fewer.comparison, null)}.`] : []),
      ].join(' '),
    );
  }
  const perCommit = rows / commits;
  const contradicted = mostlyLog && fewer !== undefined && helps(fewer) === false;
  const disk = logDisk(facts, cell);
  const claims = [
    ...(mostlyLog ? [`the log took ${formatPercent(log)} of the server’s own time`] : []),
    ...(mostlyLog && disk?.isAtCeiling
      ? [
          `its ${formatShort(disk.perSecond)} flushes per second are ${formatPercent(disk.share)} of the ${formatShort(disk.ceiling)} syncs that its disk finishes one after another`,
        ]
      : []),
    ...(helped
      ? [`with ${fewer.level} calls per commit instead of ${fewer.own} it was ${speedText(fewer.comparison, null)}`]
      : []),
  ];
  const gain = helped ? 1 - 1 / fewer.comparison.ratio.value : 0;
  return shown({
    claim: `${cell.name} waits for commits (${Number.isInteger(perCommit) ? formatCount(perCommit) : formatNumber(perCommit)} ${perCommit === 1 ? 'row' : 'rows'} per commit): ${claims.join(', and ')}.`,
    // The finding is certain with both the server's clock and the counter-experiment, likely with one of them, and
    // possible if the log takes time but fewer commits gain nothing.
    confidence:
      mostlyLog && helped
        ? 'certain'
        : contradicted || (mostlyLog && server.method === 'sampled' && observations < leastObservations)
          ? 'possible'
          : 'likely',
    explains: Math.max(gain, log ?? 0),
    evidence: [
      number('Rows per commit', perCommit, null),
      log !== null && share('Log, of the server’s own time', log, 'server-time'),
      ...logParts(cell),
      ...flushes(cell),
      ...diskEvidence(disk),
      fewer && ratioEvidence(fewer),
    ],
    advice:
      'Commit less often (several rows or calls per commit), let more connections commit at once so that one flush serves several, or put the log on a faster device. Weaker durability is also faster, but guarantees less.',
    confirm: confirmBy(facts, cell, {
      title: 'Fewer commits',
      question: `How much of the time of ${cell.name} do commits take?`,
      vary: 'callsPerCommit',
      levels: possibleLevels(cell, 'callsPerCommit', [
        settings.callsPerCommit,
        settings.callsPerCommit * 10,
        settings.callsPerCommit * 100,
      ]),
    }),
    // This shows that commits wait only if the log takes most of the server's time.
    picture: mostlyLog ? serverTimePicture(cell) : comparedPicture(facts, cell, fewer),
  });
}

/** The parts of the log's time, in the engine's words. */
const logParts = ({ server, cell }: CellFacts): readonly Evidence[] =>
  server.parts
    .filter((part) => part.class === 'log')
    .slice(0, 2)
    .map(({ label, ms }) => ({
      label: server.method === 'sampled' ? `${label}, sessions × time` : label,
      value: ms,
      unit: 'ms',
      text: formatMs(ms),
      link: linkTo('server-time', cell),
    }));

const flushes = ({ server, commits, cell }: CellFacts): readonly CellEvidence[] =>
  server.roles.logFlushes === undefined
    ? []
    : [number('Log flushes per commit', server.roles.logFlushes / commits, linkTo('server-counters', cell))];

/** The flushes of the log per second, beside the syncs per second of the disk with the server's files. */
interface LogDisk {
  readonly perSecond: number;
  readonly ceiling: number;
  readonly share: number;
  readonly isAtCeiling: boolean;
}

/** Null: the server does not count flushes, or its disk was not measured. */
function logDisk({ model }: RunFacts, { server, target, elapsedMs }: CellFacts): LogDisk | null {
  const disk = model.calibration.find(
    ({ storage }) => storage?.measure === 'overwriteSync' && storage.targets.includes(target.name),
  );
  const { logFlushes } = server.roles;
  if (!disk || disk.perSecond <= 0 || logFlushes === undefined || elapsedMs <= 0) return null;
  const perSecond = (logFlushes * 1_000) / elapsedMs;
  const part = perSecond / disk.perSecond;
  return { perSecond, ceiling: disk.perSecond, share: part, isAtCeiling: part >= atCeiling && part <= mostOfDisk };
}

function diskEvidence(disk: LogDisk | null): readonly CellEvidence[] {
  if (!disk) return [];
  const known = share('Log flushes, of the syncs of its disk', disk.share, linkTo('calibration'));
  if (disk.share <= mostOfDisk) return [known];
  const [flushed, synced] = [disk.perSecond, disk.ceiling].map((value) => formatShort(value));
  return [{ ...known, text: `cannot tell: ${flushed} flushes/s exceed the ${synced} syncs/s that were measured` }];
}
