import { screen, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { madeJournal } from '#analysis/findings/shared/findings.fixture.ts';
import { choose, fill, openRecorded, openTab, press, region, type TestWindow } from '../../dev/window.fixture.tsx';

/** Two methods on two targets. */
const duel = () =>
  madeJournal({
    factors: { method: ['prepared', 'multiRow'] },
    targets: [{ name: 'sqlite' }, { name: 'noop' }],
    compare: 'levels',
    trial: ({ settings, target, repeat }) => ({
      rate: (settings.method === 'multiRow' ? 5_000 : 1_000) * (target === 'noop' ? 20 : 1) * (1 + 0.01 * (repeat % 3)),
    }),
  });

const comparison = async () => within(await region('Comparison'));
const headers = async () =>
  (await comparison()).getAllByRole('columnheader').map(({ textContent }) => textContent.trim());
const filter = () => within(screen.getByRole('group', { name: 'Filter' }));

async function inspect(dyno: TestWindow, name: RegExp) {
  await dyno.user.click((await comparison()).getByRole('button', { name }));
  return within(await screen.findByRole('complementary', { name: / on / }));
}

test('the picture is saved as SVG and CSV, and read as a table that follows its metric and filter', async () => {
  const dyno = await openRecorded(duel());
  const save = async (format: string) =>
    choose(dyno, (await comparison()).getByRole('button', { name: 'Save the comparison' }), `Save as ${format}…`);
  // The test has no server for the file of the font.
  vi.stubGlobal('fetch', async () => new Response('font'));
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  await save('SVG');
  await save('CSV');
  await expect.poll(() => dyno.saved.map(({ format }) => format)).toEqual(['svg', 'csv']);
  const [svg = '', csv = ''] = dyno.saved.map(({ data }) => data);
  expect(svg).toMatch(/^<svg [^>]*xmlns=/);
  expect(svg).toContain('multiRow');
  const [head, ...rows] = csv.trim().split(/\r?\n/);
  expect(head).toContain('variant,target');
  expect(rows.filter((row) => row.includes('sqlite'))).toHaveLength(2);

  await dyno.user.click((await comparison()).getByRole('radio', { name: 'Table' }));
  await fill(dyno, (await comparison()).getByRole('searchbox', { name: /Filter/ }), 'multi');
  await expect
    .poll(async () => (await comparison()).getAllByRole('rowheader').map(({ textContent }) => textContent))
    .toEqual(['multiRow']);
  await choose(dyno, (await comparison()).getByRole('button', { name: /Metric/ }), 'p50 latency');
  await (await comparison()).findByRole('button', { name: /multiRow on sqlite:.*(µs|ms)/ });
});

test('a bar opens its details, and the baseline changes only by its button', async () => {
  const dyno = await openRecorded(duel());
  await dyno.user.click((await comparison()).getByRole('radio', { name: 'Table' }));
  expect(await headers()).toEqual(['Variant', 'sqlite', 'noop']);
  await dyno.user.click(filter().getByText('noop'));
  await expect.poll(headers).toEqual(['Variant', 'sqlite']);
  await dyno.user.click(filter().getByText('noop'));

  // A cell opens its details, in which the user can change the baseline.
  const details = await inspect(dyno, /^multiRow on sqlite:/);
  await details.findByRole('img', { name: /^Where the client’s time went/ });
  await dyno.user.click(details.getByRole('button', { name: 'Compare with this' }));
  await expect
    .poll(async () => (await region('Comparison')).textContent)
    .toContain('Ratios refer to multiRow on sqlite.');
  const cell = async (name: RegExp) => (await comparison()).getByRole('button', { name });
  expect(await cell(/^multiRow on sqlite:/)).toHaveTextContent('baseline');
  expect(await cell(/^prepared on sqlite:/)).toHaveTextContent(/80 % slower/);

  // A hidden baseline stays the baseline.
  await choose(dyno, filter().getByRole('button', { name: /Variant/ }), /prepared$/);
  await expect
    .poll(async () => (await comparison()).queryAllByRole('button', { name: /^multiRow on sqlite:/ }))
    .toEqual([]);
  expect(await region('Comparison')).toHaveTextContent('Ratios refer to multiRow on sqlite.');
  await choose(dyno, filter().getByRole('button', { name: /Variant/ }), 'All variants');

  // The panel stays open, and shows the next cell that is chosen.
  const others = await inspect(dyno, /^prepared on noop:/);
  await dyno.user.click(others.getByRole('button', { name: 'Compare with this' }));
  await expect
    .poll(async () => (await region('Comparison')).textContent)
    .toContain('Ratios refer to prepared on noop.');
  await press(dyno, screen.getByRole('complementary', { name: 'prepared on noop' }), 'Escape');
  expect(screen.queryByRole('complementary', { name: / on / })).toBeNull();
  expect(await cell(/^prepared on noop:/)).toHaveFocus();

  // The selection survives a change of tab; a bar opens the same details by keyboard.
  await openTab(dyno, 'Latency');
  await openTab(dyno, 'Summary');
  expect((await comparison()).getByRole('radio', { name: 'Table' })).toBeChecked();
  await dyno.user.click((await comparison()).getByRole('radio', { name: 'Chart' }));
  await press(dyno, await (await comparison()).findByRole('button', { name: /^multiRow on sqlite:/ }), 'Enter');
  const byKey = within(await screen.findByRole('complementary', { name: / on / }));
  await byKey.findByLabelText('Trials');
});

test('the details of a cell have the rows and bytes per second of the load of a table from a file', async () => {
  const tableLoads = [{ table: 'sales', rows: 50_000, bytes: 4 * 2 ** 20, ms: 2_000 }];
  const dyno = await openRecorded(
    madeJournal({
      targets: [{ name: 'sqlite' }, { name: 'noop' }],
      trial: ({ target }) => ({ result: target === 'sqlite' ? { tableLoads } : {} }),
    }),
  );
  await dyno.user.click((await comparison()).getByRole('radio', { name: 'Table' }));
  const loaded = await inspect(dyno, / on sqlite:/);
  const load = within(await loaded.findByRole('table', { name: 'Loads' })).getByRole('row', { name: /^sales/ });
  expect(
    within(load)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent),
  ).toEqual(['50,000', expect.stringMatching(/^25\.0k/), '2.00\u00a0MiB/s']);
  const others = await inspect(dyno, / on noop:/);
  await others.findByLabelText('Trials');
  expect(others.queryByRole('table', { name: 'Loads' })).toBeNull();
});

/** Two targets whose best variants differ. */
const engines = () =>
  madeJournal({
    factors: { connections: [1, 8] },
    targets: [{ name: 'Alpha' }, { name: 'Beta' }],
    trial: ({ settings: { connections }, target, repeat }) => ({
      rate: (target === 'Alpha' ? 2_000 : 1_000) * (connections === 8 ? 3 : 1) * (1 + 0.01 * (repeat % 3)),
    }),
  });

test('the switch beside the answer compares targets or levels, in the answer, the table and the exported report', async () => {
  const dyno = await openRecorded(engines());
  const answer = async () => within(await region('Verdicts'));
  const text = async () => (await region('Verdicts')).textContent;
  expect(await text()).toMatch(/Alpha is 2\S*× \(\S+\) as fast as Beta, both at 8 connections/);
  expect(await region('Comparison')).toHaveTextContent('Ratios refer to the same variant on Alpha.');
  await dyno.user.click((await answer()).getByRole('radio', { name: 'Levels' }));
  await expect.poll(text).toMatch(/Connections: 8 against 1: 3\S*× faster on Alpha and Beta/);
  expect(await region('Comparison')).toHaveTextContent('Ratios refer to Connections: 1 on the same target.');
  // The experiment has no file of the user.
  expect((await answer()).queryByRole('button', { name: 'Keep in the experiment' })).toBeNull();
  await dyno.user.click((await answer()).getByRole('radio', { name: 'Targets' }));
  await expect.poll(text).toMatch(/as fast as Beta, both at 8 connections/);
});

test('the choice is kept in the experiment with one press, and taken back with another', async () => {
  const dyno = await openRecorded(engines());
  const journal = [...engines()][0]!;
  const { request } = await import('../../state/bridge.ts');
  const text = journal.record === 'header' ? journal.yaml : '';
  const { id } = await request('experiments:save', { id: null, text });
  const kept = async () => (await request('experiments:read', { id })).text;
  const answer = within(await region('Verdicts'));
  expect(answer.queryByRole('button', { name: 'Keep in the experiment' })).toBeNull();
  await dyno.user.click(answer.getByRole('radio', { name: 'Levels' }));
  await dyno.user.click(await answer.findByRole('button', { name: 'Keep in the experiment' }));
  await expect.poll(kept).toContain('compare: levels');
  // Undo takes back this change alone.
  await request('experiments:save', { id, text: `# Changed since.\n${await kept()}` });
  await dyno.user.click(await screen.findByRole('button', { name: 'Undo' }));
  await expect.poll(kept).not.toContain('compare');
  expect(await kept()).toContain('# Changed since.');
});
