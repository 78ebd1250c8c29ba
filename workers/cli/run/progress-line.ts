import { formatMs, formatRate } from '#model/format/format.ts';
import { asItem, oneLine } from '#model/text/printable.ts';
import { countedMs, throughputOf } from '#planning/rates/trial-rate.ts';
import { repeatsOf } from '#planning/repeats.ts';
import { precisionText } from '#presentation/text/precision-text.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { Precision } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { withoutCommands } from '../ci-commands.ts';

/** Shows a run's progress on standard error: one updated line on a terminal, plain lines elsewhere. */
interface ProgressView extends Disposable {
  update(progress: RunProgress): void;
  /** `place`: number of the trial, and of all trials. */
  finished(result: TrialResult, place: { readonly done: number; readonly planned: number }): void;
}

const barWidth = 24;
const redrawEveryMs = 100;
const tickEveryMs = 1_000;
/** Interval of log lines during a long trial, ms. */
const lineEveryMs = 60_000;

/** Shows the progress of a run on a stream: one updated line on a terminal, else a line per trial. */
export function showProgress(stream: NodeJS.WriteStream, quiet: boolean, measure: Plan['measure']): ProgressView {
  if (quiet) return { update: () => {}, finished: () => {}, [Symbol.dispose]: () => {} };
  return stream.isTTY ? onTerminal(stream, measure) : asLines(stream, measure);
}

function onTerminal(stream: NodeJS.WriteStream, measure: Plan['measure']): ProgressView {
  let last: RunProgress | null = null;
  let lastAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  const clear = () => stream.write('\r\x1b[2K');
  const draw = () => {
    if (!last) return;
    drawnAt = performance.now();
    const filled = Math.round((last.fraction ?? 0) * barWidth);
    const line = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${last.trialsDone}/${last.trialsPlanned}${timeLeft(last, lastAt)}  ${last.activity}`;
    clear();
    stream.write(oneLine(line).slice(0, Math.max(20, (stream.columns ?? 80) - 1)));
  };
  const timer = setInterval(draw, tickEveryMs);
  return {
    update(progress) {
      if (progress.precision && progress.precision.round !== last?.precision?.round) {
        clear();
        stream.write(`${roundLine(progress.precision, measure)}\n`);
      }
      last = progress;
      lastAt = performance.now();
      if (lastAt - drawnAt > redrawEveryMs) draw();
    },
    finished(result) {
      if (result.status === 'ok') return;
      clear();
      stream.write(`${resultLine(result)}\n`);
      draw();
    },
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}

/**
 * Prints lines for a log: the first with the time that the run will take, one per trial, one per minute of a long
 * trial, and one for every other long activity.
 */
function asLines(stream: NodeJS.WriteStream, measure: Plan['measure']): ProgressView {
  let last: RunProgress | null = null;
  let lastAt = performance.now();
  let isSilent = true;
  const write = (line: string) => {
    isSilent = false;
    stream.write(`${withoutCommands(line)}\n`);
  };
  const timer = setInterval(() => {
    // The result line describes a short trial.
    if (isSilent && last !== null && last.trial !== null) write(oneLine(`${last.activity} …${timeLeft(last, lastAt)}`));
    isSilent = true;
  }, lineEveryMs);
  return {
    update(progress) {
      if (progress.precision && progress.precision.round !== last?.precision?.round)
        write(roundLine(progress.precision, measure));
      if (last === null) write(oneLine(`${progress.activity} …${timeLeft(progress, performance.now())}`));
      else if (progress.trial === null && progress.activity !== last.activity) write(oneLine(progress.activity));
      last = progress;
      lastAt = performance.now();
    },
    finished(result, { done, planned }) {
      const most = measure.search ? '~' : repeatsOf(measure).relativeMargin === null ? '' : '≤';
      write(`[${done}/${most}${planned}] ${resultLine(result)}`);
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** " 3 min left", counted down between two messages of a long trial. Empty while unknown or too short. */
function timeLeft({ secondsLeft }: RunProgress, saidAt: number): string {
  const left = Math.ceil((secondsLeft ?? 0) - (performance.now() - saidAt) / 1_000);
  return left > 0 ? ` ${formatMs(left * 1_000)} left` : '';
}

const roundLine = (precision: Precision, measure: Plan['measure']): string =>
  `Repeat ${precision.round} of all cells is done: ${precisionText(precision, measure)}.`;

function resultLine(result: TrialResult): string {
  const what = `${result.target} · ${result.variant} · repeat ${result.repeat}`;
  if (result.status !== 'ok') return asItem(`${oneLine(what)}: ${result.status}: ${result.error?.message ?? ''}`);
  const rate = formatRate(throughputOf(result), result.totals.rows > 0 ? 'rows/s' : 'calls/s');
  const builtMs = countedMs(result);
  const built = builtMs > 0 ? `, then ${formatMs(builtMs)} to create keys and indexes` : '';
  return `${oneLine(what)}: ${rate} in ${formatMs(result.elapsedMs)}${built}`;
}
