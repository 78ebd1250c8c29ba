import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fullRun } from '#orchestrator/journal/damaged-run.fixture.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { noAnnotation, tagProblem } from '#protocol/run-annotation.ts';
import { annotationFile, readAnnotation } from './run-annotations.ts';
import { openRuns, type Runs } from './runs.ts';

const id = '20260101-120000-0a1b2c3d';
const other = '20260101-130000-0a1b2c3d';
let home: Home;
let runs: Runs;

beforeEach(() => {
  home = homeOf({ DYNO_HOME: temporaryFolder() });
  ensureHome(home);
  for (const one of [id, other]) writeFileSync(join(home.runs, `${one}.dyno-run`), fullRun());
  runs = openRuns(home);
});

const entryOf = async (one: string) => (await runs.list()).find((run) => run.id === one);
const files = () => readdirSync(home.runs).filter((name) => !name.startsWith(other));

test('title, note and tags stand beside their run, and share its way to the trash and back', async () => {
  expect(await entryOf(id)).toMatchObject({ ...noAnnotation, isBaseline: false });
  await runs.annotate(id, { note: 'after the index rebuild', title: 'Rebuilt' });
  await runs.annotate(id, { tags: ['release/1.2', 'größe'], isBaseline: true });
  const annotated = {
    ...{ title: 'Rebuilt', note: 'after the index rebuild', tags: ['release/1.2', 'größe'] },
    isBaseline: true,
  };
  expect(await entryOf(id)).toMatchObject(annotated);
  const { undo } = runs.delete(id);
  expect(files()).toEqual([]);
  runs.restore(undo);
  expect(await entryOf(id)).toMatchObject(annotated);

  await runs.annotate(id, { title: '', note: ' ', tags: [] });
  expect(files()).toEqual([`${id}.dyno-run`]);
  await expect(runs.annotate('20260101-120000-ffffffff', { note: 'x' })).rejects.toThrow('does not exist');
});

test('new tags are made from the tags of that moment, and tags that are refused change nothing', async () => {
  const add = (tag: string) => (present: readonly string[]) => [...present, tag];
  await Promise.all(['first', 'second'].map((tag) => runs.annotate(id, { title: tag }, add(tag))));
  expect(readAnnotation(home, id)).toEqual({ title: 'second', note: '', tags: ['first', 'second'] });
  writeFileSync(annotationFile(home, id), 'not JSON');
  const refuse = () => {
    throw new Error('no tag');
  };
  await expect(runs.annotate(id, {}, refuse)).rejects.toThrow('no tag');
  expect(files()).toEqual([`${id}.dyno-annotation.json`, `${id}.dyno-run`]);
});

test('a run that is restored beside a newer file of its name keeps its annotation', async () => {
  await runs.annotate(id, { title: 'Old' });
  const { undo } = runs.delete(id);
  writeFileSync(join(home.runs, `${id}.dyno-run`), fullRun());
  runs.restore(undo);
  expect(await entryOf(id)).toMatchObject({ title: '' });
  expect(await entryOf(`${id}-2`)).toMatchObject({ title: 'Old' });
});

test('an experiment has one baseline, and a damaged file of baselines is set aside', async () => {
  await runs.annotate(id, { isBaseline: true });
  await runs.annotate(other, { isBaseline: true });
  const pinned = async () => (await runs.list()).filter(({ isBaseline }) => isBaseline).map((run) => run.id);
  expect(await pinned()).toEqual([other]);
  await runs.annotate(id, { isBaseline: false });
  expect(await pinned()).toEqual([other]);
  writeFileSync(home.baselines, '[{"experiment":7}]');
  expect(await pinned()).toEqual([]);
  await runs.annotate(id, { isBaseline: true });
  expect(await pinned()).toEqual([id]);
  expect(readdirSync(home.root).filter((name) => name.startsWith('baselines.json.damaged'))).toHaveLength(1);
});

test('an annotation that Dyno has not written counts as far as it could have', async () => {
  const read = (content: string) => {
    writeFileSync(annotationFile(home, id), content);
    return readAnnotation(home, id);
  };
  expect(read('not JSON')).toEqual(noAnnotation);
  expect(read(`"${'x'.repeat(300_000)}"`)).toEqual(noAnnotation);
  expect(read('{"title":"two\\nlines","note":"kept","tags":["\\u001b[2J","v1","v1",7]}')).toEqual({
    title: '',
    note: 'kept',
    tags: ['v1'],
  });
  expect(read('{"title":7,"tags":"x"}')).toEqual(noAnnotation);
  // A change does not destroy a file that cannot be read.
  read('not JSON');
  await runs.annotate(id, { title: 'New' });
  expect(readAnnotation(home, id)).toEqual({ ...noAnnotation, title: 'New' });
  expect(files().filter((name) => name.includes('.damaged-'))).toHaveLength(1);
  rmSync(annotationFile(home, id));
});

test('a tag is a word that a command line takes as it is', () => {
  for (const tag of ['v1.2', 'release/1.2', 'nightly', '2026', 'größe', 'a+b']) expect(tagProblem(tag)).toBeNull();
  for (const tag of ['', 'two words', '-x', '#x', 'a,b', 'a\nb', 'x'.repeat(41), 'last', 'Baseline'])
    expect(tagProblem(tag)).toMatch(/\.$/);
});
