import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import { errorData, errorTable, meaningSaid, type SaidRow } from '../shared/error-table.ts';

/** The meanings by result code (sqlite.org/rescode.html): the extended one, or else the primary one, its low byte. */
const byCode = errorTable([
  [1, 'syntax'],
  [3, 'permission'],
  [
    5,
    'lockTimeout',
    'SQLite lets one connection write at a time. Use one connection, more calls per commit, or a longer busyTimeoutMs.',
    'retryable',
  ],
  [6, 'lockTimeout', null, 'retryable'],
  [7, 'limit', 'The process ran out of memory: lower rowsPerCall or cacheKib.'],
  [8, 'permission', 'The file or its folder is read-only, or the connection is marked as production and read-only.'],
  [9, 'cancelled'],
  [10, 'other', 'The disk reported an error: see the system log.'],
  [11, 'other', 'The file is damaged: delete it, Dyno will create it anew.'],
  [13, 'diskFull', 'Free space on the disk of the target’s folder, or choose another folder as path.'],
  [14, 'permission', 'The folder must exist and be writable: check path.'],
  [
    18,
    'limit',
    'A statement, a value or a row has more than 1,000,000,000 bytes: fewer rows per call, or shorter values.',
  ],
  [19, 'constraint'],
  [25, 'badInput', 'The text has fewer parameters than there are values.'],
  [26, 'notOurs', 'The file is not a SQLite database: choose another folder as path.'],
  [1032, 'permission', 'The file was moved or deleted while it was open.'], // SQLITE_READONLY_DBMOVED
  [[1555, 2067, 2579], 'uniqueViolation'], // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE, _ROWID
]);

/** Errors of SQLITE_ERROR that are no errors of syntax (sqlite.org/limits.html). */
const bySaid: readonly SaidRow[] = [
  [1, /^too many SQL variables/, 'limit', 'Lower rowsPerCall: a statement has 32,766 parameters at most.'],
  [
    1,
    /^Expression tree is too large|^parser stack overflow/,
    'limit',
    'The expression is nested too deeply: fewer values, or fewer rows per call.',
  ],
  [1, /^too many terms in compound SELECT/, 'limit', 'A compound SELECT has 500 parts at most: fewer rows per call.'],
];

/** Makes the data of an error from what node:sqlite and node:fs throw. Pure. */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error) || !('errcode' in thrown)) return toErrorData(thrown);
  const extended = Number(thrown.errcode);
  const meaning = meaningSaid(bySaid, extended, thrown.message) ??
    byCode.get(extended) ??
    byCode.get(extended & 0xff) ?? { kind: 'other' };
  return errorData(meaning, `SQLITE_${extended}`, `SQLite: ${thrown.message}`);
}
