import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import type { RunEntry } from '#protocol/ipc.ts';
import { noAnnotation } from '#protocol/run-annotation.ts';
import { canResume } from '../runs/run-status.ts';
import { runs } from '../state/runs.ts';
import { RunHead } from './run-head.tsx';

// Renders the head once to text, with the same code as in the window.
vi.mock('../state/store.ts', async (original) => ({
  ...(await original<object>()),
  useStore: (store: { get(): unknown }) => store.get(),
}));

const model = madeRun({ repeats: 3 });
const entry: RunEntry = {
  ...{ id: 'r1', name: model.plan.experiment.name, size: null, startedAt: model.startedAt, status: 'complete' },
  ...{ trialsGood: 3, comparison: 'notPlanned', grade: null },
  ...{ trialsDone: 3, trialsPlanned: 3, targets: ['server'], bytes: 1, durationMs: 134_000, cells: [] },
  ...{ ...noAnnotation, isBaseline: false },
};

test('the head of a run says how long it took and how often it measured, and offers a comparison', () => {
  runs.set([entry]);
  const html = renderToString(<RunHead runId="r1" model={model} progress={null} />);
  expect(html).toContain('2\u00a0min 14\u00a0s · 3 repeats');
  expect(html).toContain('Compare with another run');
});

test('a run whose file lacks its end alone is run again, and one that lacks a trial is resumed', () => {
  runs.set([entry]);
  const shown = (trials: typeof model.trials) =>
    renderToString(<RunHead runId="r1" model={{ ...model, status: 'interrupted', trials }} progress={null} />);
  expect(shown(model.trials)).toContain('Run again');
  expect(shown(model.trials)).not.toContain('Resume');
  expect(shown(model.trials.map((one, i) => (i === 2 ? { ...one, result: null } : one)))).toContain('Resume');
  expect([2, 3].map((trialsDone) => canResume({ ...entry, status: 'interrupted', trialsDone }))).toEqual([true, false]);
});

test('a live run has no duration and nothing to compare yet', () => {
  runs.set([{ ...entry, status: 'running' }]);
  const html = renderToString(<RunHead runId="r1" model={{ ...model, status: 'running' }} progress={null} />);
  expect(html).not.toContain('min 14');
  expect(html).not.toContain('Compare with another run');
});
