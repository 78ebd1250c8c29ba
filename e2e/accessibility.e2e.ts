import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { withAdvice } from '#analysis/advise/advice.fixture.ts';
import { storeChanges, tournamentJournal } from '#analysis/compare/tournament.fixture.ts';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { namedRun } from '#integration/results/recorded-runs.fixture.ts';
import { quick, slow } from '#integration/results/small-experiments.fixture.ts';
import { violations } from './axe.ts';
import { answerSaveDialog } from './dyno-app.ts';
import { expect, test } from './fixtures.ts';
import { openRecorded } from './recorded-run.ts';

const runTabs = ['Timeline', 'Summary', 'Latency', 'Time series', 'Findings', 'Environment', 'Definition'] as const;

test('every part of the builder is free of accessibility violations', { tag: '@long' }, async ({ dyno }) => {
  test.slow();
  const { page } = dyno;
  const clean = async (screen: string) => expect(await violations(page), screen).toEqual([]);
  // The starter has named levels, columns with details, and skipped cells.
  await dyno.openExperiment('Insert duel');
  for (const section of ['Question', 'Targets', 'Workload', 'Measurement', 'Factors'] as const) {
    await dyno.showSection(section);
    await clean(`builder, ${section}`);
  }
  await page.getByRole('button', { name: 'Settings of bulk load' }).click();
  await clean('builder');
  for (const part of ['Data', 'Statements', 'Advanced'] as const) {
    await dyno.showPart(part);
    await clean(`builder, ${part}`);
  }
  for (const tab of ['Skipped', 'Problems']) {
    await page.getByRole('tab', { name: tab }).click();
    await clean(`builder, ${tab}`);
  }
  await dyno.showSection('Targets');
  await page.getByRole('button', { name: 'Add target' }).click();
  await clean('add a target');
});

test('every screen outside of the builder is free of accessibility violations', async ({ dyno }) => {
  test.slow();
  const { page } = dyno;
  const clean = async (screen: string) => expect(await violations(page), screen).toEqual([]);
  await dyno.setYaml(slow);
  await expect(page.getByRole('heading', { level: 1, name: 'Slow check' })).toBeVisible();
  await dyno.run();
  await expect(page.getByRole('region', { name: 'Timeline of the run' })).toBeVisible({ timeout: 30_000 });
  await clean('live');
  await dyno.cancel();
  await dyno.waitForResult();
  for (const tab of runTabs) {
    await page.getByRole('tab', { name: tab }).click();
    await clean(`run, ${tab}`);
  }
  await page.getByRole('button', { name: 'Export report' }).click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await clean('export of a report');
  await page.keyboard.press('Escape');
  await page.getByRole('toolbar', { name: 'Window' }).getByRole('button', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible();
  await clean('Settings');
  for (const screen of ['Experiments', 'Runs']) {
    await page.getByRole('navigation').getByRole('link', { name: screen }).click();
    await expect(page.getByRole('heading', { level: 1, name: screen })).toBeVisible();
    await clean(screen);
  }
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await clean('keyboard shortcuts');
  await page.keyboard.press('Escape');
  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await clean('command palette');
});

test('a tournament, its advice, and the dialogs that make them are free of accessibility violations', async ({
  dyno,
}) => {
  const { page } = dyno;
  const clean = async (screen: string) => expect(await violations(page), screen).toEqual([]);
  await page.getByRole('button', { name: /^Compare a change/ }).click();
  await expect(page.getByRole('dialog', { name: 'Compare a change' })).toBeVisible();
  await clean('compare a change');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Test my SQL/ }).click();
  await expect(page.getByRole('dialog', { name: 'Test my SQL' })).toBeVisible();
  await clean('test my SQL');
  await page.keyboard.press('Escape');
  await openRecorded(dyno, withAdvice(tournamentJournal({ changes: storeChanges })));
  await page.getByRole('tab', { name: 'Summary' }).click();
  await page.getByText('Plans beside the baseline’s').click();
  await page.getByRole('button', { name: 'Show picture' }).click();
  await expect(page.getByRole('img', { name: /^covering index, search, p95/ })).toBeVisible();
  await clean('tournament with advice');
  await page.getByRole('button', { name: 'Advise…' }).click();
  await expect(page.getByRole('dialog', { name: 'Advise' })).toBeVisible();
  await clean('advise');
});

/** Presses Tab until the element of this role and name has the focus, and checks that the focus is visible. */
async function tabTo(page: Page, role: 'button' | 'link' | 'tab' | 'textbox', name: string): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true }).first();
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    if (await wanted.evaluate((element) => element === document.activeElement)) {
      // The editor draws its focus outline around the element that holds its text, a moment after it has the focus.
      const isOutlined = () =>
        wanted.evaluate((element) =>
          [element, element.closest('.cm-editor')].some((one) => one && getComputedStyle(one).outlineStyle !== 'none'),
        );
      await expect.poll(isOutlined, { message: `${name} shows its focus` }).toBe(true);
      return;
    }
  }
  throw new Error(`Tab does not reach the ${role} “${name}”.`);
}

test('everything from opening to exporting can be done with the keyboard alone', async ({ dyno }) => {
  const { page } = dyno;
  await expect(page.getByRole('heading', { level: 1, name: /Compare databases/ })).toBeVisible();
  // The links of the rail are one tab stop.
  await tabTo(page, 'link', 'Home');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await tabTo(page, 'button', 'Read by key');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Read by key' })).toBeVisible();
  // The button disappeared with its page, so the keyboard continues in the next page.
  await expect(page.getByRole('main')).toBeFocused();

  await tabTo(page, 'textbox', 'Name');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('By hand');
  await expect(page.getByRole('heading', { level: 1, name: 'By hand' })).toBeVisible();
  await page.keyboard.press('ControlOrMeta+Shift+y');
  await tabTo(page, 'textbox', 'Experiment file (YAML)');
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(slow);
  await expect(page.getByRole('heading', { level: 1, name: 'Slow check' })).toBeVisible();
  // Tab indents in the editor; Escape closes the completions, and then Tab leaves.
  await page.keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('textbox', { name: 'Experiment file' })).not.toBeFocused();

  await page.keyboard.press('ControlOrMeta+Enter');
  await expect(page.getByRole('region', { name: 'Timeline of the run' })).toBeVisible({ timeout: 30_000 });
  await tabTo(page, 'button', 'Cancel run');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('tab', { name: 'Summary', selected: true })).toBeVisible({ timeout: 30_000 });
  await tabTo(page, 'tab', 'Summary');
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('tab', { name: 'Latency', selected: true })).toBeVisible();

  await page.keyboard.press('ControlOrMeta+k');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.type('go to runs');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Runs' })).toBeVisible();
  await expect(page.getByText('Slow check').first()).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
});

test('a table or chart is a tab stop only while it scrolls', async ({ dyno }) => {
  const { page } = dyno;
  await page.setViewportSize({ width: 1280, height: 800 });
  await openRecorded(dyno, fixtureJournal({ connections: [1, 2], repeats: 2 }));
  await page.getByRole('tab', { name: 'Summary' }).click();
  const skipped = page.getByRole('region', { name: 'Skipped and failed' }).locator('.scroll-x');
  await expect(skipped.getByRole('row').nth(1)).toBeVisible();
  await expect(skipped).not.toHaveAttribute('tabindex');
  await page.setViewportSize({ width: 500, height: 800 });
  await expect(skipped).toHaveAttribute('tabindex', '0');
});

test('a run is started, read and exported with the keyboard alone', { tag: '@long' }, async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(quick.replace('[sqlite, noop]', '[noop]'));
  await expect(page.getByRole('heading', { level: 1, name: 'Quick check' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await page.keyboard.press('ControlOrMeta+Enter');
  await dyno.waitForResult();
  const file = join(dyno.home, 'report.html');
  await answerSaveDialog(dyno.app, file);
  await tabTo(page, 'button', 'Export report');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Save report' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Report saved')).toBeVisible();
  expect(await readFile(file, 'utf8')).toContain('Quick check');
});

test('a window half as wide, as at a zoom of 200 %, scrolls nowhere as a whole and cuts off no button', async ({
  dyno,
}) => {
  const { page } = dyno;
  await page.setViewportSize({ width: 640, height: 400 });
  await openRecorded(dyno, namedRun('A-name-without-a-blank-'.repeat(5), '2026-11-20T08:00:00Z', 0.6));
  const wide = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('body, .page, .page-body, .tab-panel, .panel')]
        .filter((one) => one.scrollWidth > one.clientWidth + 1)
        .map(({ className }) => className),
    );
  for (const tab of ['Summary', 'Findings', 'Environment'] as const) {
    await page.getByRole('tab', { name: tab }).click();
    expect(await wide(), tab).toEqual([]);
  }
  // Only the tabs scroll sideways.
  expect(await page.getByRole('tablist').evaluate((list) => getComputedStyle(list).overflowY)).toBe('hidden');
  for (const screen of ['Home', 'Experiments', 'Runs', 'Connections', 'Load hosts']) {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: screen }).click();
    await expect(page.getByRole('link', { name: screen })).toHaveAttribute('aria-current', 'page');
    expect(await wide(), screen).toEqual([]);
  }
});
