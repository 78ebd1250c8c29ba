import { expect, test } from 'vitest';
import { freeSides, labelSides } from './label-sides.ts';

const panel = { widthPx: 400, heightPx: 200 };
const points = (...all: readonly (readonly [number, number])[]) => all.map(([x, y]) => ({ x, y, widthPx: 14 }));
type Labelled = ReturnType<typeof points>[number];
/** Points with a label of their own each. */
const named = (all: readonly Labelled[]) => all.map((point, i) => ({ ...point, key: String(i) }));

test('a label stands above a line that rises or falls gently, and below where the line goes up from its point', () => {
  expect(labelSides([points([50, 50], [150, 60], [250, 55])], panel)).toEqual([['top', 'top', 'top']]);
  expect(labelSides([points([50, 50], [150, 50], [150, 150])], panel)).toEqual([['top', 'bottom', 'top']]);
});

test('a line that goes up and down from its point leaves the sides', () => {
  expect(labelSides([points([100, 20], [100, 100], [100, 180])], panel)[0]![1]).toBe('right');
});

test('labels do not lie on each other, nor beyond the panel', () => {
  const [first, second] = labelSides([points([50, 100]), points([52, 104])], panel);
  expect(first).not.toEqual(second);
  expect(labelSides([points([50, 195])], panel)).toEqual([['bottom']]);
  expect(labelSides([[{ x: 5, y: 100, widthPx: 100 }]], panel)).toEqual([['right']]);
});

test('where not every label has room the last ones have theirs', () => {
  const crowd = points(
    ...Array.from({ length: 9 }, (_, i) => [100 + 6 * (i % 3), 100 + 6 * Math.floor(i / 3)] as const),
  );
  const sides = freeSides(named(crowd), [], panel);
  expect(sides[4]).toBeNull();
  expect(sides.at(-1)).toBe('top');
});

test('a label that is shown covers no point, whosever it is, and stays within the panel', () => {
  const [alone] = points([100, 100]);
  const sidesOf = (point: Labelled) => freeSides(named([point]), [], panel);
  expect(sidesOf(alone!)).toEqual(['top']);
  expect(freeSides(named([alone!]), [[{ x: 104, y: 112 }]], panel)).toEqual(['bottom']);
  expect(sidesOf({ x: 5, y: 190, widthPx: 100 })).toEqual(['right']);
  expect(sidesOf({ x: 5, y: 190, widthPx: 500 })).toEqual([null]);
});

test('the last of the points that share a label has it', () => {
  const shared = points([50, 100], [150, 100]).map((point) => ({ ...point, key: 'bulk' }));
  expect(freeSides(shared, [], panel)).toEqual([null, 'top']);
});

test('a label stands where no line crosses it, or else where only a few do', () => {
  const [last] = named(points([100, 100]));
  const across = (y: number) => [
    { x: 0, y },
    { x: 200, y },
  ];
  expect(freeSides([last!], [across(112)], panel)).toEqual(['bottom']);
  const short = [
    { x: 100, y: 60 },
    { x: 100, y: 140 },
  ];
  expect(freeSides([last!], [short, across(100)], panel)).toEqual([expect.stringMatching('top|bottom')]);
});
