import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { testHome } from '#integration/home.fixture.ts';
import { heldServerPids } from '#managed-servers/supervisor-client.ts';
import { childPids } from '#platform/processes.fixture.ts';
import { requestEnd, runsGoingOn, watchForEnd } from './end-now.ts';
import { deadRunsTables } from './leftovers.ts';
import { newRun, once } from './run.fixture.ts';

// Real processes and servers, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

/**
 * Time in ms for which a cancelled run waits for workers whose server is silent (clients.ts). The immediate end does
 * not wait.
 */
const politeMs = 8_000;

describe('the end of everything', () => {
  it('comes also where an earlier one was asked for by a clock that was ahead', async () => {
    await using test = testHome();
    requestEnd(test.home);
    const [file] = readdirSync(test.home.state).filter((name) => name.startsWith('end-now'));
    utimesSync(join(test.home.state, file!), new Date(), new Date(Date.now() + 86_400_000));
    const ended = Promise.withResolvers<void>();
    using _ = watchForEnd(test.home, ended.resolve);
    requestEnd(test.home);
    await ended.promise;
  });

  it.skipIf(isSkipped('mysql'))('comes for a server that has stopped, and is asked for by any process', async () => {
    await using test = testHome();
    const { run, records, results } = await newRun(test, {
      rows: '1000000',
      workload: '{ operation: insert, connections: 4, processes: 2 }',
      targets: '[local-mariadb]',
      measure: '{ repeats: 3, until: { seconds: 60 } }',
    });
    let asked = 0;
    let pids: readonly number[] = [];
    once(
      run,
      ({ record }) => record === 'snapshot',
      () => {
        pids = heldServerPids();
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        expect(runsGoingOn(test.home)).toBe(1);
        asked = performance.now();
        requestEnd(test.home);
      },
    );
    try {
      const outcome = await run.start();
      const took = performance.now() - asked;
      expect(pids.length).toBeGreaterThan(0);
      expect(outcome).toMatchObject({ status: 'cancelled', error: null });
      expect(results().map(({ status }) => status)).toEqual(['cancelled']);
      // The server is still suspended, so nobody has waited for it.
      expect(took).toBeLessThan(politeMs);
      expect(childPids('workers/worker.')).toEqual([]);
      expect(runsGoingOn(test.home)).toBe(0);
      // A table that could not be dropped stays recorded, and a server that does not answer reports no session.
      expect(deadRunsTables(test.home)).toHaveLength(1);
      expect(records).toContainEqual(expect.objectContaining({ record: 'sessions', left: null }));
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  });

  it.skipIf(isSkipped('mysql'))('comes soon for a cancelled run whose server has stopped', async () => {
    await using test = testHome();
    const { run, records, results } = await newRun(test, {
      targets: '[local-mariadb]',
      measure: '{ repeats: 3, until: { seconds: 60 } }',
    });
    let asked = 0;
    let pids: readonly number[] = [];
    once(
      run,
      ({ record }) => record === 'snapshot',
      () => {
        pids = heldServerPids();
        for (const pid of pids) process.kill(pid, 'SIGSTOP');
        asked = performance.now();
        run.cancel();
      },
    );
    try {
      expect(await run.start()).toMatchObject({ status: 'cancelled', error: null });
      expect(performance.now() - asked).toBeLessThan(politeMs);
      expect(results().map(({ status }) => status)).toEqual(['cancelled']);
      expect(childPids('workers/worker.')).toEqual([]);
      expect(deadRunsTables(test.home)).toHaveLength(1);
      expect(records).toContainEqual(expect.objectContaining({ record: 'sessions', left: null }));
    } finally {
      for (const pid of pids) process.kill(pid, 'SIGCONT');
    }
  });

  it('is the run’s own where free space falls below the limit: tables are dropped, and the reason is told', async () => {
    await using test = testHome();
    const { run, records, results } = await newRun(test, {
      targets: '[sqlite]',
      // No disk has this much free space.
      measure: '{ repeats: 2, leastFreeMib: 1000000000 }',
    });
    expect(await run.start()).toMatchObject({ error: null, status: 'cancelled' });
    expect(records).toContainEqual(
      expect.objectContaining({ record: 'halted', reason: expect.stringMatching(/sqlite has .* free .*leastFreeMib/) }),
    );
    expect(results().map(({ status, error }) => [status, error?.message])).toEqual([
      ['cancelled', expect.stringMatching(/sqlite has .* free/)],
    ]);
    expect(deadRunsTables(test.home)).toEqual([]);
  });
});
