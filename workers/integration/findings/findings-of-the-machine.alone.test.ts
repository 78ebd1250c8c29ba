import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createRunReader } from '#analysis/journal/read-run.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { holdServer } from '#managed-servers/supervisor-client.ts';
import { sharedHome } from '../shared-home.fixture.ts';
import { evidenceOf, expectCells, journals, provoke, shownOf } from './findings-on-servers.fixture.ts';

/** These tests run other programs beside a run. Only Linux reports waits of a process for a processor. */
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

describe.skipIf(process.platform !== 'linux' || isSkipped('embedded-postgres'))(
  'an open load of a queue beside busy loops',
  () => {
    const test = sharedHome((home) => holdServer(home, postgres)); // It would take long to start beside the loops.
    let loops: readonly ChildProcess[] = [];
    // Enough programs that each processor is always busy, whatever the machine's other work.
    beforeAll(() => {
      loops = Array.from({ length: 2 * availableParallelism() }, () =>
        spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
      );
    });
    afterAll(() => {
      for (const loop of loops) loop.kill('SIGKILL');
    });

    const lastRun = (): RunModel => {
      const reader = createRunReader();
      for (const line of readFileSync(journals(test.home).at(-1)!, 'utf8').split('\n'))
        if (line) reader.add(JSON.parse(line));
      return reader.model();
    };

    it('warns that the machine was short of processors, and names the loops', async () => {
      const found = await provoke(test.home, {
        workload:
          '{ operation: statement, method: literal, load: open, arrivals: poisson, arrivalsPerSecond: 600, connections: 8 }',
        // M/M/8 at 75 %: a mean of 10 ms, exponentially distributed. The client wakes a thousand times a second.
        statements: '{ work: { text: "SELECT pg_sleep(-0.01 * ln(1 - random()))" } }',
        targets: '[embedded-postgres]',
        measure: '{ until: { seconds: 5 }, repeats: 1, warmupSeconds: 0.3 }',
      });
      expectCells(found, 'machineStarved', ['default on embedded-postgres']);
      const [claim] = shownOf(found, 'machineStarved');
      expect(evidenceOf(claim, 'Waited for a processor')).toBeGreaterThan(0.1);
      expect(claim?.claim).toMatch(/Dyno’s own processes used .*, its managed servers .*\. Beside them ran /);
      const { caveats, trials } = lastRun();
      expect(caveats.map(({ title }) => title)).toContain('Short of processors');
      const { others, managedServersMs } = trials[0]!.result!.machine!;
      expect(managedServersMs).toBeGreaterThan(0);
      const busy = others!.find(({ name }) => name === basename(process.execPath));
      expect(busy?.processes).toBeGreaterThanOrEqual(loops.length);
      expect(busy?.cpuMs).toBeGreaterThan(2_000);
    });
  },
);
