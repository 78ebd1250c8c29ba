import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fixtureJournal } from '#analysis/run-model/run.fixture.ts';
import { ensureHome, type Home, homeOf } from '#platform/paths.ts';
import { openRunEntries } from './run-entries.ts';

const whole = new Date('2026-01-01T12:00:00Z');
const all = { size: null, last: null, since: null } as const;

let home: Home;
let files: readonly string[];

/** Three runs of one experiment, one a day. */
beforeEach(() => {
  home = homeOf({ DYNO_HOME: mkdtempSync(join(tmpdir(), 'dyno-index-')) });
  ensureHome(home);
  const text = [...fixtureJournal({ connections: [1], repeats: 2 })].map((one) => `${JSON.stringify(one)}\n`).join('');
  const started = /"at":"([^"]*)"/.exec(text)![1]!;
  files = [1, 2, 3].map((day) => {
    const id = `2026010${day}-120000-0a1b2c3d`;
    const file = join(home.runs, `${id}.dyno-run`);
    const own = text.replace(/"runId":"[^"]*"/, `"runId":"${id}"`).replace(started, `2026-01-0${day}T12:00:00.000Z`);
    writeFileSync(file, own);
    utimesSync(file, whole, whole);
    return file;
  });
});
afterEach(() => rmSync(home.root, { recursive: true }));

const days = ['20260101', '20260102', '20260103'];

/** Everything that the index keeps, as another process finds it. */
async function found() {
  const entries = openRunEntries(home);
  const list = await entries.list();
  const { name } = list[0]!;
  const alike = await entries.alike(list[0]!.id);
  return { list, history: await entries.history({ name, ...all }), alike };
}

/** Replaces a run file by a text that is no run, of the same size and time. */
function hide(file: string): void {
  writeFileSync(file, 'x'.repeat(statSync(file).size));
  utimesSync(file, whole, whole);
}

const inDatabase = (text: string) => () => {
  const database = new DatabaseSync(home.runIndex);
  database.exec(text);
  database.close();
};

test('runs that another process has read are listed, and shown over time, without their files', async () => {
  const first = await found();
  expect(first.history.runs.map(({ startedAt }) => startedAt.slice(0, 10))).toEqual([
    '2026-01-01',
    '2026-01-02',
    '2026-01-03',
  ]);
  expect(first.history.series.length).toBeGreaterThan(2);
  for (const { points } of first.history.series) expect(points.map(({ run }) => run)).toEqual([0, 1, 2]);
  expect(first.alike.ids.map((id) => id.slice(0, 8))).toEqual(days);
  expect(first.alike.times.length).toBeGreaterThan(2);
  for (const { runs } of first.alike.times) expect(runs.map(({ id }) => id.slice(0, 8))).toEqual(days);
  expect(process.platform === 'win32' ? 0 : statSync(home.runIndex).mode & 0o077).toBe(0);
  for (const file of files) hide(file);
  expect(await found()).toEqual(first);
});

test('an index that is damaged, missing, of another version or wrong is made again', async () => {
  const first = await found();
  for (const damage of [
    () => truncateSync(home.runIndex, 40),
    () => writeFileSync(home.runIndex, 'no database'),
    () => rmSync(home.runIndex),
    inDatabase('PRAGMA user_version = 7'),
    inDatabase('DROP TABLE run_part'),
    inDatabase(`UPDATE run SET entry = '{"id":7}'`),
    inDatabase(`UPDATE run SET entry = 'no JSON'`),
    inDatabase(`UPDATE part SET text = 'no JSON'`),
  ]) {
    damage();
    expect(await found()).toEqual(first);
  }
});

test('where the index cannot be written, the runs are read each time', async () => {
  mkdirSync(home.runIndex);
  expect((await found()).history.runs).toHaveLength(3);
});

test('processes that write the index at once, and lose it, have the same runs', async () => {
  const entries = [openRunEntries(home), openRunEntries(home), openRunEntries(home)];
  const lists = await Promise.all(entries.map((one) => one.list()));
  for (const list of lists) expect(list).toEqual(lists[0]);
  for (const ending of ['', '-wal', '-shm']) rmSync(`${home.runIndex}${ending}`, { force: true });
  const histories = await Promise.all(entries.map((one) => one.history({ name: lists[0]![0]!.name, ...all })));
  for (const history of histories) expect(history).toEqual((await found()).history);
});

test('a run that is deleted, changed or older than asked for leaves the history', async () => {
  const { list } = await found();
  const [{ name } = { name: '' }] = list;
  const days = async (asked: object) =>
    (await openRunEntries(home).history({ name, ...all, ...asked })).runs.map(({ id }) => id.slice(6, 8));
  expect(await days({ last: 2 })).toEqual(['02', '03']);
  expect(await days({ since: '2026-01-02T00:00:00.000Z', last: 5 })).toEqual(['02', '03']);
  expect(await days({ size: 'Large' })).toEqual([]);
  rmSync(files[0]!);
  writeFileSync(files[1]!, 'no run');
  expect(await days({})).toEqual(['03']);
});

test('runs measured the same if no version, setting or part of the experiment was edited between them', async () => {
  const text = readFileSync(files[1]!, 'utf8');
  const edited = text.replace(/"rows":\d+/, '"rows":7');
  expect(edited).not.toBe(text);
  writeFileSync(files[1]!, edited);
  const { alike, list } = await found();
  expect(alike.ids.map((id) => id.slice(0, 8))).toEqual(['20260101', '20260103']);
  for (const { runs } of alike.times) expect(runs.map(({ id }) => id)).toEqual(alike.ids);
  expect((await openRunEntries(home).alike(list[1]!.id)).ids).toEqual([list[1]!.id]);
  expect(await openRunEntries(home).alike('no such run')).toEqual({ ids: [], times: [] });
});

test('the index keeps nothing of deleted runs', async () => {
  await found();
  for (const file of files) rmSync(file);
  await openRunEntries(home).list();
  const database = new DatabaseSync(home.runIndex);
  for (const table of ['run', 'run_part', 'part'])
    expect(database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()).toEqual({ rows: 0 });
  database.close();
});
