import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import {
  choose,
  fill,
  goTo,
  openSection,
  openWindow,
  press,
  region,
  select,
  type TestWindow,
} from '../dev/window.fixture.tsx';

const cards = async () => within(await region('Gallery')).getAllByRole('listitem');
const heading = async (name: string) => within(await region('Gallery')).queryByRole('heading', { name });

async function openGallery(): Promise<TestWindow> {
  const dyno = await openWindow();
  await goTo(dyno, 'Experiments');
  await screen.findByRole('button', { name: 'About Insert duel' });
  return dyno;
}

async function chooseByKeys(dyno: TestWindow, field: RegExp, option: string): Promise<void> {
  await press(dyno, screen.getByRole('button', { name: field }), 'Enter');
  await press(dyno, await screen.findByRole('option', { name: option }), 'Enter');
}

test('cards say where an experiment runs and how long it takes', async () => {
  await openGallery();
  const [card] = (await cards()).filter((one) => within(one).queryByRole('button', { name: 'Insert duel' }));
  expect(card).toHaveTextContent(/\d+ (s|min) · every engine · 3 sizes/);
});

test('experiments are grouped by their kind of question, and examples of findings are the last group', async () => {
  await openGallery();
  const groups = within(await region('Gallery')).getAllByRole('region');
  expect(groups.map((group) => group.getAttribute('aria-label'))).toEqual([
    ...['Writing', 'Reading', 'Transactions', 'Mixes', 'Load', 'Own SQL', 'Engine-specific', 'Diagnosis'],
  ]);
  const titles = (group: HTMLElement) =>
    within(group)
      .getAllByRole('heading', { level: 4 })
      .map((one) => one.textContent);
  expect(titles(groups.at(-1)!).every((title) => title?.startsWith('Finding: '))).toBe(true);
  expect(
    groups
      .slice(0, -1)
      .flatMap(titles)
      .some((title) => title?.startsWith('Finding: ')),
  ).toBe(false);
});

test('no card moves when the plans of the gallery arrive', async () => {
  const dyno = await openWindow();
  const names = async () => (await cards()).map((card) => within(card).getByRole('heading').textContent);
  await goTo(dyno, 'Experiments');
  const before = await names();
  await expect.poll(() => screen.getByRole('button', { name: 'About Insert duel' })).toBeEnabled();
  expect(await names()).toEqual(before);
});

test('the gallery is narrowed by engine with the keyboard alone', async () => {
  const dyno = await openGallery();
  // The experiment has no cell there, because prepared statements read no documents.
  await chooseByKeys(dyno, /Runs on/, 'MongoDB');
  await expect.poll(() => heading('Fetch size')).toBeNull();
  expect(await heading('Insert duel')).toBeVisible();
});

test('a search looks through all texts of an experiment', async () => {
  const dyno = await openGallery();
  const all = (await cards()).length;
  await fill(dyno, screen.getByRole('searchbox', { name: 'Search experiments' }), 'p99');
  await expect.poll(async () => (await cards()).length).toBeLessThan(all);
  expect(await heading('Highest rate within a limit')).toBeVisible();
});

test('an experiment has a page of its own', async () => {
  const dyno = await openGallery();
  await press(dyno, screen.getByRole('button', { name: 'About Insert duel' }), 'Enter');
  await screen.findByRole('heading', { level: 1, name: 'Insert duel' });
  expect(await region('Published figures')).toHaveTextContent('SQL Server 2008 R2');
  screen.getByText('Look at');
  const rows = within(await region('Engines')).getAllByRole('row');
  expect(rows).toHaveLength(10);
  expect(rows.filter((row) => row.textContent?.includes('your own'))).toHaveLength(2);
  expect(rows.filter((row) => row.textContent?.includes('local-snappydata'))).toHaveLength(1);
});

test('a size is chosen on the page, shown by the form, and changed there', async () => {
  const dyno = await openGallery();
  await dyno.user.click(screen.getByRole('button', { name: 'About Insert duel' }));
  await dyno.user.click(within(await region('Sizes')).getByRole('button', { name: 'published' }));
  const rows = () => screen.findByRole('textbox', { name: 'Rows' });
  await openSection(dyno, /Workload/);
  await expect.poll(async () => ((await rows()) as HTMLInputElement).value).toBe('500000');
  await fill(dyno, await rows(), '400000');
  await dyno.user.tab();
  await openSection(dyno, /Question/);
  expect(select('Size$')).toHaveTextContent('published');
  await choose(dyno, select('Size$'), /^As written/);
  await openSection(dyno, /Workload/);
  expect(await rows()).toHaveValue('20000');
  await openSection(dyno, /Question/);
  await choose(dyno, select('Size$'), 'published');
  await openSection(dyno, /Workload/);
  expect(await rows()).toHaveValue('400000');
});

test('published stories lead to their pages, these to experiments, and experiments back to their stories', async () => {
  const dyno = await openGallery();
  const list = within(await region('Published stories'));
  expect(list.getAllByRole('listitem')).toHaveLength(5);
  await dyno.user.click(list.getByRole('button', { name: 'A bet between MongoDB and SQL Server' }));
  const story = within(await region('About the story'));
  expect(await story.findByText(/Eight connections instead of one/)).toBeVisible();
  await dyno.user.click(story.getAllByRole('button', { name: 'insert-duel' })[0]!);
  const told = within(await region('Published stories'));
  expect(told.getAllByRole('listitem').length).toBeGreaterThan(0);
  await dyno.user.click(told.getByRole('button', { name: 'A bet between MongoDB and SQL Server' }));
  await region('About the story');
});
