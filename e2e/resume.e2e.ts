import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launchDyno } from './driver.ts';
import { slow } from './experiments.ts';
import { expect, test } from './fixtures.ts';

test('a run whose app was killed is shown as interrupted and resumed to its end', async () => {
  const home = await mkdtemp(join(tmpdir(), 'dyno-home-'));
  try {
    const killed = await launchDyno({ home });
    await killed.setYaml(slow);
    await killed.run();
    await expect.poll(async () => (await killed.results()).length, { timeout: 30_000 }).toBeGreaterThan(0);
    const gone = new Promise((done) => killed.app.process().once('exit', done));
    killed.app.process().kill('SIGKILL');
    await gone;
    const before = await killed.results();

    const dyno = await launchDyno({ home });
    await dyno.page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
    await expect(dyno.page.getByText(/interrupted/i).first()).toBeVisible();
    await dyno.page.getByRole('button', { name: 'Resume' }).first().click();
    expect(await dyno.waitForResult()).toBe('complete');
    const results = await dyno.results();
    expect(results.slice(0, before.length)).toEqual(before);
    expect(results.map((row) => row.status)).toEqual(['ok', 'ok', 'ok', 'ok']);
    await dyno.close();
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  }
});

test('a run whose app was stopped for a while, as on a machine that was suspended, goes on to its end', async ({
  freshDyno: dyno,
}) => {
  await dyno.setYaml(slow);
  await dyno.run();
  await expect.poll(async () => (await dyno.results()).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const app = dyno.app.process();
  app.kill('SIGSTOP');
  await sleep(3_000);
  app.kill('SIGCONT');
  expect(await dyno.waitForResult()).toBe('complete');
  expect((await dyno.results()).map((row) => row.status)).toEqual(['ok', 'ok', 'ok', 'ok']);
});
