import { gcInTail } from '#analysis/findings/client/gc-in-tail.ts';
import { concurrencyKnee } from '#analysis/findings/load/concurrency-knee.ts';
import { decaysWithSize } from '#analysis/findings/load/decays-with-size.ts';
import { delayedAck } from '#analysis/findings/network/delayed-ack.ts';
import { fetchSizeTooSmall } from '#analysis/findings/network/fetch-size-too-small.ts';
import { planIgnoresValues } from '#analysis/findings/plans/plan-ignores-values.ts';
import { checkpointDips } from '#analysis/findings/server/checkpoint-dips.ts';
import { commitBound } from '#analysis/findings/server/commit-bound.ts';
import { contention } from '#analysis/findings/server/contention.ts';
import { foreignLock } from '#analysis/findings/server/foreign-lock.ts';
import { hardParsing } from '#analysis/findings/server/hard-parsing.ts';
import { runFacts } from '#analysis/findings/shared/facts.ts';
import type { Rule, Shown } from '#analysis/findings/shared/finding.ts';
import { processTime } from '#analysis/findings/shared/findings.fixture.ts';
import { connectionsOf, withRates } from '#analysis/findings/shared/other-rates.fixture.ts';
import { type SmallCell, type SmallRun, smallRun } from '#analysis/findings/shared/small-run.fixture.ts';
import { typedNull } from '#analysis/findings/statements/typed-null.ts';
import { highVariability } from '#analysis/findings/validity/high-variability.ts';
import { timesOf } from '#analysis/run-model/journal-parts.fixture.ts';
import type { RunModel, TrialSeries, TrialView } from '#analysis/run-model/run-model.ts';
import { planned, step } from '#analysis/server/query-plans.fixture.ts';
import type { Search } from '#experiment/schema/search.ts';
import { searchOn } from '#planning/search/search-on-curve.fixture.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { latencySummary } from '#stats/histogram/percentiles.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { autoregressive, normal } from '#stats/random/samples.fixture.ts';
import { rate, row } from './error-rate.fixture.ts';

/**
 * Simulates runs without the cause to see how often rules make false claims, for the tables of rules in
 * docs/statistics.md. Each rate has its 95 % interval (Wilson 1927). A run's rates, seconds, samples or latencies are
 * made up; the rules are the real ones.
 */

const shownOf = (rule: Rule, model: RunModel): readonly Shown[] =>
  rule.find(runFacts(model)).filter((one) => one.status === 'shown');
const isShown = (rule: Rule, model: RunModel): boolean => shownOf(rule, model).length > 0;

/** The run with another series in each trial. */
const withSeries = (model: RunModel, change: (view: TrialView) => Partial<TrialSeries>): RunModel => ({
  ...model,
  // Facts about a run are cached by its cells.
  cells: [...model.cells],
  trials: model.trials.map((view) => ({ ...view, series: { ...view.series, ...change(view) } })),
});

const cell = { implementation: 'a call', maxRowsPerCall: 10_000, uses: ['fetchSize'] as const };
const methods = { prepared: cell, bind: cell, literal: cell };
const descriptor: SmallRun['descriptor'] = {
  support: { insert: methods, readByKey: methods, readRange: methods },
  nullBindings: { asDecimal: { implementation: 'a decimal', methods: ['prepared'], converts: ['decimal'] } },
};
const columns = {
  id: { type: 'uuid4' },
  amount: { type: 'decimal', precision: 12, scale: 2, nulls: 0.5 },
};
const seconds = (count: number): readonly number[] => Array<number>(count).fill(1_000);
/** Cells with this number of repeats at these levels. */
const template = (
  levels: readonly NonNullable<SmallCell['levels']>[],
  settings: NonNullable<SmallCell['settings']>,
  {
    repeats = 3,
    length = 2,
    ...more
  }: Partial<SmallRun> & { readonly repeats?: number; readonly length?: number } = {},
): RunModel =>
  smallRun({
    cells: levels.map((own) => ({
      levels: own,
      settings,
      trials: Array.from({ length: repeats }, () => ({ perSecond: seconds(length) })),
    })),
    columns,
    descriptor,
    ...more,
  });
const around = (random: Sfc32, cv: number) => Math.exp(cv * normal(random));

row(
  'of two equal variants the rule claims that one is better',
  ...[3, 10].flatMap((cv) => [3, 5].map((n) => `CV ${cv} %, n = ${n}`)),
);
for (const [id, rule, levels, settings] of [
  ['commitBound', commitBound, [{ callsPerCommit: 1 }, { callsPerCommit: 10 }], { operation: 'insert' }],
  ['fetchSizeTooSmall', fetchSizeTooSmall, [{ fetchSize: 1 }, { fetchSize: 100 }], { operation: 'readRange' }],
  ['hardParsing', hardParsing, [{ method: 'literal' }, { method: 'bind' }], { operation: 'insert' }],
  ['typedNull', typedNull, [{ nullBinding: 'asColumn' }, { nullBinding: 'asDecimal' }], { operation: 'insert' }],
] as const)
  row(
    `\`${id}\``,
    ...[0.03, 0.1].flatMap((cv) =>
      [3, 5].map((repeats) => {
        const model = template(levels, settings, { repeats });
        const random = new Sfc32(repeats, cv * 1_000);
        return rate(1_000, () =>
          isShown(
            rule,
            withRates(model, () => 1_000 * around(random, cv)),
          ),
        );
      }),
    ),
  );

/**
 * Two statements of one text with one plan, of which one reads 100,000 rows and the other 100. The mean time of the
 * first is `ratio` times the mean time of the other, and repeats of both scatter.
 */
function ofOneText(ratio: number, cv: number, repeats: number, random: Sfc32): RunModel {
  const of = (code: number) => ({
    text: 'SELECT payload FROM {table} WHERE code = :code',
    parameters: { code: { type: 'oneOf', values: [code] } },
  });
  const calls = (name: string, ms: number) => ({
    ...{ name, kind: 'statement' as const, calls: 100, rows: 100, errors: {}, failed: null },
    service: timesOf([ms * around(random, cv), 100]),
  });
  const plan = (name: string, examinedRows: number) =>
    planned(name, step('Index Scan', { estimatedRows: 33_000, actualRows: 1, examinedRows, loops: 1, table: 'table' }));
  return smallRun({
    cells: [
      {
        settings: { operation: 'statement' },
        trials: Array.from({ length: repeats }, () => ({
          perSecond: seconds(2),
          more: { statements: [calls('frequent', ratio), calls('rare', 1)] },
          queryPlans: [plan('frequent', 100_000), plan('rare', 100)],
        })),
      },
    ],
    descriptor: { support: { statement: methods } },
    more: { statements: { frequent: of(1), rare: of(2) } },
  });
}
row('`planIgnoresValues` of statements whose times are less than twice apart', 'n = 1', 'n = 3', 'n = 5');
for (const ratio of [1, 1.5])
  for (const cv of [0.1, 0.3])
    row(
      `${ratio === 1 ? 'equal times' : `${ratio} times as long`}, CV ${cv * 100} %`,
      ...[1, 3, 5].map((repeats) => {
        const random = new Sfc32(repeats, ratio * 10 + cv * 1_000);
        return rate(1_000, () => isShown(planIgnoresValues, ofOneText(ratio, cv, repeats, random)));
      }),
    );
row(
  'found: 4 times as long, CV 10 %',
  ...[1, 3, 5].map((repeats) => {
    const random = new Sfc32(repeats, 4);
    return rate(200, () => isShown(planIgnoresValues, ofOneText(4, 0.1, repeats, random)));
  }),
);

row('`highVariability` of a cell whose scatter is below its bound', 'n = 3', 'n = 5', 'n = 10');
for (const cv of [0.03, 0.05, 0.08])
  row(
    `CV ${cv * 100} %`,
    ...[3, 5, 10].map((repeats) => {
      const model = template([{}], { operation: 'insert' }, { repeats });
      const random = new Sfc32(repeats, cv * 1_000);
      return rate(1_000, () =>
        isShown(
          highVariability,
          withRates(model, () => 1_000 * around(random, cv)),
        ),
      );
    }),
  );

const scatters = [0.02, 0.05, 0.08, 0.15];
const titles = scatters.map((cv) => `CV ${cv * 100} %`);
row('`concurrencyKnee` of a sweep without one', ...titles);
for (const [title, loads, repeats, curve, isFalse] of [
  ['straight line, 1 to 16 connections, n = 1', [1, 2, 4, 8, 16], 1, (load: number) => load, () => true],
  ['straight line, 1 to 16 connections, n = 3', [1, 2, 4, 8, 16], 3, (load: number) => load, () => true],
  ['straight line, 1 to 64 connections, n = 3', [1, 2, 4, 8, 16, 32, 64], 3, (load: number) => load, () => true],
  [
    'flat from 8 on, said to fall, n = 3',
    [1, 2, 4, 8, 16, 32, 64],
    3,
    (load: number) => Math.min(load, 8),
    ({ claim }: Shown) => claim.includes('becomes slower with more connections'),
  ],
  [
    'flat from 8 on, said to fall, n = 5',
    [1, 2, 4, 8, 16, 32, 64],
    5,
    (load: number) => Math.min(load, 8),
    ({ claim }: Shown) => claim.includes('becomes slower with more connections'),
  ],
] as const)
  row(
    title,
    ...scatters.map((cv) => {
      const model = template(
        loads.map((connections) => ({ connections })),
        { operation: 'readByKey' },
        { repeats },
      );
      const random = new Sfc32(repeats, cv * 1_000 + loads.length);
      return rate(500, () =>
        shownOf(
          concurrencyKnee,
          withRates(model, (view) => 1_000 * curve(connectionsOf(view)) * around(random, cv)),
        ).some(isFalse),
      );
    }),
  );

row('a search finds what is not there, on a straight line', ...titles);
for (const [title, find, to] of [
  ['knee of 1 to 16 connections', 'knee', 16],
  ['knee of 1 to 128 connections', 'knee', 128],
  ['saturation point of 1 to 16 users', 'saturation', 16],
  ['saturation point of 1 to 1,024 users', 'saturation', 1_024],
] as const)
  for (const repeats of [1, 3])
    row(
      `${title}, n = ${repeats}`,
      ...scatters.map((sd) => {
        const search: Search = {
          find,
          setting: find === 'knee' ? 'connections' : 'users',
          from: 1,
          to,
          relativeStep: 0.05,
        };
        return rate(500, (seed) => {
          const { end } = searchOn(search, (load, noise) => ({ throughput: load * noise() }), { sd, seed, repeats });
          return end.reason === 'found' || end.reason === 'atFrom';
        });
      }),
    );

const correlations = [0, 0.3, 0.6, 0.8];
row('`decaysWithSize` of inserts that stay as fast, scatter 5 %', ...correlations.map((rho) => `ρ = ${rho}`));
for (const [length, repeats] of [
  [11, 1],
  [20, 1],
  [20, 3],
  [60, 1],
  [60, 3],
] as const)
  row(
    `${length} s, n = ${repeats}`,
    ...correlations.map((rho) => {
      const model = template([{}], { operation: 'insert' }, { repeats, length });
      const random = new Sfc32(length * 10 + repeats, rho * 10);
      return rate(1_000, () =>
        isShown(
          decaysWithSize,
          withSeries(model, () => ({
            rowsPerSecond: autoregressive(random, length, rho).map((noise) => 1_000 * (1 + 0.05 * noise)),
          })),
        ),
      );
    }),
  );

row('`checkpointDips` where dips come at random, one second in 20', 'every 8 s', 'every 30 s', 'at random, 1 s in 10');
for (const [length, repeats] of [
  [60, 1],
  [60, 3],
  [120, 3],
] as const)
  row(
    `${length} s, n = ${repeats}`,
    ...[
      (_: Sfc32, second: number) => second % 8 === 0,
      (_: Sfc32, second: number) => second % 30 === 0,
      (random: Sfc32) => random.unit() < 0.1,
    ].map((isCheckpoint, kind) => {
      const samples = Array.from({ length: length + 1 }, (_, i) => ({ counters: { checkpoints: i } }));
      const model = smallRun({
        cells: [
          {
            settings: { operation: 'insert' },
            trials: Array.from({ length: repeats }, () => ({ perSecond: seconds(length), samples })),
          },
        ],
        probeInfo: { checkpoints: { unit: 'count', label: 'Checkpoints', role: 'checkpoints' } },
      });
      const random = new Sfc32(length * 10 + repeats, kind);
      return rate(500, () =>
        isShown(
          checkpointDips,
          withSeries(model, ({ series }) => {
            const probe = series.probes.checkpoints!;
            return {
              rowsPerSecond: series.rowsPerSecond.map(
                () => 1_000 * around(random, 0.05) * (random.unit() < 0.05 ? 0.5 : 1),
              ),
              probes: {
                checkpoints: { ...probe, perSecond: probe.atMs.map((_, i) => (isCheckpoint(random, i) ? 1 : 0)) },
              },
            };
          }),
        ),
      );
    }),
  );

/** The observations of a sample of this many sessions, each in a class by its chance. */
function seen(random: Sfc32, sessions: number, chances: Readonly<Record<string, number>>): Record<string, number> {
  const found = Object.fromEntries(Object.keys(chances).map((name) => [name, 0]));
  for (let i = 0; i < sessions; i++) {
    let left = random.unit();
    for (const [name, chance] of Object.entries(chances)) {
      if (left < chance) {
        found[name]!++;
        break;
      }
      left -= chance;
    }
  }
  return found;
}
/** Seconds with one sample of the sessions in each. */
function sampled(connections: readonly number[], length: number): RunModel {
  const gauges = { running: 1, 'wait:Log': 1, 'wait:Lock': 1 };
  return smallRun({
    cells: connections.map((own) => ({
      levels: { connections: own },
      settings: { operation: 'insert' },
      trials: [{ perSecond: seconds(length), samples: Array.from({ length: length + 1 }, () => ({ gauges })) }],
    })),
    probeInfo: {
      running: { unit: 'count', label: 'Running', class: 'cpu' },
      'wait:Log': { unit: 'count', label: 'Log', class: 'log' },
      'wait:Lock': { unit: 'count', label: 'Locks', class: 'lock' },
    },
  });
}
/**
 * The run with samples that are drawn with these chances. `together`: the share of the samples in which all sessions do
 * the same, for instance wait for one lock or one flush.
 */
const resampled = (model: RunModel, random: Sfc32, chances: Readonly<Record<string, number>>, together = 0): RunModel =>
  withSeries(model, (view) => {
    const sessions = connectionsOf(view);
    const all = view.series.atMs.map(() => {
      if (random.unit() >= together) return seen(random, sessions, chances);
      return Object.fromEntries(Object.entries(seen(random, 1, chances)).map(([name, one]) => [name, one * sessions]));
    });
    return {
      gauges: Object.fromEntries(
        Object.keys(chances).map((name) => [
          name,
          { atMs: view.series.atMs, values: all.map((counts) => counts[name]!) },
        ]),
      ),
    };
  });

const lengths = [10, 30, 60];
const log = (share: number) => ({ running: 1 - share, 'wait:Log': share, 'wait:Lock': 0 });
const locks = (share: number) => ({ running: 1 - share, 'wait:Log': 0, 'wait:Lock': share });
const isPossible = ({ confidence }: Shown) => confidence === 'possible';
const always = () => true;
row('sampled sessions', ...lengths.map((length) => `${length} s`));
for (const [title, connections, chances, together, rule, counts] of [
  ['`commitBound`, the log has 35 % of the time of 4 sessions', [4], log(0.35), 0, commitBound, always],
  ['… of 16 sessions, which wait together', [16], log(0.35), 1, commitBound, (one: Shown) => !isPossible(one)],
  ['`contention`, locks have 5 % of the time of 4 sessions', [4], locks(0.05), 0, contention, always],
  ['… of 16 sessions', [16], locks(0.05), 0, contention, always],
  ['… of 16 sessions, which wait together in 3 samples of 10', [16], locks(0.05), 0.3, contention, always],
  ['… of 16 sessions, which wait together', [16], locks(0.05), 1, contention, always],
  [
    '`contention`, locks have 15 % of the time of 1 session and of 8',
    [1, 8],
    locks(0.15),
    0,
    contention,
    (one: Shown) => !isPossible(one),
  ],
  ['found: `contention`, locks have 20 % of the time of 4 sessions', [4], locks(0.2), 0, contention, always],
  ['found: … of 16 sessions', [16], locks(0.2), 0, contention, always],
  ['found: … of 16 sessions, which wait together in 3 samples of 10', [16], locks(0.2), 0.3, contention, always],
] as const)
  row(
    title,
    ...lengths.map((length) => {
      const model = sampled(connections, length);
      const random = new Sfc32(length, connections.length);
      return rate(4_000, () => shownOf(rule, resampled(model, random, chances, together)).some(counts));
    }),
  );
row(
  '`foreignLock`, a lock of another program holds 1 of 4 sessions up for 2 % of the time',
  ...lengths.map((length) => {
    const model = sampled([4], length);
    const random = new Sfc32(length);
    return rate(1_000, () => {
      const met = Array.from({ length }, () => random.unit()).filter((one) => one < 0.02).length;
      const holders = met === 0 ? [] : [{ holder: 'psql', samples: met, waiting: met, heldMs: null }];
      const foreignLocks = { samples: length, named: length, holders };
      return isShown(
        foreignLock,
        withSeries(model, () => ({ foreignLocks })),
      );
    });
  }),
);

/** The run with the latencies of this number of calls. */
function withLatencies(model: RunModel, ms: () => number, calls: number): RunModel {
  const histogram = new Histogram();
  for (let call = 0; call < calls; call++) histogram.record(Math.max(1, Math.round(ms() * 1e6)));
  return {
    ...model,
    cells: model.cells.map((one) => ({
      ...one,
      histogram: histogram.encode(),
      latencyMs: latencySummary(histogram),
    })),
  };
}
const callCounts = [1_000, 10_000];
row('`delayedAck` of honest calls', ...callCounts.map((calls) => `${calls.toLocaleString('en')} calls`));
for (const [title, draw] of [
  ['exponential, mean 40 ms', (random: Sfc32) => -40 * Math.log(1 - random.unit())],
  ['lognormal, median 40 ms, σ 0.3', (random: Sfc32) => 40 * Math.exp(0.3 * normal(random))],
  ['lognormal, median 10 ms, σ 1', (random: Sfc32) => 10 * Math.exp(normal(random))],
  [
    '1 ms, one in 10 of 40 ± 10 ms',
    (random: Sfc32) => (random.unit() < 0.1 ? Math.max(1, 40 + 10 * normal(random)) : Math.exp(0.2 * normal(random))),
  ],
  ['41 ms ± 1 %', (random: Sfc32) => 41 * Math.exp(0.01 * normal(random))],
] as const)
  row(
    title,
    ...callCounts.map((calls) => {
      const model = template([{}], { operation: 'readByKey' });
      const random = new Sfc32(calls);
      return rate(200, () =>
        isShown(
          delayedAck,
          withLatencies(model, () => draw(random), calls),
        ),
      );
    }),
  );

row('`gcInTail` of slow calls that pauses meet by chance', '1 % of the time', '5 % of the time', '20 % of the time');
for (const [title, slowMs] of [
  ['slowest calls of 5 ms', 5],
  ['slowest calls of 50 ms', 50],
] as const)
  row(
    title,
    ...[0.01, 0.05, 0.2].map((paused) => {
      const [wallMs, pauseMs, calls] = [60_000, 10, 100];
      const base = template([{}], { operation: 'readByKey' });
      const random = new Sfc32(slowMs, paused * 100);
      return rate(500, () => {
        const pauses = Math.round((wallMs * paused) / pauseMs);
        const starts = Array.from({ length: pauses }, () => random.unit() * wallMs);
        let [delayed, pausedMs] = [0, 0];
        for (let call = 0; call < calls; call++) {
          const from = random.unit() * wallMs;
          const met = starts.reduce(
            (sum, at) => sum + Math.max(0, Math.min(at + pauseMs, from + slowMs) - Math.max(at, from)),
            0,
          );
          pausedMs += Math.min(slowMs, met);
          if (met > slowMs / 2) delayed++;
        }
        const model: RunModel = {
          ...base,
          cells: base.cells.map((one) => ({ ...one, latencyMs: { ...one.latencyMs, p50: 1, p99: slowMs } })),
          trials: base.trials.slice(0, 1).map((view) => ({
            ...view,
            result: view.result && {
              ...view.result,
              health: {
                ...view.result.health,
                gcMs: pauses * pauseMs,
                processTime: {
                  ...processTime({ otherMs: 5_000 }),
                  wallMs,
                  waitMs: wallMs * 0.4,
                  otherMs: wallMs * 0.6,
                },
                pauses: { gcPauses: pauses, gcLongestMs: pauseMs, loopLongestMs: pauseMs, noProcessorMs: 0 },
                slowest: { calls, ms: calls * slowMs, pausedMs, delayedByPauses: delayed, pauses: delayed },
              },
            },
          })),
        };
        return isShown(gcInTail, model);
      });
    }),
  );
