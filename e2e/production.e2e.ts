import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';
import { type ManagedServer, startManagedServer } from './managed-server.ts';

let server: ManagedServer;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  server = await startManagedServer();
});
test.afterAll(() => server?.close());

const look = `dyno: 1
name: A look
question: How long does it take?
workload: { operation: statement, method: bind, load: open, arrivalsPerSecond: 20 }
statements:
  look: { text: SELECT 1, isRead: true }
factors:
  connections: [2, 8]
targets: [live]
measure: { repeats: 1, until: { seconds: 60 } }
`;

test('a production connection is confirmed by its host, framed in red, limited, and ended at once', async ({
  dyno,
}, info) => {
  const { page } = dyno;
  const { host, port, user, database, password } = server;
  // 1. A connection in a group, marked as production.
  await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
  await page.getByRole('button', { name: 'New connection' }).click();
  const paste = page.getByRole('textbox', { name: 'Paste a URL' });
  await paste.fill(`postgres://${user}:${password}@${host}:${port}/${database}`);
  await paste.press('Enter');
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('live');
  await page.getByText('Group, colour and protection').click();
  await page.getByRole('textbox', { name: 'Group' }).fill('Shop');
  await page.getByText('Production: other users depend on this server').click();
  await page.screenshot({ path: info.outputPath('form.png') });
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved “live”')).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Connections' }).click();
  await expect(page.getByRole('rowheader', { name: 'Shop' })).toBeVisible();
  await expect(page.getByRole('row', { name: /live.*Production/ })).toBeVisible();
  await page.screenshot({ path: info.outputPath('list.png') });

  // 2. Dyno has left nothing there.
  await page.getByRole('button', { name: 'Actions for live' }).click();
  await page.getByRole('menuitem', { name: /Clean up/ }).click();
  await expect(page.getByRole('dialog')).toContainText('There are no tables with Dyno’s mark');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

  // 3. The plan omits trials beyond the limits; the run starts after the host is typed.
  await dyno.setYaml(look);
  await page.getByRole('tab', { name: /^Skipped/ }).click();
  await expect(page.getByText('8 connections are more than the 4')).toBeVisible();
  await page.screenshot({ path: info.outputPath('plan.png') });
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Production' });
  const go = dialog.getByRole('button', { name: 'Continue on production' });
  await expect(go).toBeDisabled();
  await dialog.getByRole('textbox').fill('another.example');
  await expect(go).toBeDisabled();
  await dialog.getByRole('textbox').fill(host);
  await page.screenshot({ path: info.outputPath('confirm.png') });
  await go.click();

  // 4. The red frame, and its end.
  await expect(page.getByText('Running on production: live')).toBeVisible({ timeout: 30_000 });
  await expect
    .poll(async () => (await dyno.records()).some(({ record }) => record === 'snapshot'), { timeout: 60_000 })
    .toBe(true);
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.screenshot({ path: info.outputPath(`live-${scheme}.png`) });
  }
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('ControlOrMeta+Shift+Period');
  expect(await dyno.waitForResult()).toBe('cancelled');
  await expect(page.getByText('Running on production')).toBeHidden();
  expect(await dyno.records()).toContainEqual(expect.objectContaining({ record: 'sessions', target: 'live', left: 0 }));
});
