import { expect, test } from 'vitest';
import type { RunProgress } from '#protocol/ipc.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import { attendRun, type Desktop } from './run-attention.ts';

/** A simulated run, and a desktop that records its calls. */
function watched({ focused = false } = {}) {
  const said: string[] = [];
  const pressed: (() => void)[] = [];
  const desktop: Desktop = {
    showProgress: (fraction, paused) => said.push(`progress ${fraction}${paused ? ' paused' : ''}`),
    hideProgress: () => said.push('no progress'),
    keepAwake: () => {
      said.push('awake');
      return () => said.push('may sleep');
    },
    isFocused: () => focused,
    notify(title, body, onPress) {
      said.push(`${title}: ${body}`);
      pressed.push(onPress);
    },
  };
  const listeners: Record<string, (value: never) => void> = {};
  const run = {
    id: 'a-run',
    plan: { experiment: { name: 'Insert duel' } },
    on(event: string, listener: (value: never) => void) {
      listeners[event] = listener;
      return () => delete listeners[event];
    },
  };
  let time = 0;
  const shown: string[] = [];
  const over = attendRun(
    run as unknown as Parameters<typeof attendRun>[0],
    desktop,
    (runId) => shown.push(runId),
    () => time,
  );
  return {
    said,
    pressed,
    shown,
    over,
    wait: (ms: number) => {
      time += ms;
    },
    progress: (progress: Partial<RunProgress>) => listeners.progress?.({ live: true, ...progress } as never),
    ends: (status: 'complete' | 'cancelled') => listeners.record?.({ record: 'end', status } as JournalRecord as never),
    listening: () => Object.keys(listeners),
  };
}

test('the machine stays awake and the taskbar shows progress until the run ends', () => {
  const { said, progress, ends, over, listening } = watched();
  progress({ fraction: 0.25, paused: false });
  progress({ fraction: 0.5, paused: true });
  ends('complete');
  over();
  expect(said).toEqual(['awake', 'progress null', 'progress 0.25', 'progress 0.5 paused', 'no progress', 'may sleep']);
  expect(listening()).toEqual([]);
});

test('a user who is elsewhere is notified of the end of a long run, and a press shows the run', () => {
  const { said, pressed, shown, wait, progress, ends, over } = watched();
  progress({ fraction: 1, paused: false, trialsDone: 48 });
  wait(60_000);
  ends('complete');
  over();
  expect(said.at(-1)).toBe('“Insert duel” is complete: Its results are there. 48 trials are done.');
  pressed[0]?.();
  expect(shown).toEqual(['a-run']);
});

test('the notification mentions that a run stopped by itself', () => {
  const { said, wait, over } = watched();
  wait(60_000);
  over();
  expect(said.at(-1)).toBe('“Insert duel” has stopped: It can be resumed.');
});

test.each([
  ['was short', { ms: 5_000, focused: false, end: 'complete' }],
  ['is being looked at', { ms: 60_000, focused: true, end: 'complete' }],
  ['was cancelled', { ms: 60_000, focused: false, end: 'cancelled' }],
] as const)('no notification for a run that %s', (_why, { ms, focused, end }) => {
  const { said, wait, ends, over } = watched({ focused });
  wait(ms);
  ends(end);
  over();
  expect(said.at(-1)).toBe('may sleep');
});
