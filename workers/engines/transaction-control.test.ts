import { describe, expect, test } from 'vitest';
import { transactionControlIn } from '#model/statements/transaction-control.ts';
import { findEngine } from './catalog.ts';

const found = (engine: string, text: string) =>
  transactionControlIn(text, findEngine(engine)!.descriptor.statements!)?.kind ?? null;

/** Statements of each kind, by engine; '-': texts that control no transaction. */
const texts: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  postgres: {
    begins: [
      'BEGIN',
      'begin;',
      '/* BEGIN */ Begin Work',
      'START TRANSACTION READ ONLY',
      'BEGIN ISOLATION LEVEL SERIALIZABLE',
    ],
    ends: [
      'COMMIT',
      '-- a comment\nEND',
      'END TRANSACTION',
      'COMMIT AND CHAIN',
      "PREPARE TRANSACTION 'a'",
      "COMMIT PREPARED 'a'",
    ],
    undoes: ['ROLLBACK', 'ABORT', "ROLLBACK PREPARED 'a'"],
    within: [
      'SAVEPOINT a',
      'ROLLBACK TO a',
      'ROLLBACK TO SAVEPOINT a',
      'RELEASE a',
      'LOCK TABLE t IN SHARE MODE',
      'SET TRANSACTION READ ONLY',
    ],
    isolates: ['SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY'],
    holds: ['SET AUTOCOMMIT TO off'],
    '-': [
      'DO $$ BEGIN PERFORM 1; COMMIT; END $$',
      "SELECT 'COMMIT'",
      'SELECT 1 -- COMMIT',
      'WITH commit AS (SELECT 1) SELECT * FROM commit',
      'UPDATE commit SET begin = 1',
      'PREPARE q AS SELECT 1',
      "SET work_mem = '1MB'",
      'CREATE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT 1; END',
      'CALL rollback_everything()',
    ],
  },
  mysql: {
    begins: [
      'BEGIN',
      'BEGIN WORK',
      '# BEGIN\nSTART TRANSACTION WITH CONSISTENT SNAPSHOT',
      "XA START 'a'",
      "XA BEGIN 'a'",
    ],
    ends: ['COMMIT', 'END', 'UNLOCK TABLES', "XA END 'a'", "XA PREPARE 'a'", "XA COMMIT 'a' ONE PHASE"],
    undoes: ['ROLLBACK', "XA ROLLBACK 'a'"],
    within: ['SAVEPOINT a', 'ROLLBACK TO SAVEPOINT a', 'RELEASE SAVEPOINT a'],
    isolates: ['SET TRANSACTION ISOLATION LEVEL READ COMMITTED', 'SET SESSION TRANSACTION READ ONLY'],
    holds: [
      'SET autocommit = 0',
      'SET @@autocommit=0',
      'SET @@session.autocommit = off',
      'SET NAMES utf8, autocommit = 0',
      'LOCK TABLES t WRITE',
      'LOCK TABLE t READ',
      'FLUSH TABLES WITH READ LOCK',
      'FLUSH TABLES t FOR EXPORT',
      'LOCK INSTANCE FOR BACKUP',
      'BACKUP STAGE START',
    ],
    '-': [
      'BEGIN NOT ATOMIC SELECT 1; COMMIT; END',
      'CREATE PROCEDURE p() BEGIN START TRANSACTION; COMMIT; END',
      'SELECT `commit` FROM `begin`',
      "SELECT 'it\\'s; COMMIT'",
      'SET @autocommit = 0',
      'START SLAVE',
      'FLUSH TABLES',
      'XA RECOVER',
    ],
  },
  sqlite: {
    begins: ['BEGIN', 'BEGIN IMMEDIATE', 'BEGIN EXCLUSIVE TRANSACTION'],
    ends: ['END', 'END TRANSACTION', 'COMMIT'],
    undoes: ['ROLLBACK', 'ROLLBACK TRANSACTION'],
    within: ['SAVEPOINT a', 'RELEASE a', 'ROLLBACK TO a', 'ROLLBACK TRANSACTION TO SAVEPOINT a'],
    '-': ['CREATE TRIGGER t AFTER INSERT ON a BEGIN DELETE FROM b; END', 'SELECT [commit] FROM "begin"'],
  },
  oracle: {
    ends: ['COMMIT', 'COMMIT WORK WRITE NOWAIT'],
    undoes: ['ROLLBACK'],
    within: ['SAVEPOINT a', 'ROLLBACK TO a', 'LOCK TABLE t IN EXCLUSIVE MODE', 'SET TRANSACTION READ ONLY'],
    '-': [
      'BEGIN UPDATE t SET a = 1; COMMIT; END;',
      'DECLARE n NUMBER; BEGIN COMMIT; END;',
      '<<outer>> BEGIN NULL; END;',
      "SELECT q'[COMMIT]' FROM dual",
      'SET ROLE dba',
    ],
  },
  sqlserver: {
    begins: ['BEGIN TRAN', 'begin transaction t1', 'BEGIN DISTRIBUTED TRAN', 'BEGIN TRAN UPDATE t SET a = 1 COMMIT'],
    ends: ['COMMIT', 'COMMIT TRAN t1'],
    undoes: ['ROLLBACK', 'ROLLBACK TRAN', 'ROLLBACK WORK'],
    within: ['SAVE TRAN a', 'ROLLBACK TRANSACTION a'],
    isolates: ['SET TRANSACTION ISOLATION LEVEL SNAPSHOT'],
    holds: ['SET IMPLICIT_TRANSACTIONS ON'],
    '-': [
      'BEGIN SELECT 1; SELECT 2 END',
      'BEGIN TRY SELECT 1 END TRY BEGIN CATCH ROLLBACK END CATCH',
      'BEGIN TRAN; IF @@ERROR = 0 COMMIT ELSE ROLLBACK',
      'SELECT [commit] FROM [rollback]',
      'SET NOCOUNT ON',
      'BEGIN DIALOG CONVERSATION @h FROM SERVICE a TO SERVICE b',
      'CREATE PROC p AS BEGIN TRAN; COMMIT',
    ],
  },
  drda: {
    ends: ['COMMIT'],
    undoes: ['ROLLBACK'],
    within: ['SAVEPOINT a ON ROLLBACK RETAIN CURSORS', 'LOCK TABLE t IN SHARE MODE'],
    isolates: ['SET ISOLATION RS', 'SET CURRENT ISOLATION = CS'],
    holds: ['AUTOCOMMIT OFF'],
    '-': ['SELECT commit FROM t', 'SET SCHEMA app'],
  },
  mongodb: {
    begins: ['{ "find": "a", "lsid": {}, "txnNumber": 1, "startTransaction": true, "autocommit": false }'],
    ends: ['{ "commitTransaction": 1, "lsid": {}, "txnNumber": 1, "autocommit": false }'],
    undoes: ['{ "abortTransaction": 1 }'],
    holds: ['{ "insert": "a", "documents": [], "txnNumber": 1, "autocommit": false }', '{ "fsync": 1, "lock": true }'],
    '-': [
      '{ "find": "commitTransaction", "filter": { "startTransaction": true, "autocommit": 1 } }',
      '{ "insert": "a", "documents": [{ "lsid": 1 }] }',
      '{ "fsync": 1 }',
      'no JSON',
    ],
  },
  ravendb: { '-': ['from Commits where begin = 1', '{ "Commands": [] }'] },
};

describe.each(Object.entries(texts))('%s', (engine, kinds) => {
  test.each(Object.entries(kinds).flatMap(([kind, all]) => all.map((text) => [text, kind] as const)))(
    '%s',
    (text, kind) => {
      expect(found(engine, text)).toBe(kind === '-' ? null : kind);
    },
  );
});
