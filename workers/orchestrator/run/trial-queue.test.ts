import { expect, it } from 'vitest';
import { experimentYaml } from '#integration/home.fixture.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { createTrialQueue } from './trial-queue.ts';

it('the next trial of a server is that of its parameters, so that its table waits for it', () => {
  const { plan } = planExperiment(
    parseFile(
      experimentYaml({
        factors: '{ memory: { a: {}, b: { server: { postgres: { work_mem: 1MB } } } } }',
        targets: '[embedded-postgres]',
        measure: '{ repeats: 2, order: declared }',
      }),
    ),
    planContext(),
  );
  const { trials } = plan!;
  expect(trials.map(({ variant }) => variant)).toEqual(['memory=a', 'memory=b', 'memory=a', 'memory=b']);
  const after = (number: number) =>
    createTrialQueue(plan!, [])
      .variantsAfter(trials[number - 1]!)
      .map(({ id }) => id);
  expect([1, 2].map(after)).toEqual([['memory=a'], ['memory=b']]);
});
