import { screen, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { madeJournal } from '#analysis/findings/shared/findings.fixture.ts';
import type { FakeHandlers } from '../../dev/fake-ipc.ts';
import { openRecorded, region } from '../../dev/window.fixture.tsx';

/** Opens the details of the result with bulk loads. */
async function details(handlers: Partial<FakeHandlers> = {}) {
  const run = madeJournal({
    factors: { method: ['prepared', 'bulk'] },
    targets: [{ name: 'sqlite' }],
    trial: ({ repeat }) => ({ rate: 1_000 + repeat }),
  });
  const dyno = await openRecorded(run, { handlers });
  const bar = within(await region('Comparison')).getByRole('button', { name: /^bulk on sqlite:/ });
  await dyno.user.click(bar);
  const panel = within(await screen.findByRole('complementary', { name: 'bulk on sqlite' }));
  return { dyno, scripts: within(await panel.findByRole('region', { name: 'Scripts' })) };
}

test('a result is saved as a script of a language that has one, and the page says so', async () => {
  const save = vi.fn<FakeHandlers['runs:saveScript']>(async () => ({ saved: true }));
  const { dyno, scripts } = await details({ 'runs:saveScript': save });
  await dyno.user.click(await scripts.findByRole('button', { name: 'Save as script for Node…' }));
  await screen.findByText('Script saved');
  expect(save.mock.calls.map(([asked]) => asked)).toEqual([
    { runId: expect.any(String) as string, target: 'sqlite', variant: 'method=bulk', language: 'node' },
  ]);
});

test('below the button of a language without a script stands the reason, which screen readers read with its button', async () => {
  const { scripts } = await details({
    'runs:scripts': async () => [
      { language: 'node', cannot: null },
      { language: 'java', cannot: 'Scripts for Java have no bulk loads.' },
    ],
  });
  const java = await scripts.findByRole('button', { name: 'Save as script for Java…' });
  expect(java).toBeDisabled();
  expect(java).toHaveAccessibleDescription('Scripts for Java have no bulk loads.');
  expect(scripts.getByRole('button', { name: 'Save as script for Node…' })).toBeEnabled();
});

test('nothing is said where the user cancels, and an error is', async () => {
  const { dyno, scripts } = await details({
    'runs:saveScript': async ({ language }) => {
      if (language === 'node') return { saved: false };
      throw new Error('The disk is full.');
    },
    'runs:scripts': async () => [
      { language: 'node', cannot: null },
      { language: 'java', cannot: null },
    ],
  });
  await dyno.user.click(await scripts.findByRole('button', { name: 'Save as script for Node…' }));
  await dyno.user.click(scripts.getByRole('button', { name: 'Save as script for Java…' }));
  await screen.findByText(/The disk is full/);
  expect(screen.queryByText('Script saved')).toBeNull();
});
