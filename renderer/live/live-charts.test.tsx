import type { ReactNode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { fixtureRun } from '#analysis/run-model/run.fixture.ts';
import { RunCharts, SearchCurve } from './live-charts.tsx';

vi.mock('../state/theme.ts', () => ({ useTheme: () => 'light' }));
vi.mock('#presentation/outline/draw-panel.ts', () => ({
  drawPanel: () => {
    throw new TypeError('There is no histogram.');
  },
}));
// React catches rendering errors only in a window, so the test replaces the error boundary.
vi.mock('../ui/display/panel-boundary.tsx', () => ({
  PanelBoundary: ({ title }: { readonly title: string; readonly children: ReactNode }) => `[${title}]`,
}));

const model = fixtureRun();

test('charts of a live run that cannot be drawn leave the rest of the page as it is', () => {
  expect(renderToString(<RunCharts model={model} />)).toBe('[Timeline of the run]');
  expect(renderToString(<SearchCurve model={model} />)).toBe('[What the search found]');
});
