import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { openSteps } from './kept-steps.ts';

test('a step is kept for its inputs, by its owner alone, and another one is made again', () => {
  const folder = join(temporaryFolder(), 'steps');
  const steps = openSteps(folder);
  expect(steps.read('tries', 'a')).toBeNull();
  steps.keep('tries', 'a', { s1: { t: 'no' } });
  expect(openSteps(folder).read('tries', 'a')).toEqual({ s1: { t: 'no' } });
  expect(steps.read('tries', 'b')).toBeNull();
  expect(steps.read('run', 'a')).toBeNull();
  if (process.platform !== 'win32') expect(statSync(join(folder, 'tries.json')).mode & 0o077).toBe(0);
  steps.forget();
  expect(steps.read('tries', 'a')).toBeNull();
});
