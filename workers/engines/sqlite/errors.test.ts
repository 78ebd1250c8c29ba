import { expect, test } from 'vitest';
import { casesOf, testHints } from '../shared/recorded-errors.fixture.ts';
import { toError } from './errors.ts';

/** Messages of node:sqlite by extended result code. */
const cases = casesOf<string>({
  syntax: { 1: 'near "SELEC": syntax error' },
  limit: {
    1: [
      'too many SQL variables',
      'Expression tree is too large (maximum depth 1000)',
      'too many terms in compound SELECT',
    ],
    7: 'out of memory',
    18: 'string or blob too big',
  },
  'lockTimeout, retryable': { 5: 'database is locked', 517: 'database is locked' },
  permission: { 8: 'attempt to write a readonly database', 14: 'unable to open database file', 1032: 'disk I/O error' },
  cancelled: { 9: 'interrupted' },
  diskFull: { 13: 'database or disk is full' },
  constraint: { 1299: 'NOT NULL constraint failed: t.a' },
  uniqueViolation: {
    1555: 'UNIQUE constraint failed: t.id',
    2067: 'UNIQUE constraint failed: t.a',
    2579: 'UNIQUE constraint failed: t.rowid',
  },
  badInput: { 25: 'column index out of range' },
  notOurs: { 26: 'file is not a database' },
  other: { 11: 'database disk image is malformed', 99: 'unknown error' },
});

const errorOf = (code: string, message: string) =>
  toError(Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode: Number(code) }));

test.each(cases)('%s (retryable: %s): SQLITE_%s, %s', (kind, retryable, code, message) => {
  expect(errorOf(code, message)).toMatchObject({
    ...{ kind, retryable, code: `SQLITE_${code}`, message: `SQLite: ${message}` },
  });
});

testHints(
  cases
    .filter(([, , code]) => !['99', '517'].includes(code))
    .map(([kind, , code, message]) => [kind, errorOf(code, message)]),
);
