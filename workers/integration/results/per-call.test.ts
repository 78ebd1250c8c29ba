import { expect, test } from 'vitest';
import { cacheCaveats } from '#analysis/caveats/per-call-caveats.ts';
import { callJournal } from '#analysis/cells/per-call.fixture.ts';
import { perCallSummaries } from '#analysis/cells/per-call.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatRatioInterval } from '#model/format/format.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { cssTheme } from '#presentation/charts/kit/theme.ts';
import { perCallChart } from '#presentation/charts/per-call-chart.ts';
import { perCallTable } from '#presentation/tables/calls/per-call-table.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { perCallSentences } from '#presentation/text/per-call-text.ts';
import type { NumberedCall, TrialResult } from '#protocol/measurement.ts';
import { modelOf, renderSvg, reportOf, results, targets } from './results.fixture.ts';

/** Changes the calls of each trial. */
const calls = (change: (call: NumberedCall, index: number, trial: TrialResult) => NumberedCall) =>
  results((result) =>
    result.perCall ? { ...result, perCall: result.perCall.map((call, i) => change(call, i, result)) } : result,
  );

const model = modelOf(callJournal());
const orderOf = (method: string, target: string, of: RunModel = model) =>
  perCallSummaries(of).find((order) => order.variant.includes(`method=${method}`) && order.target === target)!;

test('each call is averaged over the repeats with its own kind alone', () => {
  const { calls, firstToLast } = orderOf('multiRow', 'PostgreSQL');
  expect(calls.map(({ ms }) => ms!.value)).toEqual([330, 110, 55].map((ms) => expect.closeTo(ms, 6)));
  expect(calls.every(({ ms }) => ms!.n === 2)).toBe(true);
  expect(firstToLast!.value).toBeCloseTo(6, 6);
});

test('the first call after emptying the cache is cold, calls with almost no reads are hot, and calls in between are warm', () => {
  const states = (method: string, target: string) => orderOf(method, target).calls.map(({ state }) => state);
  expect(states('multiRow', 'PostgreSQL')).toEqual(['cold', 'warm', 'hot']);
  expect(states('prepared', 'PostgreSQL')).toEqual(['hot', 'hot', 'hot']);
});

test('how much was read goes by the size of the server’s pages; where it is not known, only nothing at all is hot', () => {
  const states = (pageBytes: number | null, method: string) =>
    orderOf(method, 'PostgreSQL', modelOf(callJournal(pageBytes))).calls.map(({ state }) => state);
  expect(states(32_768, 'multiRow'), '3 of 250 pages').toEqual(['cold', 'warm', 'warm']);
  expect(states(null, 'multiRow')).toEqual(['cold', null, null]);
  expect(states(null, 'prepared')).toEqual(['hot', 'hot', 'hot']);
});

test('a server that counts no pages reports only the cold call', () => {
  const states = (method: string) => orderOf(method, 'SQLite').calls.map(({ state }) => state);
  expect(states('multiRow')).toEqual(['cold', null, null]);
  expect(states('prepared')).toEqual([null, null, null]);
});

test('if new sessions start cold, the first call is cold with any setting', () => {
  const more = { newSessionsAreCold: true, emptyCache: 'new sessions' } as const;
  const change = targets((target) => ({ ...target, descriptor: { ...target.descriptor, ...more } }), 'SQLite');
  const cold = modelOf(callJournal(), change);
  const state = (of: RunModel) => orderOf('prepared', 'SQLite', of).calls[0]!.state;
  expect(state(model)).toBeNull();
  expect(state(cold)).toBe('cold');
  const caveat = cacheCaveats(cold).find(({ title }) => title.startsWith('Cold is'))!;
  expect(caveat.text).toContain('SQLite: new sessions');
});

test('rates and ratios are of the first calls, and no percentile mixes calls', () => {
  const cell = model.cells.find(({ variant, target }) => variant.includes('multiRow') && target === 'PostgreSQL')!;
  expect(cell.elapsedMs!.value).toBeCloseTo(330, 6);
  expect(cell.rowsPerSecond!.value).toBeCloseTo((1_000 / 0.3 + 1_000 / 0.36) / 2, 6);
  expect(cell.latencyMs).toMatchObject({ p50: null, mean: null, count: 0 });
  expect(cell.histogram).toBeNull();
  expect(cell.call).toBeNull();
});

test('a first call that failed is not made up for by the second', () => {
  const failing = (repeats: readonly number[]) =>
    modelOf(
      callJournal(),
      calls((call, i, { repeat }) => (i === 0 && repeats.includes(repeat) ? { ...call, ms: null, rows: 0 } : call)),
    );
  const cellOf = ({ cells }: RunModel) =>
    cells.find(({ variant, target }) => variant.includes('multiRow') && target === 'PostgreSQL')!;
  expect(cellOf(failing([1])).elapsedMs).toMatchObject({ value: expect.closeTo(360, 6), n: 1 });
  const none = failing([1, 2]);
  expect(cellOf(none)).toMatchObject({ rowsPerSecond: null, callsPerSecond: null, elapsedMs: null, ok: 2 });
  expect(renderText(none, { baseline: baselineOf(none) })).not.toMatch(/NaN|Infinity/);
});

test('verdicts compare the first call with the last, for trials that began cold', () => {
  const [first, ...others] = perCallSentences(model);
  expect(first).toMatch(
    /^multiRow · Connections: 1 on PostgreSQL: call 1 \(cold\) took 6\.00× .*as long as call 3 \(hot\)\.$/,
  );
  expect(others).toEqual([expect.stringMatching(/^multiRow · Connections: 1 on SQLite: call 1 \(cold\)/)]);
});

/** The run with slower first calls in one repeat, and the results of this number of repeats. */
const slower = (slow: number, times: number, repeats = Number.POSITIVE_INFINITY) =>
  modelOf(
    [...callJournal()].filter((record) => record.record !== 'result' || record.result.repeat <= repeats),
    calls((call, i, { repeat }) => (i === 0 && repeat === slow ? { ...call, ms: call.ms! * times } : call)),
  );

test('a difference is not significant where the interval holds 1, and significant with the interval of the table', () => {
  const [wide] = perCallSentences(slower(2, 3));
  expect(wide).toContain('(not statistically significant) as long as call 3');
  const apart = slower(2, 1.26);
  const { firstToLast } = perCallSummaries(apart).find(({ emptied }) => emptied)!;
  expect(firstToLast!.low!).toBeGreaterThan(1);
  expect(perCallSentences(apart)[0]).toContain(`took ${formatRatioInterval(firstToLast!)} as long as`);
});

test('one repeat is too few for a verdict', () => {
  const [first] = perCallSentences(slower(2, 1, 1));
  expect(first).toMatch(/: call 1 \(cold\) took 6\.00× \(too few repeats\) as long as call 3 \(hot\)\.$/);
});

test('the first call that reads nothing although the cache was emptied is no cold one', () => {
  const nothing = (delta: NumberedCall['probeDelta']) => Object.fromEntries(Object.keys(delta).map((key) => [key, 0]));
  const warm = modelOf(
    callJournal(),
    calls((call) => ({ ...call, probeDelta: nothing(call.probeDelta) })),
  );
  const titles = (of: RunModel) => cacheCaveats(of).filter(({ title }) => title === 'Not cold');
  expect(titles(warm).map(({ cell }) => cell?.target)).toEqual(['PostgreSQL']);
  expect(titles(model)).toEqual([]);
});

test('window, report and terminal have the calls one by one', () => {
  const rows = perCallTable(model).rows.filter(({ cells }) => cells[1] === 'PostgreSQL');
  expect(rows.map(({ cells }) => Number(cells[2]))).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
  const chart = perCallChart(model, cssTheme);
  for (const row of chart.data.rows) expect(row).toHaveLength(chart.data.columns.length);
  expect(renderSvg(chart).match(/NaN|undefined|Infinity/)).toBeNull();
  expect(reportOf(model)).toContain('id="per-call"');
  expect(renderText(model, { baseline: baselineOf(model) })).toMatch(/Reported per call:\nvariant +target +call/);
});

test('other runs have none of it', () => {
  const plain = modelOf(fixtureJournal({ connections: [1] }));
  expect(perCallSummaries(plain)).toEqual([]);
  expect(cacheCaveats(plain)).toEqual([]);
  expect(perCallChart(plain, cssTheme).data.rows).toEqual([]);
});
