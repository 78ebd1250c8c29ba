import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { madeRun } from '#analysis/findings/shared/findings.fixture.ts';
import type { RunProgress } from '#protocol/ipc.ts';
import { RunProgressLine } from './run-progress.tsx';

const progress: RunProgress = {
  ...{ runId: 'r1', activity: 'measuring', trial: 1, trialsDone: 2, trialsPlanned: 3, fraction: 0.9 },
  ...{ secondsLeft: 12, paused: false, live: true, precision: null },
};
const shown = (secondsLeft: number): string =>
  renderToString(<RunProgressLine plan={madeRun({ repeats: 3 }).plan} progress={{ ...progress, secondsLeft }} />);

test('the time left is rough, and a moment at the end', () => {
  expect(shown(12)).toContain('about 12 s left');
  expect(shown(0.4)).toContain('>a moment left');
});
