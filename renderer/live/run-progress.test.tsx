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

test('one repeat is one, and two are several', () => {
  const after = (round: number) => {
    const plan = madeRun({ repeats: 3 }).plan;
    const measure = { ...plan.measure, repeats: { min: 5, max: 9 }, until: { seconds: 1, precision: 0.1 } };
    const precision = { round, widest: null, roundsLeft: 4 };
    return renderToString(
      <RunProgressLine
        plan={{ ...plan, measure } as never}
        progress={{ ...progress, precision: precision as never }}
      />,
    );
  };
  expect(after(1)).toContain('After 1 repeat:');
  expect(after(2)).toContain('After 2 repeats:');
});
