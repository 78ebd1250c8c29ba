import { afterEach, expect, test } from 'vitest';
import { mostCompared } from '#analysis/between-runs/compare-with-reference.ts';
import { tickedRuns, tickRun } from './ticked-runs.ts';

afterEach(() => tickedRuns.set([]));

test('a run beyond the most that are compared is not selected, and no other run is deselected for it', () => {
  const ids = Array.from({ length: mostCompared }, (_, i) => `run-${i}`);
  for (const id of ids) tickRun(id, true);
  tickRun('one-more', true);
  expect(tickedRuns.get()).toEqual(ids);
  tickRun('run-0', false);
  tickRun('one-more', true);
  expect(tickedRuns.get()).toEqual([...ids.slice(1), 'one-more']);
});
