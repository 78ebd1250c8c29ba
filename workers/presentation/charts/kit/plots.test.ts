import { expect, test } from 'vitest';
import { drawPlots, type Plot, type PlotLine } from './plots.ts';
import { exactly } from './scale.ts';
import { shapesOf } from './scene.fixture.ts';
import { lightTheme } from './theme.ts';

const line = (label: string, ...values: readonly number[]): PlotLine => ({
  ...{ label, colour: '#123456' },
  points: exactly(values).map((y, i) => ({ x: 2 ** i, y, spoken: `${label} at ${2 ** i}` })),
});
const plot = (title: string, ...lines: readonly PlotLine[]): Plot => ({ title, lines, tick: String });
const layout: Parameters<typeof drawPlots>[1] = {
  ...{ xName: 'load', xTick: String, columns: 3, leastPx: 250, heightPx: 240 },
  xTicks: 'points',
  names: 'legend',
};
const wordsOf = (scene: ReturnType<typeof drawPlots>) =>
  shapesOf(scene).flatMap(({ tag, inside }) => (tag === 'text' ? [inside.join('')] : []));

test('plots of one chart have one legend, which names each line once', () => {
  const words = wordsOf(
    drawPlots([plot('a', line('A', 1, 2)), plot('b', line('A', 3, 4), line('B', 5, 6))], layout, lightTheme, 900),
  );
  expect(words.filter((one) => one === 'A' || one === 'B')).toEqual(['A', 'B']);
});

test('four plots where three would fit are two rows of two', () => {
  const four = ['a', 'b', 'c', 'd'].map((title) => plot(title, line('A', 1, 2)));
  const legendPx = 19;
  expect(drawPlots(four, layout, lightTheme, 900).heightPx).toBe(legendPx + 2 * layout.heightPx);
  expect(drawPlots(four, layout, lightTheme, 300).heightPx).toBe(legendPx + 4 * layout.heightPx);
});

test('a line that is drawn without points has no areas, and does not keep others from being reached', () => {
  const law: PlotLine = {
    ...line('law', 1, 2),
    points: line('law', 1, 2).points.map(({ x, y }) => ({ x, y })),
    draws: 'line',
  };
  const { hits } = drawPlots([plot('a', law, line('A', 1, 2))], layout, lightTheme, 600);
  expect(hits.map(({ spoken }) => spoken)).toEqual(['A at 1', 'A at 2']);
});

test('an interval that goes on beyond the axis ends in an arrowhead that tells its end', () => {
  const wide: PlotLine = {
    ...line('A'),
    points: [
      { x: 1, y: { value: 10, low: 5, high: 1_000 } },
      { x: 2, y: { value: 9, low: 5, high: 12 } },
    ],
  };
  const titles = shapesOf(drawPlots([plot('a', wide)], layout, lightTheme, 600)).filter(({ tag }) => tag === 'title');
  expect(titles.map(({ inside }) => inside)).toEqual([['The interval extends to 1.00k.']]);
});

test('names of points lie within the plot and not on each other', () => {
  const named: PlotLine = {
    ...line('A', 1, 1),
    points: exactly([1, 1]).map((y, i) => ({ x: 1 + i / 1_000, y, name: `point ${i}` })),
  };
  const scene = drawPlots([plot('a', named)], layout, lightTheme, 600);
  const texts = shapesOf(scene).filter(({ tag, inside }) => tag === 'text' && String(inside[0]).startsWith('point'));
  expect(new Set(texts.map(({ attributes: { x, y } }) => `${x} ${y}`)).size).toBe(2);
});
