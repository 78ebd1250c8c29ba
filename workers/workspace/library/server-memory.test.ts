import { expect, it } from 'vitest';
import { experimentYaml } from '#integration/home.fixture.ts';
import { formatBytes } from '#model/format/format.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { planContext } from './plan-context.ts';
import { serverMemoryProblems } from './server-memory.ts';

const planOf = (levels: string) =>
  planExperiment(
    parseFile(experimentYaml({ factors: `{ memory: ${levels} }`, targets: '[embedded-postgres, local-mariadb]' })),
    planContext(),
  ).plan!;

const gib = 2 ** 30;

it('servers that live side by side have to fit into memory together, with values in every unit', () => {
  const plan = planOf(
    '{ usual: {}, a: { server: { postgres: { shared_buffers: 131072 }, mysql: { innodb_buffer_pool_size: 2G } } }, b: { server: { postgres: { shared_buffers: 3GB } } } }',
  );
  // 131,072 pages of 8 KiB, 2 GiB and 3 GiB.
  expect(serverMemoryProblems(plan, 7.5 * gib)).toEqual([]);
  const [problem] = serverMemoryProblems(plan, 7 * gib);
  expect(problem!.message).toContain(formatBytes(6 * gib));
  const negative = planOf(
    '{ a: { server: { postgres: { shared_buffers: 7GB } } }, b: { server: { postgres: { shared_buffers: -7GB } } } }',
  );
  expect(serverMemoryProblems(negative, 7 * gib)).toHaveLength(1);
});

it('a plan that this machine has no memory for is an error of the file', () => {
  const { plan, diagnostics } = planExperiment(
    parseFile(
      experimentYaml({
        factors: '{ memory: { usual: {}, huge: { server: { postgres: { shared_buffers: 90TB } } } } }',
        targets: '[embedded-postgres]',
      }),
    ),
    planContext(),
  );
  expect(plan).toBeNull();
  expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining('would reserve')]);
});
