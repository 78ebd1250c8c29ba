import { afterEach, expect, it } from 'vitest';
import { startWorker } from '#orchestrator/worker/fork.ts';
import { instrument } from '#orchestrator/worker/targets.ts';
import { childPids, procOf } from '#platform/processes.fixture.ts';
import { endSpareWorkers, forkAhead } from './local-host.ts';

const noop = { role: 'client', ...instrument, tag: 'dyno-test', secrets: [] } as const;
const workers = () => childPids('worker.');

afterEach(endSpareWorkers);

it('starts a worker that was forked ahead, and not another one', async () => {
  await forkAhead(1, 'noop');
  await forkAhead(1, 'noop');
  const [ahead, ...others] = workers();
  expect(others).toEqual([]);
  await using worker = await startWorker(noop);
  expect(worker.pid).toBe(ahead);
  expect(workers()).toEqual([ahead]);
});

it('forks anew in place of one that has died, and ends those that nobody wanted', async () => {
  await forkAhead(2, 'noop');
  const [killed] = workers();
  process.kill(killed!, 'SIGKILL');
  await expect.poll(() => procOf(killed!)).toBeNull();
  await using worker = await startWorker(noop);
  expect(worker.pid).not.toBe(killed);
  await endSpareWorkers();
  expect(workers()).toEqual([worker.pid]);
});

it('gives nobody a worker that has loaded another engine, and ends it when one of another engine is forked ahead', async () => {
  await forkAhead(1, 'sqlite');
  const [other] = workers();
  await using worker = await startWorker(noop);
  expect(worker.pid).not.toBe(other);
  await forkAhead(1, 'noop');
  expect(procOf(other!)).toBeNull();
  expect(workers()).toHaveLength(2);
});
