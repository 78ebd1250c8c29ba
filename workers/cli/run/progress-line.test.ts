import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { formatMs } from '#model/format/format.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import { showProgress } from './progress-line.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const measure = { repeats: 1 } as Plan['measure'];
const state: RunProgress = {
  runId: 'a',
  activity: 'Connecting to a',
  trial: null,
  trialsDone: 0,
  trialsPlanned: 2,
  fraction: 0,
  secondsLeft: 600,
  paused: false,
  live: true,
  precision: null,
};
const result = {
  target: 'a',
  variant: 'bind',
  repeat: 1,
  status: 'ok',
  elapsedMs: 1_000,
  totals: { rows: 0, calls: 50 },
  phaseMs: {},
} as unknown as TrialResult; // the parts that its line shows

function shown(isTTY: boolean) {
  const written: string[] = [];
  const stream = {
    isTTY,
    columns: 80,
    write: (text: string) => written.push(text) > 0,
  } as unknown as NodeJS.WriteStream;
  return { written, view: showProgress(stream, false, measure) };
}

it('a log has a line for each activity and trial, and one a minute of a long trial with the time that is left', () => {
  const { written, view } = shown(false);
  view.update(state);
  view.update(state);
  view.update({ ...state, trial: 1, activity: 'bind on a, repeat 1' });
  vi.advanceTimersByTime(59_000);
  expect(written).toEqual([`Connecting to a … ${formatMs(600_000)} left\n`]);
  vi.advanceTimersByTime(61_000);
  expect(written.slice(1)).toEqual([`bind on a, repeat 1 … ${formatMs(480_000)} left\n`]);
  vi.advanceTimersByTime(600_000);
  expect(written.at(-1), 'longer than expected').toBe('bind on a, repeat 1 …\n');
  view.finished(result, { done: 1, planned: 2 });
  expect(written.at(-1)).toMatch(/^\[1\/2\] a · bind · repeat 1: 50\.0\scalls\/s in 1\.00\ss\n$/);
  const before = written.length;
  view[Symbol.dispose]();
  vi.advanceTimersByTime(600_000);
  expect(written).toHaveLength(before);
});

it('a terminal has one updated line with a running clock', () => {
  const { written, view } = shown(true);
  view.update({ ...state, trial: 1, fraction: 0.5 });
  vi.advanceTimersByTime(30_000);
  expect(written.at(-1)).toBe(`████████████░░░░░░░░░░░░ 0/2 ${formatMs(570_000)} left  Connecting to a`);
  expect(written.join('')).not.toContain('\n');
  view[Symbol.dispose]();
});

it.each([true, false])(
  'no name of a file or message of a server writes a line of progress, on a terminal: %s',
  (isTTY) => {
    const { written, view } = shown(isTTY);
    const forged = 'x\n[2/2] a · bind: ok\u2028[2/2]\u001b]0;title\u0007';
    view.update({ ...state, activity: `Connecting to ${forged}` });
    const failed = {
      ...result,
      target: forged,
      status: 'failed',
      error: { message: forged },
    } as unknown as TrialResult;
    view.finished(failed, { done: 1, planned: 2 });
    view[Symbol.dispose]();
    // The view itself moves the cursor to clear its line.
    const text = written.join('').replaceAll('\r\u001b[2K', '');
    expect(text.split(/[\n\u2028]/).filter((line) => line.startsWith('[2/2]'))).toEqual([]);
    for (const evil of ['\u001b', '\u2028', '\u0007']) expect(text).not.toContain(evil);
  },
);
