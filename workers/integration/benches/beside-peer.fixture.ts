import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { config, type PostgresConfig } from '#engines/postgres/config.ts';
import { peerEnvironment } from '#engines/postgres/peers.ts';
import { applyOverrides } from '#experiment/experiment-file.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import { createRun } from '#orchestrator/run/run.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type Interval, meanInterval } from '#stats/intervals.ts';
import { mean } from '#stats/summary.ts';

/** One client's operations (or transactions) per second, and processor time for each; null where it is not known. */
export interface ClientRate {
  readonly perSecond: number;
  readonly cpuUs: number | null;
}

/**
 * The trials of an experiment, each followed by the peer's: same server, same minutes. `peer` is told the trial before
 * it, for as many operations. Throws where a trial failed.
 */
export async function besidePeer(
  { home, yaml, variables }: { readonly home: Home; readonly yaml: string; readonly variables: NodeJS.ProcessEnv },
  peer: (trial: TrialResult) => Promise<ClientRate>,
  callsPerOperation = 1,
): Promise<readonly { readonly ours: ClientRate; readonly theirs: ClientRate }[]> {
  const run = await createRun({ home, yaml, variables });
  const pairs: { ours: ClientRate; theirs: ClientRate }[] = [];
  let last: Promise<void> = Promise.resolve();
  run.on('record', (record) => {
    if (record.record !== 'result') return;
    // The next trial waits.
    run.pause(true);
    const { result } = record;
    const pair = async (): Promise<void> => {
      const failed = Object.values(result.totals.errors).reduce((sum, n) => sum + n, 0);
      if (result.status !== 'ok' || failed > 0) throw new Error(result.error?.message ?? `${failed} calls failed.`);
      pairs.push({ ours: rateOf(result, callsPerOperation), theirs: await peer(result) });
    };
    last = Promise.all([last, pair()]).then(() => run.pause(false));
    last.catch(() => run.cancel());
  });
  const { error } = await run.start();
  await last;
  if (error) throw new Error(error.message);
  return pairs;
}

const rateOf = (result: TrialResult, callsPerOperation: number): ClientRate => ({
  perSecond: throughputOf(result) / callsPerOperation,
  cpuUs: ((result.health.cpuUserMs + result.health.cpuSystemMs) * 1_000 * callsPerOperation) / result.totals.calls,
});

/** ms of processor of this process' ended children; null but on Linux (proc(5), stat: cutime, cstime, 100 ticks/s). */
function childrenMs(): number | null {
  if (process.platform !== 'linux') return null;
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(13, 15)
    .map(Number);
  return (user! + system!) * 10;
}

/** A PostgreSQL with a schema for the peer's tables, and a home for our runs; all of it goes when disposed. */
export async function benchServer() {
  const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
  const home = homeOf({ DYNO_HOME: join(folder, 'home') });
  ensureHome(home);
  const server = await givenOrTestServer();
  const target = config.parse(server.raw) as PostgresConfig;
  const schema = `dyno_bench_${process.pid}`;
  const { host, port, user, password, database } = target;
  const client = new pg.Client({ host, port, user, database, password: password ?? undefined });
  await client.connect();
  await client.query(`CREATE SCHEMA ${schema}`);
  await client.query(`SET search_path = ${schema}`);
  return {
    target,
    client,
    /** Changes to `experiment`, a file of the gallery. */
    run: (experiment: string, changes: readonly string[]) => ({
      home,
      variables: { ...process.env, DYNO_BENCH_PASSWORD: password ?? '' },
      yaml: applyOverrides(
        readFileSync(new URL(`../../../experiments/${experiment}.dyno.yaml`, import.meta.url), 'utf8'),
        [
          'baseline=',
          `targets=[{ name: server, engine: postgres, host: ${host}, port: ${port}, user: ${user}, database: ${database}, password: '\${env:DYNO_BENCH_PASSWORD}', sessionSettings: { synchronous_commit: 'off' } }]`,
          'workload.generation=inline',
          // Peers are compiled before they start; our runtime compiles what turns out to be hot.
          'measure.warmupSeconds=3',
          ...changes,
        ],
      ),
    }),
    /** The peer's: its tables are found in the schema, its commits do not wait for the log either. */
    environment: {
      ...peerEnvironment(target),
      PGOPTIONS: `-c search_path=${schema} -c synchronous_commit=off`,
    },
    async [Symbol.asyncDispose]() {
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Runs a program to its end; its output, and what it took of the processor, ms. */
export async function runPeer(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly stdout: string; readonly cpuMs: number | null }> {
  const before = childrenMs();
  const { stdout } = await promisify(execFile)(program, args, { env });
  const after = childrenMs();
  return { stdout, cpuMs: before === null || after === null ? null : after - before };
}

/** Ours ÷ theirs of each pair, with the interval of their geometric mean. */
function ratioOf(
  pairs: readonly { readonly ours: ClientRate; readonly theirs: ClientRate }[],
  of: (rate: ClientRate) => number | null,
): Interval | null {
  const logs = pairs.flatMap(({ ours, theirs }) => {
    const [own, other] = [of(ours), of(theirs)];
    return own === null || other === null ? [] : Math.log(own / other);
  });
  const mean = meanInterval(logs);
  return mean?.low == null || mean.high === null
    ? null
    : { n: mean.n, value: Math.exp(mean.value), low: Math.exp(mean.low), high: Math.exp(mean.high) };
}

const ratioWords = (ratio: Interval | null): string =>
  ratio === null ? '–' : `${ratio.value.toFixed(2)} (${ratio.low!.toFixed(2)}–${ratio.high!.toFixed(2)})`;

/** A line about pairs of trials. */
export function printPairs(name: string, peer: string, pairs: Awaited<ReturnType<typeof besidePeer>>, note = ''): void {
  const rate = (of: 'ours' | 'theirs') => `${(mean(pairs.map((pair) => pair[of].perSecond)) / 1_000).toFixed(1)} k/s`;
  console.log(
    `${name.padEnd(12)} ${rate('ours')}, ${peer} ${rate('theirs')}:  throughput ${ratioWords(ratioOf(pairs, (one) => one.perSecond))} ×   ` +
      `client’s processor for each ${ratioWords(ratioOf(pairs, (one) => one.cpuUs))} ×${note && `   (${note})`}`,
  );
}
