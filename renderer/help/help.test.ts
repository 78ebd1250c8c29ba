import { expect, test } from 'vitest';
import * as rules from '#analysis/findings/rules.ts';
import { catalog } from '#engines/catalog.ts';
import { experimentSchema } from '#experiment/schema/experiment.ts';
import { factsOf } from '#model/file-key.ts';
import { settingNames } from '#model/settings/settings.ts';
import { alternatives, type Shape, shapeOf, valueShape } from '#model/shape.ts';
import { outline } from '#presentation/outline/outline.ts';
import type { KeyPath } from '../builder/draft/raw-experiment.ts';
import { documentedKey } from '../builder/form/form-field.ts';
import { loadPassages } from './documents.ts';
import {
  engineTopic,
  fileTopic,
  findingTopic,
  keyTopic,
  liveTopic,
  loadHostsTopic,
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

test('every number of a live run and of the list of runs has its row', () => {
  const own = (topic: Topic) => passageAbout(all, topic)!;
  for (const number of ['Progress of the run', 'Trials', 'Throughput', 'Latency p99', 'Load generator busy', 'Errors'])
    expect(own(liveTopic).text).toContain(`| ${number} |`);
  for (const number of ['Cores and memory', 'Leaderboard so far', 'Latest values'])
    expect(own(liveTopic).text).toContain(`| ${number} |`);
  expect(own(liveTopic).text).toContain('| Load hosts |');
  expect(own(loadHostsTopic).title).toBe('Load hosts');
  for (const column of ['Data', 'State', 'Duration', 'Picture', 'Fastest'])
    expect(own(runsTopic).text).toContain(`| ${column} |`);
  expect(own(methodTopic).title).toBe('Methods of all engines');
});

/** The paths of all keys with a title in the schema. The tables of types list other keys. */
const labelled = (shape: Shape, path: KeyPath = []): readonly KeyPath[] => [
  ...(factsOf(shape)?.label === undefined ? [] : [path]),
  ...(['variant', 'lazy'].includes(valueShape(shape).type) ? [] : alternatives(shape)).flatMap((form) => [
    ...Object.entries(form.entries ?? {}).flatMap(([key, entry]) => labelled(entry, [...path, key])),
    ...(form.item ? labelled(form.item, [...path, 0]) : []),
    ...(form.value ? labelled(form.value, [...path, 'NAME']) : []),
  ]),
];

test('every input of the builder leads to the row of its key', () => {
  const sources = import.meta.glob<string>('../builder/**/*.tsx', { query: '?raw', import: 'default', eager: true });
  const written = Object.values(sources).flatMap((text) =>
    [...text.matchAll(/ help="([\w.]+)"/g)].flatMap(([, key]) => key ?? []),
  );
  const { workload: _, factors: __, sizes: ___, ...entries } = experimentSchema.entries;
  const paths = Object.entries(entries).flatMap(([key, entry]) => labelled(shapeOf(entry), [key]));
  const keys = new Set([...written, ...paths.map(documentedKey)]);
  expect(keys.size).toBeGreaterThan(40);
  const rowless = [...keys].filter((key) => !passageAbout(all, keyTopic(key))?.text.includes(`| \`${key}\` |`));
  expect(rowless).toEqual([]);
  expect(missing(['Columns', 'Parameters'].map(fileTopic))).toEqual([]);
});
