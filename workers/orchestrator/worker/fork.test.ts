import { expect, test } from 'vitest';
import type { LoadHost } from '#load-hosts/load-host.ts';
import { localHost } from '#load-hosts/local-host.ts';
import { endAllWorkers, startWorker } from './fork.ts';

test('a killed worker whose end never comes does not hold up a process that will exit', async () => {
  let kills = 0;
  const deaf: LoadHost = {
    ...localHost,
    startWorker(listener) {
      setImmediate(() => {
        listener.message({ type: 'hello', pid: 0 });
        listener.message({ type: 'ready' });
      });
      const kill = () => {
        kills++;
      };
      return { pid: 0, hasEnded: false, send() {}, kill };
    },
  };
  await startWorker({ role: 'client', engine: 'noop', config: { label: 'noop' }, tag: 'test', secrets: [] }, deaf);
  await endAllWorkers(0);
  expect(kills).toBe(1);
});
