import { expect, test } from 'vitest';
import { clientParts, partLabels } from '#analysis/client/client-time.ts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { callTimes } from '#presentation/charts/call-chart.ts';
import { clientTimeChart, hasProcesses } from '#presentation/charts/client-time-chart.ts';
import { cssTheme, darkTheme, lightTheme } from '#presentation/charts/kit/theme.ts';
import { clientShares } from '#presentation/charts/share-chart.ts';
import type { CallTime, ClientHealth, ProcessTime } from '#protocol/measurement.ts';
import { renderSvg, results } from './results.fixture.ts';

/** 1,000 ms: `busy` of them for encoding, half as many for decoding, the rest waiting. */
const processTime = (busy: number): ProcessTime => ({
  wallMs: 1_000,
  generateMs: 0,
  encodeMs: 1_000 * busy,
  decodeMs: 500 * busy,
  engineMs: 0,
  otherMs: 0,
  waitMs: 1_000 - 1_500 * busy,
  idleMs: 0,
});
const callTime: CallTime = { calls: 100, seen: 10, sendMs: 50, waitMs: 300, receiveMs: 150, gapMs: 0, roundTrips: 200 };

/**
 * Each trial has two processes, the second twice as busy as the first; only calls of PostgreSQL are timed at the
 * sockets.
 */
function modelOf(): RunModel {
  const reader = createRunReader();
  const postgres = new Set<number>();
  const health = <T extends ClientHealth>(before: T, busy: number, seen: boolean): T => ({
    ...before,
    processTime: processTime(busy),
    callTime: seen ? callTime : null,
    transactionTime: null,
  });
  const withHealth = results((result) => ({
    ...result,
    health: health(result.health, 0.3, postgres.has(result.number)),
  }));
  for (const record of fixtureJournal({ connections: [4], repeats: 2 })) {
    if (record.record === 'trial' && record.trial.target === 'PostgreSQL') postgres.add(record.trial.number);
    if (record.record === 'snapshot')
      for (const worker of [0, 1]) {
        const busy = health(record.snapshot.health, 0.2 * (worker + 1), true);
        reader.add({ ...record, snapshot: { ...record.snapshot, worker, health: busy } });
      }
    else reader.add(withHealth(record));
  }
  return reader.model();
}

const model = modelOf();
const views = model.trials.filter(
  ({ trial }) => trial.variant.startsWith('method=prepared') && trial.repeat === 1 && trial.target !== 'No-op engine',
);
const titles = ({ option }: { readonly option: { readonly title?: unknown } }) =>
  (option.title as readonly { readonly text: string }[]).map(({ text }) => text);

test('bands of all processes lie on each other under the throughput, one panel per target', () => {
  const chart = clientTimeChart(model, views, lightTheme);
  expect(titles(chart)).toEqual(['Throughput (rows/s)', 'Client’s time, PostgreSQL', 'Client’s time, SQLite']);
  const series = chart.option.series as readonly { readonly name?: string; readonly stack?: string }[];
  // A part without time has no band.
  expect(new Set(series.filter(({ stack }) => stack !== undefined).map(({ name }) => name))).toEqual(
    new Set([partLabels.wait, partLabels.decode, partLabels.encode]),
  );
  const share = (part: (typeof clientParts)[number]) => chart.data.columns.indexOf(`${partLabels[part]} (share)`);
  for (const row of chart.data.rows) {
    expect(row[share('encode')]).toBeCloseTo(0.3);
    expect(row[share('wait')]).toBeCloseTo(0.55);
    expect(clientParts.reduce((sum, part) => sum + Number(row[share(part)]), 0)).toBeCloseTo(1);
  }
});

test('one panel per process on demand', () => {
  expect(views.every(hasProcesses)).toBe(true);
  const chart = clientTimeChart(model, views.slice(0, 1), lightTheme, { perProcess: true });
  const target = views[0]!.trial.target;
  expect(titles(chart).slice(1)).toEqual([1, 2].map((number) => `Client’s time, ${target}, process ${number}`));
  const encode = chart.data.columns.indexOf(`${partLabels.encode} (share)`);
  const process = chart.data.columns.indexOf('process');
  for (const row of chart.data.rows) expect(row[encode]).toBeCloseTo(0.2 * Number(row[process]));
});

test('a cell has the shares of its repeats, and a mean call where calls were seen', () => {
  const cell = model.cells.find(({ target, variant }) => target === 'PostgreSQL' && variant.startsWith('method=prep'));
  expect(cell?.clientTime).toMatchObject({ encode: 0.3, decode: 0.15, wait: 0.55 });
  expect(cell?.call).toEqual({ calls: 200, seen: 20, sendMs: 0.5, waitMs: 3, receiveMs: 1.5, roundTrips: 2 });
  expect(cell?.transaction).toBeNull();
  const shares = clientShares(model, lightTheme);
  const columns = (['wait', 'decode', 'encode'] as const).map((part) => `${partLabels[part]} (share)`);
  expect(shares.data.columns).toEqual(['variant', 'target', ...columns]);
  const calls = callTimes(model, lightTheme);
  expect(new Set(calls.data.rows.map(([, target]) => target))).toEqual(new Set(['PostgreSQL']));
  expect(JSON.stringify(calls.scene)).toMatch(/5\.00.ms, 2\.0 round trips/);
});

test.each([
  ['over time', clientTimeChart(model, views, cssTheme)],
  ['by cell', clientShares(model, cssTheme)],
  ['calls', callTimes(model, cssTheme)],
])('%s draws, with a number in every place', (_, chart) => {
  const svg = renderSvg(chart);
  expect(svg).toMatch(/^<svg /);
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  for (const row of chart.data.rows) expect(row).toHaveLength(chart.data.columns.length);
});

test('no part has the colour of a target, of a server’s class or of another part, in either theme', () => {
  for (const theme of [lightTheme, darkTheme]) {
    const parts = Object.values(theme.parts).map(({ fill }) => fill);
    const all = [...parts, ...theme.series, ...Object.values(theme.classes)];
    for (const colour of parts) expect(all.filter((one) => one === colour)).toHaveLength(1);
  }
});
