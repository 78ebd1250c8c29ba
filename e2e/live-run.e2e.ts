import { slow } from './experiments.ts';
import { expect, test } from './fixtures.ts';
import { workersBelow } from './processes.ts';

test('a run can be watched, paused and cancelled; what was done stays', async ({ dyno }) => {
  await dyno.setYaml(slow);
  await dyno.run();
  await expect(dyno.page.getByRole('progressbar').first()).toBeVisible();
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

test('a worker that dies costs its own trial alone', async ({ dyno }) => {
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
