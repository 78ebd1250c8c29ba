import type { RunProgress } from '#contract/ipc.ts';
import type { TrialResult } from '#contract/measurement.ts';
import { formatMs, formatRate } from '../analysis/format.ts';
import { printable } from './printable.ts';

/** Shows a run's progress on standard error: one line that is rewritten on a terminal, plain lines elsewhere. */
export interface ProgressView extends Disposable {
  update(progress: RunProgress): void;
  finished(result: TrialResult, planned: number): void;
}

const barWidth = 24;
const redrawEveryMs = 100;
const tickEveryMs = 1_000;

export function showProgress(stream: NodeJS.WriteStream, quiet: boolean): ProgressView {
  if (quiet) return { update: () => {}, finished: () => {}, [Symbol.dispose]: () => {} };
  return stream.isTTY ? onTerminal(stream) : asLines(stream);
}

function onTerminal(stream: NodeJS.WriteStream): ProgressView {
  let last: RunProgress | null = null;
  let lastAt = performance.now();
  let drawnAt = Number.NEGATIVE_INFINITY;
  const clear = () => stream.write('\r\x1b[2K');
  const draw = () => {
    if (!last) return;
    drawnAt = performance.now();
    const filled = Math.round((last.fraction ?? 0) * barWidth);
    // Time goes on between two messages of a long trial.
    const left = last.secondsLeft === null ? null : Math.max(0, last.secondsLeft - (drawnAt - lastAt) / 1_000);
    const time = left === null ? '' : ` ${formatMs(Math.ceil(left) * 1_000)} left`;
    const line = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${last.trialsDone}/${last.trialsPlanned}${time}  ${last.activity}`;
    clear();
    stream.write(printable(line).slice(0, Math.max(20, (stream.columns ?? 80) - 1)));
  };
  const timer = setInterval(draw, tickEveryMs);
  return {
    update(progress) {
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

/** For logs: a line a trial, and what else takes its time. */
function asLines(stream: NodeJS.WriteStream): ProgressView {
  let activity = '';
  return {
    update(progress) {
      const known = progress.activity === activity;
      activity = progress.activity;
      // What happens within a trial is told by its result line.
      if (!known && progress.trial === null) stream.write(`${printable(activity)}\n`);
    },
    finished(result, planned) {
      stream.write(`[${result.number}/${planned}] ${resultLine(result)}\n`);
    },
    [Symbol.dispose]() {},
  };
}

function resultLine(result: TrialResult): string {
  const what = `${result.target} · ${result.variant} · repeat ${result.repeat}`;
  if (result.status !== 'ok') return printable(`${what}: ${result.status}: ${result.error?.message ?? ''}`);
  const count = result.totals.rows > 0 ? result.totals.rows : result.totals.calls;
  const rate = formatRate((count / result.elapsedMs) * 1_000, result.totals.rows > 0 ? 'rows/s' : 'calls/s');
  return `${printable(what)}: ${rate} in ${formatMs(result.elapsedMs)}`;
}
