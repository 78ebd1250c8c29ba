import { quick } from '#integration/results/small-experiments.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Reads, which more connections in one process do not speed up. */
const reads = quick
  .replace('operation: insert', 'operation: readByKey')
  .replace(
    /factors:[\s\S]*$/,
    'targets: [sqlite, noop]\nmeasure: { until: { seconds: 0.3 }, repeats: 2, warmupSeconds: 0, search: { find: saturation, setting: connections, from: 1, to: 16, relativeStep: 0.2 } }\n',
  );

test('a search runs, and shows its result with its curve', { tag: '@long' }, async ({ dyno }) => {
  test.slow();
  const { page } = dyno;
  await dyno.setYaml(reads);
  await dyno.run();
  const curve = page.getByRole('region', { name: 'What the search found over connections' });
  await expect(curve).toBeVisible({ timeout: 60_000 });
  expect(await dyno.waitForResult()).toBe('complete');
  const panel = page.getByRole('region', { name: 'Search for the saturation point' });
  await expect(panel.getByRole('row', { name: /connections sqlite .*throughput/ })).toBeVisible();
  await expect(curve).toBeVisible();
  await expect(page.getByRole('region', { name: 'Verdicts' })).toContainText('sqlite: ');
  expect(await violations(page)).toEqual([]);

  await page.getByRole('navigation').getByRole('link', { name: 'Runs' }).click();
  const { length } = await dyno.results();
  await expect(page.getByRole('region', { name: 'Quick check', exact: true })).toContainText(
    `Complete, ${length} trials`,
  );
});
