import { expect, it } from 'vitest';
import type { Control } from '../worker/control.ts';
import { createSpaceGuard } from './space-guard.ts';

it('waits for a silent server no longer than the trial', async () => {
  const silent = {
    ask: (_: unknown, signal?: AbortSignal) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
  } as unknown as Control;
  const trial = new AbortController();
  const low: string[] = [];
  const checked = createSpaceGuard(1, (reason) => low.push(reason)).check(silent, 0, trial.signal);
  trial.abort();
  await checked;
  expect(low).toEqual([]);
});
