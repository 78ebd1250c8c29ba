import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { quick } from '#integration/results/small-experiments.fixture.ts';
import { expectText, fill, goTo, openExperiment, type TestWindow } from '../../dev/window.fixture.tsx';

const button = (name: string) => screen.findByRole('button', { name });
const dialog = async () => within(await screen.findByRole('dialog', { name: 'Use “staging” in an experiment' }));
const use = async ({ user }: TestWindow) => user.click(await button('Use in experiment'));

test('a connection is used in the experiment that the user names, and that is undone', async () => {
  const dyno = await openExperiment(quick);
  const { user } = dyno;
  await goTo(dyno, 'Connections');
  await user.click((await screen.findAllByRole('button', { name: 'New connection' }))[0]!);
  await fill(dyno, (await screen.findAllByRole('textbox', { name: 'Name' }))[0]!, 'staging');
  await fill(dyno, screen.getByRole('textbox', { name: 'Host' }), '127.0.0.1');
  await user.click(await button('Save'));
  await screen.findByText('Saved “staging”');

  await use(dyno);
  await user.click((await dialog()).getByRole('button', { name: 'Cancel' }));
  await use(dyno);
  await user.click((await dialog()).getByRole('button', { name: 'Add to “Quick check”' }));
  await screen.findByText('“staging” is now a target of “Quick check”');
  await expectText(dyno, 'targets: [sqlite, noop, staging]');
  expect(screen.getByRole('tab', { name: /Targets/ })).toHaveAttribute('aria-selected', 'true');
  await user.click((await screen.findAllByRole('button', { name: 'Undo' }))[0]!);
  await expectText(dyno, 'targets: [sqlite, noop]');

  await goTo(dyno, 'Connections');
  await user.click((await screen.findAllByRole('button', { name: 'staging' }))[0]!);
  await use(dyno);
  await user.click((await dialog()).getByRole('button', { name: 'New experiment' }));
  await expectText(dyno, 'targets: [staging]');
  await screen.findByRole('button', { name: '1 draft with unsaved changes' });
});
