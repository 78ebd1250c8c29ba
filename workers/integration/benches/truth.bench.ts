import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRun } from '#orchestrator/run/run.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { ensureHome, homeOf } from '#platform/paths.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { type Comparison, compareMeans } from '#stats/intervals/compare-means.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { throughput } from '#stats/random/samples.fixture.ts';
import { clearServers, experimentYaml } from '../home.fixture.ts';
import { type Measured, measure, type Times, truthCases } from '../truth/truth.fixture.ts';

/**
 * Whether numbers and claims are true. Dyno measures a server whose service times are drawn from known distributions
 * and that keeps a log: what Dyno reports stands beside the log of the same requests, and beside what queueing theory
 * says of a run without end; what the generator's own lateness (start error) is of a difference is known, too. Then
 * simulated comparisons, and pairs that are known not to differ. Takes about ten minutes; on a quiet machine mean and
 * p99 are within 1 % of the log, p99.9 within 3 %.
 */
const seconds = 40;
const meanMs = 20;
const bounds = { mean: 0.01, p99: 0.01, p999: 0.03 };

const ms = (value: number | null) => (value === null ? '–' : value.toFixed(2)).padStart(8);
const percent = (share: number) => `${share >= 0 ? '+' : ''}${(share * 100).toFixed(2)} %`.padStart(9);
const load = () => loadavg()[0]!.toFixed(2);

/** What Dyno says ÷ what the log says, less one: of the mean, p99 and p99.9. */
const errorsOf = ({ dyno, log }: Measured) => {
  const off = (of: (times: Times) => number) => of(dyno) / of(log) - 1;
  return {
    mean: off((times) => times.meanMs),
    p99: off((times) => times.percentileMs(99)),
    p999: off((times) => times.percentileMs(99.9)),
  };
};

async function queues(): Promise<void> {
  console.log(
    `response times, ms; ${meanMs} ms of service on average, ${seconds} s each\n${'case'.padEnd(58)} requests      log  dyno off   theory      p99  dyno off   theory  p99.9 off  of the mean, start error  load`,
  );
  for (const one of truthCases(meanMs)) {
    const measured = await measure(one, seconds);
    const { dyno, log, startError } = measured;
    const off = errorsOf(measured);
    const counts = dyno.count === log.count ? String(dyno.count) : `${dyno.count} of ${log.count}`;
    const columns = [
      one.name.padEnd(58),
      counts.padStart(8),
      ms(log.meanMs),
      percent(off.mean),
      ms(one.meanMs),
      ms(log.percentileMs(99)),
      percent(off.p99),
      ms(one.p99Ms),
      percent(off.p999).padStart(10),
      (startError === null ? '–' : percent(startError.meanMs / log.meanMs)).padStart(24),
      load(),
    ];
    const isWithin = (['mean', 'p99', 'p999'] as const).every((name) => Math.abs(off[name]) <= bounds[name]);
    console.log(`${columns.join(' ')}${isWithin && dyno.count === log.count ? '' : '  beyond the bounds'}`);
  }
}

/** Wilson 1927: the interval that holds a share with 95 % confidence. */
function interval(found: number, of: number): string {
  const z = 1.959964;
  const middle = (found + z ** 2 / 2) / (of + z ** 2);
  const half = (z / (of + z ** 2)) * Math.sqrt((found * (of - found)) / of + z ** 2 / 4);
  return `${found} of ${of}: ${((100 * found) / of).toFixed(1)} % (${((middle - half) * 100).toFixed(1)}–${((middle + half) * 100).toFixed(1)})`;
}

/** How often a verdict is given where one side is truly `truth` times as fast; repeats scatter by 3 %. */
function verdicts(truth: number, repeats: number, pairs: number): string {
  const random = new Sfc32(repeats * 1_000 + pairs);
  let found = 0;
  for (let i = 0; i < pairs; i++) {
    const side = (scale: number) => throughput(random, repeats, 0.03, scale);
    const { verdict } = compareMeans(side(truth), side(1))!;
    if (truth === 1 ? verdict !== 'notSignificant' : verdict === 'slower') found++;
  }
  return interval(found, pairs);
}

/** Two variants that ought to be equally fast, side by side on a real server. */
async function control(what: string, target: string, rows: number, workload: string, factors: string): Promise<void> {
  const run = await createRun({
    home,
    yaml: experimentYaml({
      rows: String(rows),
      columns: '{ id: { type: uuid4 }, payload: { type: text, length: 100 } }',
      workload,
      factors,
      targets: `[${target}]`,
      measure: '{ until: { seconds: 3 }, repeats: 8, warmupSeconds: 0.5 }',
    }),
  });
  const results: TrialResult[] = [];
  run.on('record', (record) => void (record.record === 'result' && results.push(record.result)));
  const { status, error } = await run.start();
  const sides = [...Map.groupBy(results, ({ variant }) => variant)];
  const [one, other] = sides.map(([, all]) => all.filter((result) => result.status === 'ok').map(throughputOf));
  const found: Comparison | null = one && other ? compareMeans(one, other) : null;
  if (found === null) console.log(`${what.padEnd(58)} ${status} ${error?.message ?? results[0]?.error?.message ?? ''}`);
  else
    console.log(
      `${what.padEnd(58)} ${sides.map(([variant]) => variant).join(' ÷ ')}: ${found.ratio.value.toFixed(3)} (${found.ratio.low?.toFixed(3)}–${found.ratio.high?.toFixed(3)}), ${found.verdict}; load ${load()}`,
    );
}

const folder = mkdtempSync(join(tmpdir(), 'dyno-truth-'));
const home = homeOf({ DYNO_HOME: join(folder, 'home') });
ensureHome(home);
try {
  await queues();
  console.log('\nsimulated pairs, repeats scatter by 3 %; share with a verdict, 95 % interval');
  for (const repeats of [3, 5, 10])
    console.log(`${repeats} repeats, no difference`.padEnd(58), verdicts(1, repeats, 400));
  for (const repeats of [3, 5, 10])
    console.log(`${repeats} repeats, 10 % slower`.padEnd(58), verdicts(1 / 1.1, repeats, 400));
  console.log('\nnegative controls: throughput of one ÷ the other');
  const insert = '{ operation: insert, method: multiRow, rowsPerCall: 100 }';
  await control(
    'uuid4 and uuid7 while the index is in memory',
    'embedded-postgres',
    20_000,
    insert,
    '{ keyKind: [uuid4, uuid7] }',
  );
  await control(
    'MongoDB, ordered and unordered on one node',
    'local-mongodb',
    20_000,
    '{ operation: insert, method: bulk, rowsPerCall: 100 }',
    '{ mongodb.ordered: [true, false] }',
  );
} finally {
  await clearServers(home);
  rmSync(folder, { recursive: true, force: true });
}
