import { readdirSync, rmSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import type { Home } from '#platform/paths.ts';
import { allProcs } from '#platform/processes.fixture.ts';
import { experimentYaml } from '../home.fixture.ts';

/** The resources of this process and the home between two runs. */
export interface Held {
  /** Open files, sockets and pipes of this process. */
  readonly files: number;
  readonly processes: number;
  /** Notes of tables on servers, and locks of runs. */
  readonly notes: number;
  /** Objects of this process after a collection, MB. */
  readonly heapMb: number;
  /** Memory of this process, MB. */
  readonly residentMb: number;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Reads the current resources. Needs Linux. */
export function held(home: Home): Held {
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  return {
    files: readdirSync('/proc/self/fd').length,
    processes: allProcs().filter(({ parent, state }) => parent === process.pid && state !== 'Z').length,
    notes: readdirSync(home.state).filter((name) => /^(tables|run)-/.test(name)).length,
    heapMb: heapUsed / 1e6,
    residentMb: rss / 1e6,
  };
}

/** One complete short run on this target; its file is deleted. @throws if the run failed. */
export async function cycle(home: Home, target: string): Promise<void> {
  const run = await newTrustedRun({
    home,
    yaml: experimentYaml({
      rows: '100',
      workload: '{ operation: readByKey }',
      targets: `[${target}]`,
      measure: '{ until: { seconds: 0.1 }, repeats: 1, warmupSeconds: 0 }',
    }),
  });
  const { status, failedTrials } = await run.start();
  if (status !== 'complete' || failedTrials > 0) throw new Error(`A run ended as ${status}, ${failedTrials} failed.`);
  rmSync(run.file);
}

/** The resources that grew between two readings beyond their usual variation; [] if nothing leaks. */
export function grown(first: Held, last: Held, cycles: number): readonly string[] {
  // Heaps settle over some hundred runs, while a leak of each run would accumulate.
  const mostMb = 10 + cycles / 100;
  return [
    ...(['files', 'processes', 'notes'] as const).filter((what) => last[what] > first[what]),
    ...(last.heapMb - first.heapMb > mostMb ? (['heapMb'] as const) : []),
  ].map((what) => `${what}: ${first[what].toFixed(0)} → ${last[what].toFixed(0)} after ${cycles} runs`);
}
