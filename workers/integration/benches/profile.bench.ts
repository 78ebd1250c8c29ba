import { report } from '#engines/shared/bench-report.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { OwnCalls } from './calls.fixture.ts';
import { type Part, parts, profileProcess, samplesOf, youngestChild } from './cpu-profile.fixture.ts';
import { mongodbCalls, oracleCalls } from './driver-calls.fixture.ts';
import { mysqlCalls } from './mysql-calls.fixture.ts';
import { postgresCalls } from './postgres-calls.fixture.ts';

/**
 * The microseconds of a call, or of a transaction, by function: the client process of a whole trial is sampled while it
 * measures.
 */
const wanted = process.env.DYNO_BENCH_CASE ?? '';
const profileMs = 4_000;

interface CallProfile {
  /** The processor's system time: reading, writing, waiting for sockets. */
  readonly systemUs: number;
  readonly userUs: number;
  /** The user time by part. */
  readonly partUs: ReadonlyMap<Part, number>;
}

async function profileOf(one: OwnCalls, path: readonly string[]): Promise<CallProfile> {
  const run = await newTrustedRun(one.run(1, ['measure.until.seconds=7', ...path]));
  const profile = Promise.withResolvers<ReadonlyMap<Part, number>>();
  const results: TrialResult[] = [];
  let begun = false;
  run.on('record', (record) => {
    if (record.record === 'result') results.push(record.result);
    if (record.record !== 'snapshot' || begun) return;
    begun = true;
    const nodes = profileProcess(youngestChild('worker.'), profileMs);
    nodes.then((all) => profile.resolve(samplesOf(all)), profile.reject);
  });
  await run.start();
  const [result] = results;
  if (!result || result.error) throw new Error(result?.error?.message ?? 'The trial has no result.');
  const { health, totals } = result;
  const samples = await profile.promise;
  const all = [...samples.values()].reduce((sum, n) => sum + n, 0);
  const each = (ms: number) => (ms * 1_000) / totals.calls;
  const userUs = each(health.cpuUserMs);
  return {
    systemUs: each(health.cpuSystemMs),
    userUs,
    partUs: new Map([...samples].map(([part, n]) => [part, (n / all) * userUs])),
  };
}

/** The call paths of an engine, with the headings of their columns. Null: the engine has one path. */
type Paths = readonly (readonly [path: string | null, column: string])[];

const bothPaths: Paths = [
  ['driver', 'the driver’s path'],
  ['lean', 'the lean path'],
];

interface ProfiledCalls extends AsyncDisposable {
  readonly engine: string;
  readonly paths?: Paths;
  readonly cases: readonly OwnCalls[];
}

const all: readonly (() => Promise<ProfiledCalls>)[] = [postgresCalls, mysqlCalls, mongodbCalls, oracleCalls];
for (const open of all) {
  await using calls = await open();
  const { paths = bothPaths } = calls;
  const cases = calls.cases.filter(({ name }) => name.includes(wanted));
  for (const one of cases) {
    for (const [path, column] of paths) {
      const { systemUs, userUs, partUs } = await profileOf(
        one,
        path === null ? [] : [`workload.options={ "${calls.engine}.path": ${path} }`],
      );
      console.log(`\n${one.title}, ${column}: ${(systemUs + userUs).toFixed(2)} µs of the client’s processor a call`);
      const line = (part: string, us: number) => console.log(`  ${part.padEnd(34)} ${us.toFixed(2).padStart(7)}`);
      const partsUs = Object.fromEntries([
        ['system calls', systemUs],
        ...parts.map((part) => [part, partUs.get(part) ?? 0]),
      ]);
      for (const [part, us] of Object.entries(partsUs)) line(part, us as number);
      report({ table: 'profile', row: one.title, column, partsUs });
    }
  }
}
