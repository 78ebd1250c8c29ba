import { DynoError, type ErrorData, type ErrorKind, toErrorData } from '#model/error.ts';

/** The meanings by primary result code (sqlite.org/rescode.html), the low byte of the extended one. */
const primary: Readonly<
  Record<number, { readonly kind: ErrorKind; readonly hint?: string; readonly retryable?: boolean }>
> = {
  1: { kind: 'syntax' },
  3: { kind: 'permission' },
  5: {
    kind: 'lockTimeout',
    retryable: true,
    hint: 'SQLite lets one connection write at a time. Use one connection, more calls per commit, or a longer busyTimeoutMs.',
  },
  6: { kind: 'lockTimeout', retryable: true },
  7: { kind: 'limit', hint: 'The process ran out of memory: lower rowsPerCall or cacheKib.' },
  8: {
    kind: 'permission',
    hint: 'The file or its folder is read-only, or the connection is marked as production and read-only.',
  },
  9: { kind: 'cancelled' },
  10: { kind: 'other', hint: 'The disk reported an error: see the system log.' },
  11: { kind: 'other', hint: 'The file is damaged: delete it, Dyno will create it anew.' },
  13: { kind: 'diskFull', hint: 'Free space on the disk of the target’s folder, or choose another folder as path.' },
  14: { kind: 'permission', hint: 'The folder must exist and be writable: check path.' },
  18: {
    kind: 'limit',
    hint: 'A statement, a value or a row has more than 1,000,000,000 bytes: fewer rows per call, or shorter values.',
  },
  19: { kind: 'constraint' },
  25: { kind: 'badInput', hint: 'The text has fewer parameters than there are values.' },
  26: { kind: 'notOurs', hint: 'The file is not a SQLite database: choose another folder as path.' },
};

/** Errors of SQLITE_ERROR that are no errors of syntax (sqlite.org/limits.html). */
const limits: readonly (readonly [RegExp, string])[] = [
  [/^too many SQL variables/, 'Lower rowsPerCall: a statement has 32,766 parameters at most.'],
  [
    /^Expression tree is too large|^parser stack overflow/,
    'The expression is nested too deeply: fewer values, or fewer rows per call.',
  ],
  [/^too many terms in compound SELECT/, 'A compound SELECT has 500 parts at most: fewer rows per call.'],
];

/** Meanings by extended code, where it says more. */
const moved: typeof primary = {
  1032: { kind: 'permission', hint: 'The file was moved or deleted while it was open.' }, // SQLITE_READONLY_DBMOVED
};

const uniqueCodes = [1_555, 2_067, 2_579]; // SQLITE_CONSTRAINT_PRIMARYKEY, _UNIQUE, _ROWID

/** Makes the data of an error from what node:sqlite and node:fs throw. Pure. */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error) || !('errcode' in thrown)) return toErrorData(thrown);
  const extended = Number(thrown.errcode);
  const limit = extended === 1 ? limits.find(([said]) => said.test(thrown.message)) : undefined;
  const known = limit ? { kind: 'limit' as const, hint: limit[1] } : (moved[extended] ?? primary[extended & 0xff]);
  return {
    kind: uniqueCodes.includes(extended) ? 'uniqueViolation' : (known?.kind ?? 'other'),
    code: `SQLITE_${extended}`,
    message: `SQLite: ${thrown.message}`,
    hint: known?.hint ?? null,
    retryable: known?.retryable ?? false,
  };
}
