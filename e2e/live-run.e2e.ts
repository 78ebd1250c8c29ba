import { slow } from '#integration/results/small-experiments.fixture.ts';
import { expect, test } from './fixtures.ts';
import { runIds } from './journal.ts';
import { workersBelow } from './processes.ts';

test('a run can be watched, paused and cancelled; its finished trials stay', async ({ dyno }) => {
  await dyno.setYaml(slow.replace('Slow check', 'A slow check whose name is far too long for the side of the window'));
  await dyno.run();
  await expect(dyno.page.getByRole('progressbar').first()).toBeVisible();
  const side = dyno.page.locator('.rail-live');
  expect(await side.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
  await dyno.page.getByRole('button', { name: 'Pause' }).click();
  await expect(dyno.page.getByRole('button', { name: 'Continue' })).toBeVisible();
  await dyno.page.getByRole('button', { name: 'Continue' }).click();
  await expect(dyno.page.getByRole('button', { name: 'Pause' })).toBeVisible();

  await expect.poll(async () => (await dyno.results()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  await dyno.cancel();
  expect(await dyno.waitForResult()).toBe('cancelled');
  const results = await dyno.results();
  expect(results[0]?.status).toBe('ok');
  expect(results.filter((row) => row.status === 'ok').length).toBeLessThan(4);
});

test('a worker that dies fails its own trial only', { tag: '@long' }, async ({ dyno }) => {
  test.skip(process.platform !== 'linux', 'finds the worker through /proc');
  await dyno.setYaml(slow);
  await dyno.run();
  const measuring = async () =>
    (await dyno.records()).some((record) => record.record === 'phase' && record.phase === 'measure');
  await expect.poll(measuring, { timeout: 30_000 }).toBe(true);
  // The newest worker is the trial's client; the older ones hold the control connections.
  process.kill(workersBelow(dyno.app.process().pid!).at(-1)!, 'SIGKILL');

  expect(await dyno.waitForResult()).toBe('complete');
  const results = await dyno.results();
  expect(results.map((row) => row.status).toSorted()).toEqual(['failed', 'ok', 'ok', 'ok']);
  expect(results.find((row) => row.status === 'failed')?.error).toMatch(/process|worker/i);
});

test('a second run is refused while one is live, and the live one is shown', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(slow);
  const first = await dyno.run();
  await expect(page.getByRole('button', { name: 'Cancel run' })).toBeVisible();
  await page.getByRole('navigation').getByRole('link', { name: 'Builder' }).click();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await expect(page.getByText(/“Slow check” is still running/)).toBeVisible();
  // The main process rejects a second run from any source.
  const answer = await page.evaluate(
    (text) =>
      (window as unknown as { dyno: { request(channel: string, argument: unknown): Promise<unknown> } }).dyno.request(
        'runs:start',
        { text, passwords: {}, confirmed: [], changed: [] },
      ),
    slow,
  );
  expect(answer).toMatchObject({ ok: false, error: { kind: 'badInput', message: '“Slow check” is still running.' } });
  await page.getByRole('button', { name: 'Show it' }).click();
  await dyno.cancel();
  await dyno.waitForResult();
  expect(await runIds(dyno.home)).toEqual([first]);

  // The run continues.
  await page.getByRole('button', { name: 'Resume' }).click();
  await expect(page.getByRole('tab', { name: 'Live' })).toBeVisible();
  await dyno.cancel();
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible({ timeout: 30_000 });
  expect((await dyno.records()).filter(({ record }) => record === 'resumed')).toHaveLength(1);
});

test('a key that is held down starts one run', async ({ dyno }) => {
  const { page } = dyno;
  await dyno.setYaml(slow);
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeEnabled();
  await page.keyboard.down('ControlOrMeta');
  for (let press = 0; press < 5; press++) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.keyboard.up('ControlOrMeta');
  await dyno.cancel();
  await dyno.waitForResult();
  expect(await runIds(dyno.home)).toHaveLength(1);
});
