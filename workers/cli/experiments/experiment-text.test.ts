import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { homeOf } from '#platform/paths.ts';
import { givenExperiment } from './experiment-text.ts';

const home = homeOf({ DYNO_HOME: join(tmpdir(), 'dyno-experiment-text-none') });
const read = (values: Parameters<typeof givenExperiment>[2]) =>
  givenExperiment(home, 'insert-duel', values).file.experiment;

it('takes the size that is asked for, and --set over it', () => {
  expect(read({})).toMatchObject({ dataset: { rows: 20_000 } });
  expect(read({ size: 'published' })).toMatchObject({ size: 'published', dataset: { rows: 500_000 } });
  expect(read({ size: 'published', set: ['dataset.rows=700'] })).toMatchObject({ dataset: { rows: 700 } });
  expect(read({ set: ['dataset.rows=700'] })).toMatchObject({ dataset: { rows: 700 } });
  expect(read({ size: 'publishd' })).toBeNull();
});

it('knows the name that was meant', () => {
  expect(() => givenExperiment(home, 'insert-duell')).toThrow(
    expect.objectContaining({ data: expect.objectContaining({ hint: 'Did you mean `insert-duel`?' }) }),
  );
});
