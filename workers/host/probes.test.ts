import { expect, it } from 'vitest';
import type { Control } from './control.ts';
import { watchServer } from './probes.ts';

it('does not wait for the counters of a server that hangs once the trial is over', async () => {
  const silent = { ask: () => new Promise(() => {}) } as unknown as Control;
  const trial = new AbortController();
  const watch = watchServer(silent, trial.signal, () => {});
  const before = watch.before();
  trial.abort();
  await before;
  expect(await watch.finish()).toEqual({});
});
