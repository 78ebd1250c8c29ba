import { expect, test } from 'vitest';
import { drawRunSeries, type RunSeries, runAxis } from './run-series.ts';
import { shapesOf } from './scene.fixture.ts';
import { lightTheme } from './theme.ts';

const moments = { day: (at: string) => at.slice(0, 10), time: (at: string) => at.slice(11, 16) };
const days = (count: number) =>
  Array.from({ length: count }, (_, i) => new Date(Date.UTC(2026, 10, 3 + i)).toISOString());

const series = (values: readonly number[], more: Partial<RunSeries> = {}): RunSeries => ({
  ...{ label: 'browse', colour: '#123456', symbol: 'circle', tick: String, levels: [], marks: [], limit: null },
  points: values.map((value, run) => ({
    ...{ run, runId: `r${run}`, y: { value, low: value - 1, high: value + 1 }, spoken: `run ${run}: ${value}` },
  })),
  ...more,
});
const drawn = (one: RunSeries, count: number, widthPx = 800) =>
  drawRunSeries(one, runAxis(days(count), 'runs', moments), lightTheme, widthPx);
const wordsOf = (scene: ReturnType<typeof drawn>) =>
  shapesOf(scene).flatMap(({ tag, inside }) => (tag === 'text' ? [inside.join('')] : []));

test('runs stand at equal distances or by their times, with the first run of each day as ticks', () => {
  const at = ['2026-11-03T08:00:00Z', '2026-11-03T20:00:00Z', '2026-11-05T08:00:00Z'];
  const even = runAxis(at, 'runs', moments);
  expect(even.at).toEqual([0, 0.5, 1]);
  expect(even.ticks.map(({ label }) => label)).toEqual(['2026-11-03', '2026-11-05']);
  expect(runAxis(at, 'time', moments).at).toEqual([0, 0.25, 1]);
  expect(runAxis(at.slice(0, 2), 'runs', moments).ticks.map(({ label }) => label)).toEqual([
    '2026-11-03, 08:00',
    '20:00',
  ]);
  expect(runAxis(at.slice(0, 1), 'time', moments).at).toEqual([0.5]);
});

test('each point is an area of its run, and runs without a value leave a gap', () => {
  const { hits } = drawn({ ...series([100, 101, 99]), points: series([100, 101, 99]).points.toSpliced(1, 1) }, 3);
  expect(hits.map(({ runId }) => runId)).toEqual(['r0', 'r2']);
  expect(hits.every(({ widthPx }) => widthPx >= 3)).toBe(true);
});

test('of a thousand runs each keeps an area of its own', () => {
  const values = Array.from({ length: 1_000 }, (_, i) => 100 + (i % 7));
  const { hits } = drawn(series(values), 1_000);
  expect(hits).toHaveLength(1_000);
  expect(new Set(hits.map(({ xPx }) => xPx)).size).toBeGreaterThan(990);
});

test('a difference between runs is a dashed line before its run, whose label gives way to the next one', () => {
  const mark = (run: number, label: string) => ({ run, label, spoken: `before ${run}: ${label}` });
  const marks = [mark(5, 'PostgreSQL 18.3 → 18.4'), mark(6, 'shared_buffers 128 MB → 1 GB'), mark(11, 'Dyno 1 → 2')];
  const scene = drawn(
    series(
      Array.from({ length: 12 }, () => 100),
      { marks },
    ),
    12,
  );
  const words = wordsOf(scene);
  expect(words).toContain('PostgreSQL 18.3 → 18.4'); // It stands at the left of its line, where there is room.
  expect(words.some((one) => one.startsWith('shared_buffers'))).toBe(true);
  expect(scene.hits.filter(({ row }) => row === 1).map(({ spoken }) => spoken)).toEqual(marks.map((one) => one.spoken));
});

test('a level shows its difference from the level before', () => {
  const levels = [
    { from: 0, to: 4, value: 100, text: '' },
    { from: 5, to: 9, value: 140, text: '40 % faster' },
  ];
  const values = Array.from({ length: 10 }, (_, i) => (i < 5 ? 100 : 140));
  expect(wordsOf(drawn(series(values, { levels }), 10))).toContain('40 % faster');
});

test('a limit near the values is a line, and a limit far from them does not press them together', () => {
  const near = drawn(series([100, 101, 99], { limit: { value: 120, label: 'goal' } }), 3);
  const far = drawn(series([100, 101, 99], { limit: { value: 9_000, label: 'goal' } }), 3);
  expect(wordsOf(near)).toContain('goal');
  expect(wordsOf(far)).not.toContain('goal');
});

test('a series without a value is drawn with its axis alone', () => {
  expect(drawn(series([]), 3).hits).toEqual([]);
});
