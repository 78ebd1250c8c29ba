import { quick, shop } from '#integration/results/small-experiments.fixture.ts';
import { violations } from './axe.ts';
import { expect, test } from './fixtures.ts';

/** Indexes, options of two engines, stages of the load and a search. */
const everything = quick
  .replace(
    'workload:\n',
    '  indexes:\n    - columns: [payload]\n    - { columns: [payload, id], kind: hash, unique: true }\nworkload:\n',
  )
  .replace('operation: insert\n', 'operation: insert\n  sqlserver.table: heap\n  sqlserver.packetSize: 4096\n')
  .replace('noop]', '{ name: pg, engine: postgres, host: db }, { name: ms, engine: sqlserver, host: db }]')
  .replace('  repeats: 2\n', '  stages: [{ seconds: 10, name: ramp, from: 0 }, { seconds: 4, to: 2.5 }]\n');

const search = quick.replace(
  '  repeats: 2\n',
  '  until: { seconds: 1 }\n  search: { find: saturation, setting: connections, from: 1, to: 16 }\n',
);

test('forms of the builder are free of accessibility violations', async ({ dyno }) => {
  test.slow();
  const { page } = dyno;
  const clean = async (form: string) => expect(await violations(page), form).toEqual([]);
  await dyno.setYaml(everything);
  await dyno.showPart('Data');
  await expect(page.getByRole('textbox', { name: 'Columns of index 2' })).toBeVisible();
  await clean('indexes');
  await dyno.showPart('Statements');
  await clean('operation and load');
  await dyno.showPart('Advanced');
  await page
    .getByRole('region', { name: 'Engine-specific options' })
    .getByRole('button', { name: 'All options' })
    .click();
  await page.getByText('Table and keys').click();
  await page.getByText('Sessions and servers').click();
  await clean('settings and options');
  await dyno.showSection('Measurement');
  await expect(page.getByRole('textbox', { name: 'Seconds of stage 2' })).toBeVisible();
  await clean('stages');
  await dyno.showSection('Factors');
  await page.getByRole('button', { name: 'Add factor' }).click();
  await page.getByRole('searchbox', { name: 'Search factors' }).fill('emulator');
  await expect(page.getByRole('menuitem', { name: 'Network round trip (ms)' })).toBeVisible();
  await clean('picker of factors');
  await page.getByRole('menuitem', { name: 'Network round trip (ms)' }).click();

  const serverSettings = 'session: { postgres: { work_mem: 4096 } }\nserver: { postgres: { shared_buffers: 64MB } }\n';
  await dyno.setYaml(`${quick.replace(/^targets:.*$/m, 'targets: [embedded-postgres, sqlite]')}${serverSettings}`);
  await dyno.showPart('Advanced');
  const addVariant = page.getByRole('button', { name: 'Add a variant of parameter shared_buffers' });
  await expect(addVariant).toBeVisible();
  await clean('settings of sessions and parameters of servers');
  await addVariant.press('Enter');
  await expect(page.getByRole('textbox', { name: 'Value of shared_buffers' })).toBeFocused();
  await clean('variant of a parameter');
  await dyno.showSection('Targets');
  await page.getByRole('button', { name: /^Compare with another version/ }).press('Enter');
  await expect(page.getByRole('menuitem', { name: 'PostgreSQL 17' })).toBeVisible();
  await clean('versions of a target');
  await page.keyboard.press('Escape');

  await dyno.setYaml(search);
  await dyno.showSection('Measurement');
  await expect(page.getByRole('textbox', { name: 'Search to' })).toBeVisible();
  await clean('search');

  await dyno.setYaml(shop);
  await dyno.showPart('Data');
  await page.getByRole('tablist', { name: 'Tables' }).getByRole('tab', { name: 'sales' }).click();
  const rows = page.getByRole('region', { name: 'First rows of sales' });
  await expect(rows.getByRole('row')).toHaveCount(21);
  await clean('tables and their first rows');
  // Arrow keys scroll the rows.
  await rows.focus();
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => rows.evaluate((box) => box.scrollTop)).toBeGreaterThan(0);

  await dyno.showSection('Question');
  await page.getByRole('radiogroup', { name: 'Kind of experiment' }).getByText('Custom SQL').click();
  await clean('kinds of experiments');
});

test('the gallery and the page of an experiment are free of accessibility violations', async ({ dyno }) => {
  const { page } = dyno;
  await page.getByRole('navigation').getByRole('link', { name: 'Experiments' }).click();
  // Facts that need the experiments' plans appear after their names.
  await page.getByRole('button', { name: 'About Insert duel', exact: true }).waitFor({ timeout: 30_000 });
  expect(await violations(page), 'gallery').toEqual([]);
  await page.getByRole('button', { name: 'About Insert duel', exact: true }).click();
  await expect(page.getByRole('region', { name: 'Published figures' })).toBeVisible();
  expect(await violations(page), 'page of an experiment').toEqual([]);
});
