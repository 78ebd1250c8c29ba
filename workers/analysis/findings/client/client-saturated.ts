import { formatMs, formatPercent } from '#model/format/format.ts';
import { sentence } from '#model/format/sentence.ts';
import { placeStages } from '#model/stages.ts';
import type { ProcessTime } from '#protocol/measurement.ts';
import { timeOf } from '../../client/client-time.ts';
import { saturatedHostsText } from '../../client/load-hosts.ts';
import { starvedFrom } from '../../client/machine.ts';
import { clientTimePicture } from '../shared/cell-pictures.ts';
import { comparedAbove, helps, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy, possibleLevels } from '../shared/confirm.ts';
import { number, share } from '../shared/evidence.ts';
import { type CellFacts, noProcessorShare, type RunFacts } from '../shared/facts.ts';
import type { Confidence, Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/**
 * The utilisation above which the queue of a single server is a multiple of its service time: at 0.7 a request waits
 * 2.3 times its own service time (M/M/1, ρ ÷ (1 − ρ)). The badge "client-bound" of a trial has the same limit.
 */
const busy = 0.7;
/** At most a tenth of the time was idle, so the client could hardly have used a faster server. */
const full = 0.9;
/** Shorter stages are not judged separately. */
const leastMs = 3_000;
/**
 * Limit for engines inside the client process: a third of the time outside the engine hides any difference worth
 * finding. The badge has the same limit.
 */
const outsideEngine = 0.3;
/**
 * In a short phase, work of a process right before and after the phase counts as part of it. The badge has the same
 * limit.
 */
const mostAround = 0.1;

/** The client's processes had no idle time, so they limited the throughput. */
export const clientSaturated: Rule = {
  title: 'Client-bound',
  bottleneck: 'the client',
  looksFor: 'client processes that were busy for most of their time',
  shownWhen:
    'client processes were busy for more than 70 % of their time; certain above 90 %, or where more processes were faster; for in-process engines, 30 % of the time was spent outside the engine',
  find: eachCell((facts, cell) => {
    if (cell.isReportedPerCall)
      return cannotTell(
        'Its calls are reported one by one, and between two calls the client waited for the server’s counters.',
      );
    const { processTime, elapsedMs, settings } = cell;
    if (processTime !== null && processTime.wallMs > elapsedMs * settings.processes * (1 + mostAround))
      return cannotTell(
        `Its trials took ${formatMs(elapsedMs / cell.views.length)} on average, and the times of its client processes include their work right before and after each trial.`,
      );
    return cell.inProcess ? insideClient(facts, cell) : besideServer(facts, cell);
  }),
};

function besideServer(facts: RunFacts, cell: CellFacts): CellOutcome {
  const time = cell.processTime;
  const noProcessor = noProcessorShare(cell);
  if (time === null && !cell.summary.clientSaturated && noProcessor >= starvedFrom)
    return cannotTell(
      `Its client processes waited for a processor for ${formatPercent(noProcessor)} of their time: the machine was short of processors. How they spent the rest of their time was not recorded, or the numbers do not add up.`,
    );
  if (time === null)
    return cell.summary.clientSaturated
      ? shown({
          claim: `${cell.name} is client-bound: a client process was busy for more than ${formatPercent(busy)} of its time, or used 90 % of a core.`,
          confidence: 'likely',
          explains: busy,
          evidence: [share('Busiest event loop', busiestLoop(cell), 'client-health')],
          advice: advice(null),
          confirm: moreProcesses(facts, cell),
          picture: clientTimePicture(cell),
        })
      : notShown(`No client process was busy for more than ${formatPercent(busy)} of its time.`);
  const whole = { time, used: usedOf(time), waited: noProcessor };
  // The light load at the beginning of a ramp is no evidence about its end.
  const stage = whole.used < busy ? busiestStage(facts, cell) : null;
  const { used, waited, time: looked } = stage ?? whole;
  // A process that waits for a processor looks busy; the finding on the machine covers these waits. The remainder is
  // its own work.
  const isStarved = waited >= starvedFrom;
  if (isStarved && used - waited < busy) {
    const why = `Its client processes had work for ${formatPercent(used)} of their time, and waited for a processor for ${formatPercent(waited)}: the machine was short of processors`;
    return cell.summary.clientSaturated ? cannotTell(`${why}; ${markedText(cell)}.`) : notShown(`${why}.`);
  }
  if (used < busy && !cell.summary.clientSaturated)
    return notShown(
      `Its client processes were busy for ${formatPercent(whole.used)} of their time, and waited for the server for the rest.`,
    );
  const [most] = comparedAbove(cell, 'processes');
  const [part, partMs] = largestPart(looked);
  const where = stage ? `In the stage “${stage.name}” ` : '';
  const hosts = saturatedHostsText(cell.views.flatMap(({ result }) => result ?? []));
  const more = stage ? `; over the whole run ${formatPercent(whole.used)}` : used < busy ? `; ${markedText(cell)}` : '';
  return shown({
    claim: `${where}${cell.name} is client-bound: its processes were busy for ${formatPercent(used)} of their time, ${isStarved ? `${formatPercent(waited)} of it without a processor` : `most of it with ${partLabels[part]} (${formatPercent(partMs / looked.wallMs)})`}${more}. ${hosts === null ? '' : `${hosts} `}The server may be able to do more.`,
    // The finding is certain if more processes were faster, or if the client had no idle time, unless more processes
    // gained nothing.
    confidence: confidenceOf(most === undefined ? null : helps(most), used),
    explains: used,
    evidence: [
      share('Client processes busy', used, 'client-health'),
      share('Busiest event loop', busiestLoop(cell), 'client-health'),
      isStarved
        ? share('Waited for a processor', waited, 'client-health')
        : share(sentence(partLabels[part]), partMs / looked.wallMs, 'client-shares'),
      number('Processes', cell.settings.processes, null),
      most !== undefined && ratioEvidence(most),
    ],
    advice: advice(isStarved ? null : part),
    confirm: moreProcesses(facts, cell),
    picture: clientTimePicture(cell),
  });
}

const usedOf = ({ waitMs, idleMs, wallMs }: ProcessTime): number => Math.max(0, 1 - (waitMs + idleMs) / wallMs);

interface StageTime {
  readonly name: string;
  readonly time: ProcessTime;
  readonly used: number;
  /** Share of the time in which a process was ready to run and had no processor. */
  readonly waited: number;
}

/**
 * The stage of the load, over all trials, in which the client's processes had the least idle time; null if they had
 * enough.
 */
function busiestStage({ model }: RunFacts, { views }: CellFacts): StageTime | null {
  const stages = placeStages(model.plan.measure.stages ?? []).flatMap(({ name, fromMs, toMs }) => {
    const seconds = views.flatMap(({ series: { atMs, clientTime, noProcessorMs } }) =>
      atMs.flatMap((at, i) => {
        const shares = clientTime[0]?.shares[i];
        return shares && at > fromMs && at <= toMs ? [{ shares, waited: (noProcessorMs[i] ?? 0) / 1_000 }] : [];
      }),
    );
    if (seconds.length === 0 || toMs - fromMs < leastMs) return [];
    const time = timeOf(seconds.map(({ shares }) => shares));
    const waited = seconds.reduce((sum, second) => sum + second.waited, 0) / seconds.length;
    return [{ name, time, used: usedOf(time), waited }];
  });
  return stages.filter(({ used }) => used >= busy).toSorted((a, b) => b.used - a.used)[0] ?? null;
}

/** The reason why a trial was marked as client-bound although its cell's processes had idle time over all trials. */
const markedText = (cell: CellFacts): string =>
  busiestLoop(cell) > busy
    ? `in the busiest trial, one process was busy for ${formatPercent(busiestLoop(cell))}`
    : 'in one trial, a process used more than 90 % of a core';

const confidenceOf = (helped: boolean | null, used: number): Confidence =>
  helped === false ? 'possible' : helped || used >= full ? 'certain' : 'likely';

function insideClient(facts: RunFacts, cell: CellFacts): CellOutcome {
  const time = cell.processTime;
  if (time === null)
    return cannotTell('How the client process spent its time was not recorded, or the numbers do not add up.');
  const outside = 1 - (time.engineMs + time.idleMs + time.waitMs) / time.wallMs;
  if (outside < outsideEngine)
    return notShown(
      `The engine, which works inside the client process, took ${formatPercent(time.engineMs / time.wallMs)} of the process’s time.`,
    );
  const waited = noProcessorShare(cell);
  if (waited >= starvedFrom && outside - waited < outsideEngine)
    return cannotTell(
      `${formatPercent(outside)} of the process’s time was spent outside the engine, but the process waited for a processor for ${formatPercent(waited)} of its time: the machine was short of processors.`,
    );
  const [part, partMs] = largestPart({ ...time, engineMs: 0 });
  return shown({
    claim: `${cell.name} is client-bound: ${formatPercent(outside)} of the process’s time was spent outside the engine, most of it in ${partLabels[part]} (${formatPercent(partMs / time.wallMs)}).`,
    // The time was counted and nothing in one process runs in parallel, so without this work the same calls take that
    // much less time.
    confidence: 'certain',
    explains: outside,
    evidence: [
      share('Outside the engine', outside, 'client-health'),
      share('Inside the engine', time.engineMs / time.wallMs, 'client-shares'),
      share(sentence(partLabels[part]), partMs / time.wallMs, 'client-shares'),
    ],
    advice: advice(part),
    confirm: part === 'generateMs' && cell.settings.generation === 'inline' ? preparedRows(facts, cell) : null,
    picture: clientTimePicture(cell),
  });
}

type Part = 'generateMs' | 'encodeMs' | 'decodeMs' | 'otherMs';

const partLabels: Readonly<Record<Part, string>> = {
  generateMs: 'data generation',
  encodeMs: 'encoding requests in the driver',
  decodeMs: 'decoding answers in the driver',
  otherMs: 'promises, counting and garbage collection',
};

const largestPart = (time: ProcessTime): readonly [Part, number] =>
  (Object.keys(partLabels) as Part[]).map((part) => [part, time[part]] as const).toSorted((a, b) => b[1] - a[1])[0]!;

const busiestLoop = ({ views }: CellFacts): number =>
  Math.max(0, ...views.map(({ result }) => result?.health.eventLoopUtilisation ?? 0));

function advice(part: Part | null): string {
  const first =
    part === 'generateMs'
      ? 'Generate the rows before the clock starts (generation: prepared). '
      : part === 'decodeMs'
        ? 'Read fewer columns or rows per call if the question allows it. '
        : '';
  return `${first}Use more client processes, up to the number of cores, or run the client on a separate machine. ${lowerLimit}`;
}

const lowerLimit = 'Until then, the throughput of this cell is a lower limit for the server, not its speed.';

function moreProcesses(facts: RunFacts, cell: CellFacts): Confirm | null {
  const { processes, connections } = cell.settings;
  const wanted = [processes, processes * 2, processes * 4].filter((count) => count <= Math.max(connections, 1));
  const levels = possibleLevels(cell, 'processes', wanted);
  return confirmBy(facts, cell, {
    title: 'More client processes',
    question: `Does ${cell.target.name} do more when the same ${connections} connections come from more client processes?`,
    vary: 'processes',
    levels,
  });
}

const preparedRows = (facts: RunFacts, cell: CellFacts): Confirm | null =>
  confirmBy(facts, cell, {
    title: 'Rows generated before the clock starts',
    question: `How much faster is ${cell.name} when rows are generated before the clock starts?`,
    vary: 'generation',
    levels: ['inline', 'prepared'],
  });
