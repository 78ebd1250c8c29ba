import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type Comparison, compareMeans, isDifference } from '#stats/intervals/compare-means.ts';
import { mean, variationOf } from '#stats/intervals/summary.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { throughput } from '#stats/random/samples.fixture.ts';
import { clearServers } from '../home.fixture.ts';
import { shareOf } from './error-rate.fixture.ts';
import { runParts } from './parts.fixture.ts';

/**
 * Measures the error rates of verdicts with real trials: the share of differences claimed between two names of one
 * server (A/A), and the share of real 10 % slow-downs that are found. Runs of many interleaved repeats are split into
 * comparisons of a few neighbouring repeats, as in an experiment with this number of repeats. Each rate is printed
 * beside the rate of simulated repeats with the same scatter. All parts take some ten minutes on an idle machine.
 */
const folder = mkdtempSync(join(tmpdir(), 'dyno-aa-'));
const home = homeOf({ DYNO_HOME: join(folder, 'home') });
ensureHome(home);

interface Parts {
  readonly targets: string;
  readonly workload?: string;
  readonly factors?: string;
  readonly repeats: number;
  readonly seed?: number;
}

const experiment = (parts: Parts): string => `dyno: 1
name: A/A
question: How often is a difference claimed?
dataset:
  rows: 1000
  key: id
  columns:
    id: { type: sequence }
    payload: { type: text, length: 20 }
workload: ${parts.workload ?? '{ operation: readByKey, method: prepared }'}
${parts.factors ? `factors: ${parts.factors}` : ''}
targets: ${parts.targets}
measure: { until: { seconds: 0.2 }, repeats: ${parts.repeats}, warmupSeconds: 0.1, seed: ${parts.seed ?? 1} }
`;

/** Results of the good trials, in order. */
async function resultsOf(yaml: string, variables = process.env): Promise<readonly TrialResult[]> {
  const run = await newTrustedRun({ home, yaml, variables });
  const results: TrialResult[] = [];
  run.on('record', (record) => {
    if (record.record === 'result') results.push(record.result);
  });
  const { status, failedTrials } = await run.start();
  const why = results.find(({ error }) => error !== null)?.error?.message ?? '';
  if (status !== 'complete' || failedTrials > results.length / 10)
    throw new Error(`${status}, ${failedTrials} failed trials: ${why}`);
  return results.filter((result) => result.status === 'ok');
}

type Side = (result: TrialResult) => boolean;

/** Comparisons of side a with side b, `size` neighbouring repeats each. */
function compared(results: readonly TrialResult[], a: Side, b: Side, size: number): readonly Comparison[] {
  const [own, other] = [results.filter(a).map(throughputOf), results.filter(b).map(throughputOf)];
  const pairs = Math.floor(Math.min(own.length, other.length) / size);
  return Array.from({ length: pairs }, (_, i) => {
    const part = (rates: readonly number[]) => rates.slice(i * size, (i + 1) * size);
    return compareMeans(part(own), part(other));
  }).filter((one) => one !== null);
}

/**
 * The share of simulated comparisons that claim a difference if side a is `truth` times as fast, with this scatter of
 * the repeats.
 */
function simulated(cv: number, truth: number, size: number): number {
  const random = new Sfc32(size);
  const runs = 1_000;
  let claimed = 0;
  for (let i = 0; i < runs; i++) {
    const { verdict } = compareMeans(throughput(random, size, cv, truth), throughput(random, size, cv, 1))!;
    if (verdict !== 'notSignificant') claimed++;
  }
  return claimed / runs;
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

function report(what: string, truth: number, size: number, all: readonly Comparison[], cv: number): void {
  const claimed = all.filter(({ verdict }) => isDifference(verdict));
  const right = claimed.filter(({ verdict }) => truth !== 1 && verdict === (truth < 1 ? 'slower' : 'faster'));
  const found = truth === 1 ? claimed.length : right.length;
  const holding = all.filter(({ ratio }) => ratio.low! <= truth && truth <= ratio.high!);
  const columns = [
    what.padEnd(44),
    String(size).padStart(2),
    `${found} of ${all.length}: ${shareOf(found, all.length)}`.padStart(30),
    percent(simulated(cv, truth, size)).padStart(9),
    `${holding.length} of ${all.length}`.padStart(9),
    percent(cv).padStart(7),
    truth.toFixed(3).padStart(6),
  ];
  console.log(columns.join('  '));
}

/**
 * The speed of side a as a multiple of side b's, over all repeats. Both sides have other costs per call, so 10 % more
 * sleep is slightly less than 10 % more time per call.
 */
function inTheLongRun(results: readonly TrialResult[], a: Side, b: Side): number {
  const rate = (side: Side) => mean(results.filter(side).map(throughputOf));
  return rate(a) / rate(b);
}

/** Typical scatter of neighbouring repeats, because a comparison does not include the drift over the whole run. */
function scatter(results: readonly TrialResult[], side: Side): number {
  const groups = Map.groupBy(results.filter(side), ({ repeat }) => Math.floor((repeat - 1) / 5));
  const squares = [...groups.values()].map((group) => (variationOf(group.map(throughputOf)) ?? 0) ** 2);
  return Math.sqrt(squares.reduce((sum, one) => sum + one, 0) / squares.length);
}

const on =
  (target: string | null, level?: string): Side =>
  (result) =>
    (target === null || result.target === target) && (level === undefined || result.variant.endsWith(`=${level}`));

/** Prints how often a slow-down of 10 % is found on another machine, for this number of repeats and this scatter. */
async function expected(): Promise<void> {
  const sizes = [3, 5, 10];
  console.log(
    `\nsimulated: 10 % slower, found with   ${sizes.map((size) => `${size} repeats`.padStart(10)).join('  ')}`,
  );
  for (const cv of [0.01, 0.02, 0.05, 0.1]) {
    const found = sizes.map((size) => percent(simulated(cv, 100 / 110, size)).padStart(10));
    console.log(`  repeats scatter by ${percent(cv).padStart(6)}           ${found.join('  ')}`);
  }
}

/**
 * A separate database in which an insert takes little more than a fixed time: a trigger on every table sleeps for each
 * row, because processor time would depend on other work of the machine.
 */
async function databaseOf(raw: Readonly<Record<string, unknown>>, name: string, sleepMs: number): Promise<void> {
  const run = async (database: unknown, ...statements: readonly string[]) => {
    await using client = await connectedClient({ ...raw, database });
    for (const statement of statements) await client.query(statement);
  };
  await run(raw.database, `CREATE DATABASE ${name}`);
  await run(
    name,
    `CREATE FUNCTION work() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN PERFORM pg_sleep(${sleepMs / 1_000}); RETURN NEW; END $$`,
    `CREATE FUNCTION have_work() RETURNS event_trigger LANGUAGE plpgsql AS $$
       DECLARE made record;
       BEGIN
         FOR made IN SELECT object_identity FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table' LOOP
           EXECUTE format('CREATE TRIGGER work BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION public.work()', made.object_identity);
         END LOOP;
       END $$`,
    "CREATE EVENT TRIGGER have_work ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION have_work()",
  );
}

/** Passes the targets' password in a variable, so that the experiment does not contain it. */
const withPassword = (password: unknown) => ({ ...process.env, DYNO_AA_PASSWORD: String(password) });
const target = (server: TestServer, name: string, database: unknown): string => {
  const { host, port, user } = server.admin;
  return `{ name: ${name}, engine: postgres, host: ${host}, port: ${port}, user: ${user}, password: '\${env:DYNO_AA_PASSWORD}', database: ${database}, sessionSettings: { synchronous_commit: 'off' } }`;
};

/**
 * 40 comparisons of one PostgreSQL with itself under another name, in runs of five, each printed with the runs before.
 */
async function pairs(): Promise<void> {
  await using server = await startTestServer();
  const { database, password } = server.admin;
  const [wanted, pairsOfRun, size] = [40, 5, 5];
  const all: Comparison[] = [];
  const results: TrialResult[] = [];
  for (let run = 1; all.length < wanted; run++) {
    const own = await resultsOf(
      experiment({
        targets: `[${target(server, 'one', database)}, ${target(server, 'other', database)}]`,
        repeats: pairsOfRun * size,
        seed: run,
      }),
      withPassword(password),
    );
    results.push(...own);
    all.push(...compared(own, on('one'), on('other'), size));
    report('one PostgreSQL, two names, reads by key', 1, size, all, scatter(results, on('one')));
  }
}

/** A PostgreSQL with a second database in which each row takes a tenth longer. */
async function slower(): Promise<void> {
  await using server = await startTestServer();
  await databaseOf(server.admin, 'usual', 10);
  await databaseOf(server.admin, 'slower', 11);
  const results = await resultsOf(
    experiment({
      targets: `[${target(server, 'one', 'usual')}, ${target(server, 'slower', 'slower')}]`,
      workload: '{ operation: insert, method: prepared }',
      repeats: 100,
    }),
    withPassword(server.admin.password),
  );
  const cv = scatter(results, on('one'));
  const truth = inTheLongRun(results, on('slower'), on('one'));
  for (const size of [3, 5, 10]) {
    const found = compared(results, on('slower'), on('one'), size);
    report('PostgreSQL, 11 ms a row instead of 10', truth, size, found, cv);
  }
}

async function noop(): Promise<void> {
  const work = await resultsOf(
    experiment({
      targets: '[{ name: one, engine: noop }, { name: other, engine: noop }]',
      factors: '{ noop.workUs: [100, 110] }',
      repeats: 60,
    }),
  );
  const cv = scatter(work, on('one', '100'));
  const truth = inTheLongRun(work, on(null, '110'), on(null, '100'));
  const equals = ['100', '110'].flatMap((level) => compared(work, on('one', level), on('other', level), 5));
  report('one no-op engine, two names', 1, 5, equals, cv);
  for (const size of [3, 5, 10]) {
    const found = ['one', 'other'].flatMap((name) => compared(work, on(name, '110'), on(name, '100'), size));
    report('no-op engine, 110 µs of work instead of 100', truth, size, found, cv);
  }
}

try {
  console.log(
    'comparison                                     n      claimed, share (95 %)  simulated   interval  cv of a    truth\n                                                          (truth ≠ 1: found)             holds truth   repeat',
  );
  await runParts({ pairs, slower, noop, expected });
} finally {
  await clearServers(home);
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
