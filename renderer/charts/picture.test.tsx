import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { sweepModel } from '#analysis/compare/sweep.fixture.ts';
import { lightTheme } from '#presentation/charts/kit/theme.ts';
import { scalability } from '#presentation/charts/scalability-chart.ts';
import { sweep } from '#presentation/charts/sweep-chart.ts';
import { Picture } from './picture.tsx';

const model = sweepModel({
  loads: [1, 2, 4, 8, 16, 32],
  repeats: 3,
  truth: { lambda: 10_000, sigma: 0.15, kappa: 0.002 },
});

test.each([
  ['a sweep', sweep(model, 'connections', lightTheme)],
  ['scalability, whose first lines have no points', scalability(model, lightTheme)],
])('Tab reaches one area of %s, and arrow keys the others, each of which is told in words', (_, { scene }) => {
  const shown = renderToString(<Picture scene={scene} />);
  expect(shown.match(/tabindex="0"/g)).toHaveLength(1);
  expect(shown.match(/tabindex="-1"/g)).toHaveLength(scene.hits.length - 1);
  expect(shown.match(/role="img" aria-label="[^"]+"/g)).toHaveLength(scene.hits.length);
  expect(shown).not.toMatch(/NaN|undefined/);
});
