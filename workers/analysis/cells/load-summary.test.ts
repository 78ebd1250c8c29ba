import { expect, test } from 'vitest';
import { defaultSettings, type Settings } from '#model/settings/settings.ts';
import { emptyResult, mergeLoads, noCalls } from '#orchestrator/worker/merge-results.ts';
import { fellBehind, haveFallenBehind } from '#planning/rates/load-rates.ts';
import type { LoadCounts, TrialResult } from '#protocol/measurement.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import type { CellRun } from '../caveats/cell-caveat.ts';
import { behind, generatorLate, paced } from '../caveats/load-caveats.ts';
import { timesOf } from '../run-model/journal-parts.fixture.ts';
import type { CellSummary, LoadSummary } from '../run-model/run-model.ts';
import { latencyTitle, loadLatencyText, loadSummary } from './load-summary.ts';

const histogram = (ms: number, count: number): string => timesOf([ms, count]);

const counts = (more: Partial<LoadCounts> = {}): LoadCounts => ({
  arrivals: 2_000,
  ended: 2_000,
  failed: 0,
  afterwards: 0,
  unfinished: 0,
  responseMs: 20_000,
  thinkMs: 0,
  waiting: 0,
  response: histogram(10, 2_000),
  sinceStart: histogram(9.9, 2_000),
  startError: histogram(0.1, 2_000),
  wait: histogram(4, 2_000),
  ...more,
});

const trial = (load: LoadCounts, elapsedMs = 10_000, service = histogram(6, load.ended)): TrialResult => ({
  ...emptyResult,
  number: 1,
  repeat: 1,
  variant: 'default',
  target: 'server',
  status: 'ok',
  error: null,
  elapsedMs,
  totals: { ...noCalls, calls: load.ended, service, load },
});

const open: Partial<Settings> = { load: 'open', arrivalsPerSecond: 200, connections: 4 };
const summary = (all: readonly TrialResult[], settings: Partial<Settings> = open, inProcess = false): LoadSummary => {
  const made = loadSummary(all, { ...defaultSettings, ...settings }, 10, inProcess);
  if (made === null) throw new Error('A load was expected.');
  return made;
};
/** The function reads these members alone. */
const cell = (load: LoadSummary | null) => ({ variant: 'default', target: 'server', ok: 1, load }) as CellSummary;

test('the offered rate counts arrivals, and the achieved rate counts finished units over the whole time', () => {
  const found = summary([trial(counts()), trial(counts({ arrivals: 2_200, ended: 2_200, afterwards: 10 }), 11_000)]);
  expect(found.offeredPerSecond).toBeCloseTo(210);
  expect(found.achievedPerSecond).toBeCloseTo(200);
  expect(found.backlog).toBe(5);
  expect(found.response.p50).toBeCloseTo(10, 1);
  expect(found.wait.p50).toBeCloseTo(4, 1);
  expect(found.service.p50).toBeCloseTo(6, 1);
});

test('a growing backlog is reported, and the last answers after the last arrivals are not', () => {
  expect(fellBehind(summary([trial(counts({ afterwards: 12 }), 10_020)]))).toBe(false);
  const overloaded = summary([trial(counts({ arrivals: 4_000, ended: 3_000, unfinished: 1_000 }), 20_000)]);
  expect(fellBehind(overloaded)).toBe(true);
  expect(behind(cell(overloaded))?.text).toMatch(/1.000 were given up/);
  expect(behind(cell(summary([trial(counts())])))).toBeNull();
});

test('abandoned units count as longer than all finished ones', () => {
  const { response, wait, startError } = summary([trial(counts({ arrivals: 4_000, ended: 3_000, unfinished: 1_000 }))]);
  expect(response.p50).toBeCloseTo(10, 1);
  expect([response.p90, response.p99, response.max, response.mean]).toEqual([null, null, null, null]);
  expect(wait.p99).toBeNull();
  expect(startError.p99).not.toBeNull();
});

test('a search takes a load for too high where so much was given up that its 99th percentile is not known', () => {
  const settings = { ...defaultSettings, ...open };
  const givenUp = (unfinished: number) => trial(counts({ ended: 2_000 - unfinished, unfinished }));
  expect(haveFallenBehind([givenUp(10)], settings, 10)).toBe(false);
  expect(haveFallenBehind([givenUp(30)], settings, 10)).toBe(true);
  expect(fellBehind(summary([givenUp(30)]))).toBe(false);
});

test('the load sets the throughput of who does all that it asks for', () => {
  expect(summary([trial(counts())]).setsThroughput).toBe(true);
  expect(summary([trial(counts({ arrivals: 4_000, ended: 3_000, unfinished: 1_000 }))]).setsThroughput).toBe(false);
  const closed = { users: 50, connections: 4 };
  // Responses take 10 ms of each cycle.
  const thinking = (eachMs: number, more: Partial<LoadCounts> = {}) =>
    trial(counts({ thinkMs: 2_000 * eachMs, ...more }));
  expect(summary([thinking(1_000)], { ...closed, thinkMs: 1_000 }).setsThroughput).toBe(true);
  const oneGivenUp = thinking(1_000, { ended: 1_999, unfinished: 1 });
  expect(summary([oneGivenUp], { ...closed, thinkMs: 1_000 }).setsThroughput).toBe(true);
  expect(summary([thinking(100)], { ...closed, thinkMs: 100 }).setsThroughput).toBe(false);
  expect(summary([thinking(0)], { ...closed, thinkMs: 0 }).setsThroughput).toBe(false);
  const run = (measure: object) => ({ run: { plan: { measure } } }) as CellRun;
  const open = cell(summary([trial(counts())]));
  expect(paced(open, run({}))?.text).toContain('All work that arrived was completed');
  expect(paced(open, run({ search: {} }))).toBeNull();
  expect(paced(cell(summary([thinking(100)], { ...closed, thinkMs: 100 })), run({}))).toBeNull();
  // Pauses between the steps of scenarios count as well.
  const inScenarios = summary([thinking(400)], { ...closed, thinkMs: 0 });
  expect(inScenarios.setsThroughput).toBe(true);
  expect(paced(cell(inScenarios), run({}))?.text).toMatch(/users then thought for 400\sms on average/);
});

test('a generator is late where late starts make a percentile of the response times more than a tenth longer', () => {
  /** A cell of 2,000 units that take `ms` each, of which `late` start later. */
  const found = (ms: number, lateMs: number, late: number, inProcess = false) => {
    const [onTime, startError] = [histogram(ms, 2_000), timesOf([0.01, 2_000 - late], [lateMs, late])];
    const response = timesOf([ms + 0.01, 2_000 - late], [ms + lateMs, late]);
    return cell(summary([trial(counts({ startError, response, sinceStart: onTime }))], open, inProcess));
  };
  const isLate = (...given: Parameters<typeof found>) => generatorLate(found(...given)) !== null;
  expect(isLate(10, 5, 2_000), 'all start late').toBe(true);
  expect(isLate(10, 5, 40), 'two of a hundred: p99 is longer').toBe(true);
  expect(isLate(10, 5, 10), 'five of a thousand: no percentile is longer').toBe(false);
  expect(isLate(500, 5, 2_000), 'by a hundredth').toBe(false);
  expect(isLate(2, 0.5, 2_000), 'within the scatter of schedulers').toBe(false);
  // A call that an engine inside the process delayed waited for the engine.
  expect(isLate(10, 5, 2_000, true)).toBe(false);
  expect(generatorLate(found(10, 5, 40))?.text).toMatch(
    /50\.\d\s% longer: one start in a hundred was more than 5\.\d+\sms late/,
  );
});

test('the offered rate of a closed load is the achieved rate', () => {
  const found = summary([trial(counts())], { users: 50, connections: 4, thinkMs: 10 });
  expect(found).toMatchObject({ offeredPerSecond: null, backlog: null });
  expect(fellBehind(found)).toBe(false);
  expect(loadSummary([{ ...trial(counts()), totals: noCalls }], defaultSettings, 10, false)).toBeNull();
});

test('latencies have their own names', () => {
  const own = cell(summary([trial(counts())]));
  expect([latencyTitle([own]), latencyTitle([cell(null)]), latencyTitle([own, cell(null)])]).toEqual([
    'Response time',
    'Service time',
    'Response or service time',
  ]);
  expect(loadLatencyText([own])).toContain('from the intended start');
});

test('loads of several workers add up', () => {
  const merged = mergeLoads([counts({ waiting: 2 }), counts({ waiting: 3, response: histogram(30, 2_000) })]);
  expect(merged).toMatchObject({ arrivals: 4_000, ended: 4_000, waiting: 5, responseMs: 40_000 });
  expect(Histogram.decode(merged.response).count).toBe(4_000);
  expect(Histogram.decode(merged.response).max / 1e6).toBeCloseTo(30, 0);
});
