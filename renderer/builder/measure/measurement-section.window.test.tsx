import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { quick, shop } from '#integration/results/small-experiments.fixture.ts';
import {
  choose,
  expectNoText,
  expectText,
  fill,
  openExperiment,
  openSection,
  region,
  select,
  type TestWindow,
} from '../../dev/window.fixture.tsx';

/** Reads, which more connections in one process do not speed up. */
const reads = quick
  .replace('operation: insert', 'operation: readByKey')
  .replace(
    /factors:[\s\S]*$/,
    'targets: [sqlite, noop]\nmeasure:\n  until: { seconds: 0.3 }\n  repeats: 2\n  warmupSeconds: 0\n',
  );

async function enter(dyno: TestWindow, name: string | RegExp, value: string): Promise<void> {
  await fill(dyno, await screen.findByRole('textbox', { name }), value);
  await dyno.user.keyboard('{Enter}');
}

test('a search is chosen in the form, and the plan tells how many trials it takes', async () => {
  const dyno = await openExperiment(reads);
  await openSection(dyno, /Measurement/);
  await screen.findByText(
    '1 variant on 2 targets, in random order, each with 2 repeats. Each trial measures 0.3 s after 0 s of warm-up.',
  );
  await choose(dyno, select('Search for'), 'Maximum load meeting SLO');
  await expectText(dyno, 'search: { from: 1, to: 512, find: limit, setting: connections }');
  await expectText(dyno, 'goals:\n  p99Ms: 50');
  await choose(dyno, select('Search for'), 'Saturation point');
  await expectText(dyno, 'search: { from: 1, to: 512, find: saturation, setting: connections }');
  await enter(dyno, 'Search to', '16');
  await enter(dyno, 'Search in steps of (%)', '20');
  await expectText(dyno, 'search: { from: 1, to: 16, find: saturation, setting: connections, relativeStep: 0.2 }');
  await screen.findByText(/^About \d+ to \d+ trials on sqlite and noop/);
  const plan = within(await region('Plan'));
  await plan.findByRole('row', { name: /^Saturation point about \d+ to \d+ trials at up to \d+ loads/ });

  await choose(dyno, select('Load to raise'), /^Arrival rate \(1\/s\)/);
  await dyno.user.click(plan.getByRole('tab', { name: /Problems/ }));
  await plan.findByText(/In a closed load nothing arrives/);
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expect.poll(() => plan.queryByText(/nothing arrives/)).toBeNull();
});

test('the judged quantities are chosen in the form, one after another, and removed again', async () => {
  const dyno = await openExperiment(reads);
  await openSection(dyno, /Measurement/);
  await choose(dyno, select('Judged by'), 'p99');
  await expectText(dyno, 'judge: [p99]');
  await choose(dyno, select('and by 2'), 'Throughput');
  await expectText(dyno, 'judge: [p99, throughput]');
  await choose(dyno, select('Judged by'), 'Remove');
  await expectText(dyno, 'judge: [throughput]');
  await choose(dyno, select('Judged by'), 'Remove');
  await expectNoText(dyno, 'judge');
});

test('a judged quantile whose keys are in another order is offered once', async () => {
  const dyno = await openExperiment(`${shop}judge: [{ quantile: 0.95, statement: sell }]\n`);
  await openSection(dyno, /Measurement/);
  await dyno.user.click(select('Judged by'));
  expect(await screen.findAllByRole('option', { name: 'p95 of sell' })).toHaveLength(1);
});

test('the draws of equal answers are set in the form, and 0 switches the comparison off', async () => {
  const dyno = await openExperiment(reads);
  await openSection(dyno, /Measurement/);
  expect(screen.getByRole('textbox', { name: 'Draws of equal answers' })).toBeValid();
  await enter(dyno, 'Draws of equal answers', '100');
  await expectText(dyno, 'draws: 100');
  await choose(dyno, select('Keep rows of your tables'), 'on');
  await expectText(dyno, 'keepRows: true');
  await enter(dyno, 'Draws of equal answers', '50');
  await expectText(dyno, 'draws: 50');
  await expectText(dyno, 'keepRows: true');
  await enter(dyno, 'Draws of equal answers', '0');
  await expectText(dyno, 'equal: false');
  await expectNoText(dyno, 'keepRows');
});

test('stages of the load are added, changed, undone and removed in the form', async () => {
  const dyno = await openExperiment(reads);
  await openSection(dyno, /Measurement/);
  await dyno.user.click(screen.getByText('Stages of the load'));
  await dyno.user.click(await screen.findByRole('button', { name: 'Add stage' }));
  await expectText(dyno, 'stages:\n    - { seconds: 10 }');
  expect(dyno.text()).not.toContain('seconds: 0.3');
  await enter(dyno, 'Name of stage 1', 'ramp');
  await enter(dyno, /^Load from of stage 1/, '0');
  await dyno.user.click(screen.getByRole('button', { name: 'Add stage' }));
  await enter(dyno, 'Seconds of stage 2', '4');
  await enter(dyno, /^Load to of stage 2/, '250');
  await expectText(dyno, '- { seconds: 10, name: ramp, from: 0 }\n    - { seconds: 4, to: 2.5 }');

  await dyno.user.click(screen.getByRole('button', { name: 'Remove stage 1' }));
  await expectNoText(dyno, 'ramp');
  await dyno.user.click(screen.getByRole('button', { name: 'Undo' }));
  await expectText(dyno, 'ramp');
  await dyno.user.click(await screen.findByRole('button', { name: 'Remove stage 2' }));
  await dyno.user.click(screen.getByRole('button', { name: 'Remove stage 1' }));
  await expectNoText(dyno, 'stages');
});
