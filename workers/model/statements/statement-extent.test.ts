import { expect, test } from 'vitest';
import { extentOf } from './statement-extent.ts';
import type { StatementLanguage } from './statement-text.ts';

const sql: StatementLanguage = { language: 'sql' };
/** Dialects as in descriptors: with blocks, with whole texts, and without semicolons. */
const quotes: StatementLanguage = {
  language: 'sql',
  quoting: ['eString', 'dollar', 'nested'],
  blocks: { onlyBefore: ['atomic'] },
};
const batches: StatementLanguage = {
  language: 'sql',
  quoting: ['bracket', 'nested'],
  wholeTexts: '^(create|alter) (or alter )?(proc|procedure)\\b',
  blocks: { notBefore: ['tran', 'transaction'] },
  batches: true,
  beginnings: {
    words: ['select', 'insert', 'update', 'delete', 'merge', 'exec', 'drop', 'begin', 'if', 'commit'],
    notBehind: ['union', 'all', 'then', 'for', 'inner'],
    within: {
      select: [],
      insert: ['select', 'exec'],
      update: [],
      delete: [],
      merge: [],
      with: ['select', 'insert', 'delete'],
      exec: [],
      declare: [],
    },
  },
};
const backslashes: StatementLanguage = {
  language: 'sql',
  quoting: ['backslash', 'backtick', 'hash'],
  wholeTexts: '^create (\\S+ )*(procedure|trigger)\\b|^begin not atomic\\b',
};

test.each<readonly [string, string, StatementLanguage]>([
  ['one without a semicolon', 'SELECT 1', sql],
  ['one with its semicolon', 'SELECT 1;', sql],
  ['semicolons and comments behind it', 'SELECT 1; -- ; DELETE\n ;; /* ; DELETE FROM t */ ', sql],
  ['an empty one before it', ';WITH x AS (SELECT 1) SELECT 2', sql],
  ['nothing at all', ' ; -- nothing', sql],
  ['quotes', `SELECT ';', "a;b" FROM t WHERE a = 'it''s; x' AND b = :b;`, sql],
  ['backticks, backslashes and a number sign', "SELECT `a;b`, 'it\\'; DELETE', 1 # ; DELETE\n", backslashes],
  ['dollar quotes and escapes', "DO $x$ BEGIN DELETE FROM t; END $x$; -- E'", quotes],
  ['a backslash in an E-string', "SELECT E'\\'; DELETE FROM t --'", quotes],
  ['comments within comments', 'SELECT 1 /* a /* ; */ ; DELETE */', quotes],
  ['brackets of either kind', 'CREATE RULE r AS ON UPDATE TO t DO ALSO (UPDATE a SET b = 1; DELETE FROM c)', sql],
  ['a bracketed name', 'SELECT [a;b] FROM t', batches],
  [
    'a body in the standard’s words',
    'CREATE FUNCTION f() BEGIN ATOMIC SELECT CASE 1 WHEN 1 THEN 2 END; SELECT 2; END;',
    quotes,
  ],
  ['a block', 'BEGIN UPDATE a SET b = 1; DELETE FROM c; END;', batches],
  [
    'a block in a block, and cases',
    'IF 1 = :x BEGIN BEGIN TRY SELECT CASE 1 WHEN 1 THEN 2 END; END TRY BEGIN CATCH SELECT 1; END CATCH END',
    batches,
  ],
  ['either of two', 'IF :x = 1 DELETE FROM a; ELSE BEGIN DELETE FROM b; DELETE FROM c END', batches],
  ['a procedure', 'CREATE OR ALTER PROC p AS UPDATE a SET b = 1; DELETE FROM c', batches],
  [
    'a procedure with a definer',
    'CREATE DEFINER = `a`@`b` PROCEDURE p() BEGIN IF 1 THEN DELETE FROM a; END IF; END',
    backslashes,
  ],
  ['a compound statement', 'BEGIN NOT ATOMIC DELETE FROM a; DELETE FROM b; END', backslashes],
  ['a union', 'SELECT 1 UNION ALL SELECT 2 UNION SELECT 3', batches],
  ['rows from a query, and from a procedure', 'INSERT INTO a (b) SELECT c FROM d', batches],
  ['rows of a procedure', 'INSERT INTO a EXEC p :x', batches],
  [
    'a common table expression before an insert',
    'WITH x AS (SELECT 1 AS b) INSERT INTO a (b) SELECT b FROM x',
    batches,
  ],
  [
    'branches of a merge',
    'MERGE INTO a USING b ON a.c = b.c WHEN MATCHED THEN UPDATE SET c = 1 WHEN NOT MATCHED THEN INSERT (c) VALUES (1);',
    batches,
  ],
  ['a join by merging', 'SELECT 1 FROM a INNER MERGE JOIN b ON a.c = b.c', batches],
  ['a batch with a variable', 'DECLARE @x int = 1 DELETE FROM a WHERE b = @x', batches],
  [
    'a batch that declares a variable later',
    'SET NOCOUNT ON; DECLARE @x int = :x; UPDATE a SET b = @x; DELETE FROM c',
    batches,
  ],
  [
    'a batch with a loop',
    'DECLARE @i int = 0;\nBEGIN TRAN\nWHILE @i < :n BEGIN INSERT INTO a (b) VALUES (@i); SET @i += 1; END;\nCOMMIT',
    batches,
  ],
  [
    'an update that inserts what it did not find',
    'UPDATE a SET b = :b WHERE c = :c; IF @@ROWCOUNT = 0 INSERT INTO a (b) VALUES (:b)',
    batches,
  ],
  [
    'a batch with errors that it catches',
    'BEGIN TRY DELETE FROM a; END TRY BEGIN CATCH SELECT 1; END CATCH; SELECT 2',
    batches,
  ],
  ['names that look like words', 'SELECT @update, [delete], t.inserted FROM t -- drop', batches],
  ['a first word that objects have', 'constructor x', batches],
])('%s is one statement', (_what, text, language) => {
  expect(extentOf(text, language).next).toBeNull();
});

test.each<readonly [string, StatementLanguage, number, string]>([
  ['UPDATE a SET b = 1; DELETE FROM c', sql, 1, 'DELETE FROM c'],
  ['SELECT 1;\n-- another\n;\nSELECT 2;\nSELECT 3', sql, 4, 'SELECT 2;'],
  ["SELECT 1;'a'", sql, 1, "'a'"],
  ['SELECT 1; :x', sql, 1, ':x'],
  ['SELECT 1; {table}', sql, 1, '{table}'],
  ["SELECT 'a\\'; DELETE FROM t --'", sql, 1, "DELETE FROM t --'"],
  ['BEGIN; DELETE FROM a; COMMIT', quotes, 1, 'DELETE FROM a; COMMIT'],
  ['SELECT 1 AS case; DELETE FROM c', quotes, 1, 'DELETE FROM c'],
  ['CREATE FUNCTION f() BEGIN ATOMIC SELECT 1; END; DROP TABLE x', quotes, 1, 'DROP TABLE x'],
  ['BEGIN TRAN; DELETE FROM a; COMMIT', batches, 1, 'DELETE FROM a; COMMIT'],
  ['BEGIN DELETE FROM a END\nDELETE FROM b', batches, 2, 'DELETE FROM b'],
  ['UPDATE a SET b = 1\nDELETE FROM c', batches, 2, 'DELETE FROM c'],
  ['SELECT 1 SELECT 2', batches, 1, 'SELECT 2'],
  ['INSERT INTO a SELECT 1 SELECT 2', batches, 1, 'SELECT 2'],
  ['WITH x AS (SELECT 1 a) DELETE FROM x SELECT 2', batches, 1, 'SELECT 2'],
  ['EXEC p 1, :x DROP TABLE a', batches, 1, 'DROP TABLE a'],
  ['DROP TABLE IF EXISTS a; DELETE FROM b', batches, 1, 'DELETE FROM b'],
  ['DECLARE x CURSOR FOR SELECT 1; DELETE FROM a', batches, 1, 'DELETE FROM a'],
  ['UPDATE a SET [while] = 1; DELETE FROM b', batches, 1, 'DELETE FROM b'],
  ["UPDATE a SET b = 'declare @x int'; DELETE FROM b -- if", batches, 1, 'DELETE FROM b -- if'],
  [
    'SELECT 1; IF 1 = 1 DELETE FROM a',
    { ...batches, batches: undefined } as unknown as StatementLanguage,
    1,
    'IF 1 = 1 DELETE FROM a',
  ],
])('%s is more', (text, language, line, words) => {
  expect(extentOf(text, language).next).toEqual({ line, words });
});

test('a statement ends at its semicolon', () => {
  const text = "SELECT ';' ; -- done";
  expect(text.slice(0, extentOf(text, sql).end)).toBe("SELECT ';' ");
  expect(extentOf('SELECT 1', sql).end).toBe(8);
});

test('a text that is not SQL is one statement', () => {
  expect(
    extentOf('declare function f(a) { let b = 1; return b; } from t select f(t)', { language: 'rql' }).next,
  ).toBeNull();
});
