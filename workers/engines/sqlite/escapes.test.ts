import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { beforeTests } from '#platform/before-tests.fixture.ts';
import { type Escapist, escapist, openFolder } from '../conformance/escapes.fixture.ts';
import { config } from './config.ts';
import { engine } from './engine.ts';

const [own, others] = [openFolder(), openFolder()];
const written = join(others.path, 'written.db');
const theirs = join(others.path, 'private.db');
let trial: Escapist;

beforeTests(async (opened) => {
  for (const folder of [own, others]) opened.use(folder);
  using database = new DatabaseSync(theirs);
  database.exec('CREATE TABLE secrets (line TEXT)');
  trial = opened.use(await escapist(engine, config, { path: own.path }));
});

const escapes = [
  `ATTACH '${theirs}' AS theirs`,
  `ATTACH DATABASE '${written}' AS made`,
  `/* a comment */ attach '${written}' as made`,
  `; ATTACH '${written}' AS made`,
  'DETACH main',
  `VACUUM INTO '${written}'`,
  `VACUUM main INTO '${written}'`,
  `-- a comment\nvacuum/* */into '${written}'`,
  `; VACUUM INTO '${written}'`,
  `/* /* */ VACUUM INTO '${written}' --*/`,
  `PRAGMA temp_store_directory = '${others.path}'`,
  `PRAGMA data_store_directory('${others.path}')`,
  'PRAGMA journal_mode = PERSIST',
  'PRAGMA main.journal_mode(off)',
  'PRAGMA writable_schema = ON',
  'PRAGMA application_id = 0',
  'PRAGMA user_version(1)',
  'PRAGMA locking_mode = EXCLUSIVE',
  "SELECT load_extension('/tmp/library.so')",
  "SELECT fts3_tokenizer('simple', x'00')",
];
const methods: readonly MethodName[] = ['literal', 'bind', 'prepared'];

test.each(escapes.flatMap((text) => methods.map((method) => [text, method] as const)))(
  '%s by %s is refused, and nothing is written',
  async (text, method) => {
    expect(await trial.attempt(text, method)).toMatchObject({ kind: 'permission' });
    expect(others.entries()).toEqual(['private.db']);
    expect(existsSync(written)).toBe(false);
  },
);

test.each(["SELECT writefile('x', 'y')", "SELECT readfile('/etc/passwd')", "SELECT * FROM fsdir('/')"])(
  'the library has no function for files: %s',
  async (text) => {
    expect(await trial.attempt(text, 'literal')).toMatchObject({ message: expect.stringMatching(/no such|beyond/) });
  },
);

test.each([
  'PRAGMA journal_mode',
  'PRAGMA table_info(sqlite_schema)',
  'PRAGMA cache_size = 100',
  'SELECT 1',
  'CREATE TABLE mine (x)',
  "INSERT INTO mine VALUES ('ATTACH; VACUUM INTO')",
  'VACUUM',
  'DROP TABLE mine',
])('%s goes on to work', async (text) => {
  expect(await trial.attempt(text)).toBeNull();
});

test('a text whose table comes with another statement is compiled when it runs', async () => {
  expect(await trial.attempt('SELECT * FROM not_yet')).toMatchObject({ kind: 'syntax' });
});
