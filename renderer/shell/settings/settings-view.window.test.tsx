import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { namedRun } from '#integration/results/recorded-runs.fixture.ts';
import type { Requests } from '#protocol/ipc.ts';
import { choose, expectText, fill, goTo, openWindow, region, type TestWindow } from '../../dev/window.fixture.tsx';

const openSettings = async (dyno: TestWindow): Promise<void> => {
  await dyno.user.click(screen.getByRole('button', { name: 'Settings' }));
  await screen.findByRole('heading', { level: 1, name: 'Settings' });
};

test('the theme is chosen, and may follow the system', async () => {
  const dyno = await openWindow();
  await openSettings(dyno);
  const theme = within(await region('Appearance'));
  await dyno.user.click(theme.getByRole('radio', { name: 'Dark' }));
  expect(document.documentElement.dataset.theme).toBe('dark');
  await dyno.user.click(theme.getByRole('radio', { name: 'As the system' }));
  expect(document.documentElement.dataset.theme).toBeUndefined();
});

test('a target that this computer no longer has can be taken out of the defaults', async () => {
  const missing = { 'embedded-postgres': { what: 'There is no PostgreSQL.', fix: 'Install it.' } };
  const dyno = await openWindow({ missing });
  await openSettings(dyno);
  const own = within(await region('New experiments'));
  const gone = own.getByRole('checkbox', { name: 'embedded-postgres (not on this computer)' });
  expect(gone).toBeChecked();
  await dyno.user.click(gone);
  expect(own.getByRole('checkbox', { name: /^SQLite/ })).toBeDisabled();
  expect(own.queryByRole('checkbox', { name: /not on this computer/ })).toBeNull();
});

test('a new experiment begins with the chosen targets, repeats and seconds', async () => {
  const dyno = await openWindow();
  await openSettings(dyno);
  const own = within(await region('New experiments'));
  await dyno.user.click(own.getByRole('checkbox', { name: /^PostgreSQL \(built in\)/ }));
  expect(own.getByRole('checkbox', { name: /^SQLite/ })).toBeDisabled();
  await fill(dyno, own.getByRole('textbox', { name: /Repeats/ }), '7');
  const seconds = own.getByRole('textbox', { name: /Seconds/ });
  await dyno.user.clear(seconds);
  expect(seconds).toHaveValue('');
  expect(seconds).toHaveAccessibleDescription('Enter a number.');
  await dyno.user.type(seconds, '0.25');
  await dyno.user.tab();
  await goTo(dyno, 'Experiments');
  await dyno.user.click(await screen.findByRole('button', { name: 'New' }));
  await expectText(dyno, 'repeats: 7');
  expect(dyno.text()).toContain('seconds: 0.25');
  expect(dyno.text()).toMatch(/targets: *\[ ?sqlite ?\]/);
});

test('Ctrl+P prints the report of the run on screen, with the parts that the dialog asks for', async () => {
  const asked: Requests['runs:printReport']['argument'][] = [];
  const dyno = await openWindow({
    runs: [namedRun('Insert duel', '2026-11-20T08:00:00Z', 0.6)],
    handlers: {
      'runs:printReport': async (wanted) => {
        asked.push(wanted);
        return { printed: asked.length > 1 };
      },
    },
  });
  await goTo(dyno, 'Runs');
  await dyno.user.keyboard('{Control>}p{/Control}');
  expect(screen.queryByRole('dialog')).toBeNull();
  await dyno.user.click(await screen.findByRole('button', { name: 'Insert duel' }));
  await screen.findByRole('button', { name: 'Export report' });
  for (const isAnonymous of [true, false]) {
    await dyno.user.keyboard('{Control>}p{/Control}');
    const dialog = within(await screen.findByRole('dialog', { name: 'Print report' }));
    // The last answer is remembered.
    await dyno.user.click(dialog.getByRole('checkbox', { name: /letters/ }));
    await dyno.user.click(dialog.getByRole('button', { name: 'Print…' }));
    await expect.poll(() => asked.at(-1)?.hidesEngines).toBe(isAnonymous);
  }
  await dyno.user.keyboard('{Control>}p{/Control}');
  const dialog = within(await screen.findByRole('dialog', { name: 'Print report' }));
  await dyno.user.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(asked).toHaveLength(2);
});

test('the dialog of a report offers the author of the settings, and asks for what the user ticks', async () => {
  const asked: Requests['runs:exportReport']['argument'][] = [];
  const dyno = await openWindow({
    runs: [namedRun('Insert duel', '2026-11-20T08:00:00Z', 0.6)],
    handlers: {
      'runs:exportReport': async (wanted) => {
        asked.push(wanted);
        return { saved: true };
      },
    },
  });
  await openSettings(dyno);
  await fill(dyno, within(await region('Reports')).getByRole('textbox', { name: /Author/ }), 'Ada');
  await goTo(dyno, 'Runs');
  await dyno.user.click(await screen.findByRole('button', { name: 'Insert duel' }));
  await dyno.user.click(await screen.findByRole('button', { name: 'Export report' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Export report' }));
  await dyno.user.click(dialog.getByRole('button', { name: 'First two pages' }));
  await dyno.user.click(dialog.getByRole('checkbox', { name: 'Findings' }));
  await fill(dyno, dialog.getByRole('textbox', { name: /Title/ }), 'Q4 sizing');
  await dyno.user.click(dialog.getByRole('checkbox', { name: /^Hosts/ }));
  await dyno.user.click(dialog.getByRole('button', { name: /^Save report/ }));
  await screen.findByText('Report saved');
  const sections = ['answer', 'picture', 'caveats', 'note', 'conditions', 'findings'] as const;
  expect(asked).toMatchObject([
    { format: 'html', sections, title: 'Q4 sizing', author: 'Ada', hidesEngines: false, hidesHosts: true },
  ]);
  await dyno.user.click(await screen.findByRole('button', { name: 'Export report' }));
  const again = within(await screen.findByRole('dialog', { name: 'Export report' }));
  await choose(dyno, again.getByRole('button', { name: /Format/ }), 'CSV tables');
  expect(again.queryByRole('checkbox', { name: 'Findings' })).toBeNull();
  await dyno.user.click(again.getByRole('button', { name: /^Save report/ }));
  await expect.poll(() => asked.at(-1)).toMatchObject({ format: 'csv', sections, title: '', hidesHosts: true });
});
