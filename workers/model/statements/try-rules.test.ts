import { expect, test } from 'vitest';
import { readsOnly } from './reads-only.ts';
import type { StatementLanguage } from './statement-text.ts';
import { notTriedText } from './try-rules.ts';

const postgres: StatementLanguage = { language: 'sql', quoting: ['eString', 'dollar', 'nested'], undoesDdl: true };
const mysql: StatementLanguage = { language: 'sql', quoting: ['backslash', 'backtick', 'hash'] };
const json: StatementLanguage = { language: 'json' };
const rql: StatementLanguage = { language: 'rql' };
const none = 'no transactions here.';

test.each([
  ['SELECT 1', postgres, true],
  ['  -- update\n select * from "update" where a = \'delete\'', postgres, true],
  ['WITH gone AS (DELETE FROM t RETURNING *) SELECT * FROM gone', postgres, false],
  ['SELECT * INTO copy FROM t', postgres, false],
  ['UPDATE t SET a = 1', postgres, false],
  ['EXPLAIN ANALYZE DELETE FROM t', postgres, false],
  ['{ "find": "t" }', json, true],
  ['{ "aggregate": "t", "pipeline": [{ "$out": "u" }], "cursor": {} }', json, false],
  ['{ "dropDatabase": 1 }', json, false],
  ["from t where a = 'update'", rql, true],
  ['from t update { this.a = 1 }', rql, false],
  ['{ "Ids": ["t/1"] }', rql, true],
  ['{ "Query": "from t" }', rql, true],
  ['{ "Query": "from t update { this.a = 1 }" }', rql, false],
  ['{ "Type": "DELETE", "Id": "t/1" }', rql, false],
  ['{ "Commands": [] }', rql, false],
] as const)('%s', (text, language, reads) => {
  expect(readsOnly(text, language)).toBe(reads);
});

test('a statement that a rollback undoes is tried', () => {
  for (const text of ['SELECT 1', 'DELETE FROM t;', 'CREATE TABLE u (a int)', 'INSERT INTO t VALUES (1) -- ; x'])
    expect(notTriedText(text, postgres, undefined, null), text).toBeNull();
  expect(notTriedText('{ "insert": "t", "documents": [] }', json, undefined, null)).toBeNull();
  expect(notTriedText('{ "Type": "DELETE", "Id": "t/1" }', rql, undefined, null)).toBeNull();
});

test('a mistyped query goes to the server, whose error explains it', () => {
  for (const text of ['SELEC 1', 'slect 1', 'UPDTE t SET a = 1', 'INSRET INTO t VALUES (1)', 'DELTE FROM t'])
    expect(notTriedText(text, postgres, undefined, null), text).toBeNull();
  const sqlServer = { ...postgres, callsByName: true } as const;
  expect(notTriedText('SELEC 1', sqlServer, undefined, null)).toMatch(/^SELEC: did you mean SELECT\? A procedure/);
  for (const text of ['SET a = 1', 'RESET a', 'REFRESH x', 'DO $$ $$', 'LISTEN x', 'XYZZY x'])
    expect(notTriedText(text, postgres, undefined, null), text).toContain('only queries');
});

test.each([
  ['a definition that commits', 'CREATE TABLE u (a int)', mysql, /commits by itself/],
  ['a commit', 'COMMIT', postgres, /COMMIT/],
  ['a commit behind something', 'SELECT 1; COMMIT; DELETE FROM t', postgres, /several statements/],
  ['a commit without a semicolon', 'SELECT 1 COMMIT DELETE FROM t', postgres, /COMMIT/],
  ['a commit in an executable comment', 'SELECT 1 /*!; COMMIT */', mysql, /comment/],
  ['a procedure', 'CALL pay(1)', mysql, /CALL/],
  ['a file on the server', "SELECT 1 INTO OUTFILE '/tmp/x'", mysql, /OUTFILE/],
  ['anything else', 'VACUUM t', postgres, /VACUUM/],
  ['SQL for an engine that takes JSON', 'SELECT 1', json, /no command in JSON/],
  ['a command that no transaction holds', '{ "drop": "t" }', json, /drop/],
] as const)('%s is not', (_what, text, language, reason) => {
  expect(notTriedText(text, language, undefined, null)).toMatch(reason);
});

const batches: StatementLanguage = {
  language: 'sql',
  quoting: ['bracket', 'nested'],
  blocks: { notBefore: ['tran', 'transaction'] },
  batches: true,
  undoesDdl: true,
  callsByName: true,
  reads: { heads: 'select with', refused: 'exec grant open' },
  beginnings: { words: ['select', 'insert', 'open', 'set', 'if', 'while'], notBehind: [], within: {} },
};

test('a batch of T-SQL is tried where a rollback undoes all of it, and reads where no statement in it changes anything', () => {
  const loop = 'DECLARE @i int = 0 WHILE @i < 3 BEGIN INSERT INTO t (a) VALUES (@i) SET @i += 1 END';
  const reads = 'DECLARE @n int; SELECT @n = COUNT(*) FROM t; IF @n > 1 SELECT 1 ELSE BEGIN SELECT 2 END';
  for (const text of [loop, reads, 'BEGIN TRY DELETE FROM t; END TRY BEGIN CATCH PRINT 1 END CATCH'])
    expect(notTriedText(text, batches, undefined, null), text).toBeNull();
  expect([loop, reads].map((text) => readsOnly(text, batches))).toEqual([false, true]);
  for (const text of [
    'SELECT 1; IF 1 = 1 EXEC p',
    'DECLARE @x int; SELECT 1 INTO u',
    'IF 1 = 1 OPEN c',
    'IF 1 = 1 GRANT a TO b',
  ])
    expect(readsOnly(text, batches), text).toBe(false);
});

test.each([
  ['DECLARE @x int; BEGIN TRAN; DELETE FROM t; COMMIT', /BEGIN/],
  ['IF 1 = 1 EXEC pay', /EXEC/],
  ['WHILE 1 = 1 BEGIN DELETE FROM t; COMMIT END', /COMMIT/],
  ["DECLARE @f nvarchar(9) = N'f'; BACKUP DATABASE d TO DISK = @f", /BACKUP/],
] as const)('the batch %s is not', (text, reason) => {
  expect(notTriedText(text, batches, undefined, null)).toMatch(reason);
});

test('without a rollback only reads are tried, whatever the file says of others', () => {
  expect(notTriedText('{ "find": "t" }', json, undefined, none)).toBeNull();
  expect(notTriedText('{ "delete": "t", "deletes": [] }', json, true, none)).toContain(none);
  expect(notTriedText('{ "find": "t" }', json, false, none)).toContain(none);
  expect(notTriedText('from t', rql, undefined, none)).toBeNull();
});
