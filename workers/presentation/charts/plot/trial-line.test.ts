import { init } from 'echarts';
import { expect, test } from 'vitest';
import { lightTheme } from '../kit/theme.ts';
import { drawPanels, type Line } from './panels.ts';
import type { Series } from './parts.ts';
import { createSvgRenderer } from './render-svg.ts';
import { joinRepeats } from './trial-line.ts';

const line = (name: string, colour: string, ...values: readonly (number | null)[]): Line => ({
  ...{ name, colour, dash: 'solid', symbol: 'circle' },
  points: values.map((value, i) => [(i + 1) * 1_000 + values.length, value] as const),
});
const repeats = [
  line('A', '#123456', 10, 20, 30),
  line('B', '#654321', 5, 6, 7),
  line('A', '#123456', 12, null, 28, 40),
];
const drawn = (lines: readonly Line[]) =>
  drawPanels([{ title: 'Rate', format: String, lines }], { xName: 'elapsed', xFormat: String, xMin: 0 }, lightTheme);

test('repeats of a target are one line with gaps, which looks as several do', () => {
  const joined = joinRepeats(repeats);
  expect(joined.map(({ name, repeats }) => [name, repeats !== undefined])).toEqual([
    ['A', true],
    ['B', false],
  ]);
  // Target A has three strokes: a complete repeat, and a repeat with a missing second. Each stroke begins with a move.
  const moves = (lines: readonly Line[]) => {
    const svg = createSvgRenderer(init)(drawn(lines));
    return [...svg.matchAll(/<path d="([^"]+)"[^>]*stroke="#123456"/g)].map(([, path]) => path).join('');
  };
  expect(moves(joined)).toBe(moves(repeats));
  expect(moves(joined).match(/M/g)!.length).toBeGreaterThanOrEqual(3);
});

test('the tooltip of a joined line says what its repeats had in that second', () => {
  const [series] = drawn(joinRepeats(repeats)).option.series as readonly Series[];
  const { valueFormatter } = series!.tooltip as { readonly valueFormatter: (value: unknown, i: number) => string };
  expect([0, 1, 2, 7].map((i) => valueFormatter(null, i))).toEqual([
    '10 to 12 in 2 repeats',
    '20',
    '28 to 30 in 2 repeats',
    '40',
  ]);
});

test('a repeat counts once in a second, though its last point came soon after the one before', () => {
  const ends = line('A', '#123456', 10, 20, 30);
  const late = { ...ends, points: [...ends.points, [ends.points[2]![0] + 300, 90] as const] };
  const [series] = drawn(joinRepeats([ends, late])).option.series as readonly Series[];
  const { valueFormatter } = series!.tooltip as { readonly valueFormatter: (value: unknown, i: number) => string };
  expect(valueFormatter(null, 2)).toBe('30 to 30 in 2 repeats');
});

test('lines that would lose something stay alone', () => {
  const short = [line('A', '#123456', 10, 20), line('A', '#123456', 11, 21)];
  expect(joinRepeats(short)).toEqual(short);
  const long = Array.from({ length: 2 }, () => line('A', '#123456', ...Array.from({ length: 1_500 }, (_, i) => i)));
  expect(joinRepeats(long)).toEqual(long);
});
