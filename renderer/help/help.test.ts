import { expect, test } from 'vitest';
import * as rules from '#analysis/findings/rules.ts';
import { catalog } from '#engines/catalog.ts';
import { settingNames } from '#model/settings/settings.ts';
import { outline } from '#presentation/outline/outline.ts';
import { loadPassages } from './documents.ts';
import {
  engineTopic,
  fileTopic,
  findingTopic,
  liveTopic,
  methodTopic,
  panelTopic,
  runsTopic,
  settingTopic,
} from './help-store.ts';
import { passageAbout, search, type Topic } from './passages.ts';

const all = await loadPassages();
/** The topics for which the documentation has no passage. */
const missing = (topics: readonly Topic[]) => topics.filter((topic) => passageAbout(all, topic) === null);

test('every panel, finding, setting, option and engine has a passage', () => {
  const titles = outline.flatMap(({ title }) => (typeof title === 'string' ? [title] : []));
  expect(titles.length).toBeGreaterThan(30);
  expect(missing(titles.map(panelTopic))).toEqual([]);
  expect(missing(Object.values(rules).map(({ title }) => findingTopic(title)))).toEqual([]);
  expect(missing(settingNames.map(settingTopic))).toEqual([]);
  const descriptors = catalog.map(({ descriptor }) => descriptor);
  expect(
    missing(descriptors.flatMap(({ id, options }) => (options ?? []).map(({ name }) => settingTopic(`${id}.${name}`)))),
  ).toEqual([]);
  expect(missing(descriptors.map(({ id }) => engineTopic(id)))).toEqual([]);
  expect(
    missing(['measure', 'targets', 'factors', 'statements', 'checks', 'tables', 'dataset'].map(fileTopic)),
  ).toEqual([]);
});

test('a setting leads to its own row, a panel to the section that explains it', () => {
  expect(passageAbout(all, settingTopic('rowsPerCall'))?.title).toBe('Settings');
  expect(passageAbout(all, settingTopic('operation'))?.title).toBe('Settings');
  expect(passageAbout(all, panelTopic('Within the trials'))?.title).toBe('Within a trial');
  expect(passageAbout(all, { document: 'reading-results', term: 'nowhere' })).toBeNull();
});

test('the search finds passages by all words, titles first', () => {
  const [first, ...others] = search(all, 'scalability');
  expect(first?.title).toBe('Scalability');
  expect(others.length).toBeGreaterThan(0);
  expect(search(all, 'scalability qqq')).toEqual([]);
  expect(search(all, '  ')).toEqual([]);
});
