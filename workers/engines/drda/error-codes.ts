import type { Meaning as PlainMeaning } from '../shared/error-table.ts';

export interface Meaning extends PlainMeaning {
  /** The server sends a message as its number and tokens; the texts are in the products' Java clients. */
  readonly words?: (tokens: readonly string[]) => string;
}

const right = 'Ask for the right named above (`dyno grants TARGET` prints them all), or use a user that has it.';
export const login =
  'Check user and password of the target, and its security mechanism. An expired password is refused in the same words.';
export const log = 'See the server’s log (derby.log, or the member’s).';
export const memory = 'Give the server a larger heap (-Xmx), or use fewer rows, connections or rows per call.';
const full = 'Free space on the server’s disk, or use fewer rows.';
const order =
  'Touch rows in the same order in every session, or in smaller transactions. Derby looks for deadlocks only after derby.locks.deadlockTimeout, 20 s by default.';
const conflict =
  'The server refuses the later of two transactions that change a row at once; the same can be tried again.';
const holder =
  'Another session holds the lock: see SYSCS_DIAG.LOCK_TABLE. derby.locks.waitTimeout says how long is waited.';
const literals = 'Values of this length go as parameters only: any other method than literal.';
const members = 'A member of the cluster shut down while it ran this call.';

const permission = (words: (tokens: readonly string[]) => string): Meaning => ({
  kind: 'permission',
  hint: right,
  words,
});
const noLock = (): string => 'A lock was not had in time.';

const isThere: Meaning = {
  kind: 'notOurs',
  hint: 'Rename or drop it yourself; Dyno never does.',
  words: ([object, name]) => `${object} ${name} is there already.`,
};

/**
 * The meanings by SQLSTATE: Derby's and GemFire XD's manuals, "Derby exception messages and SQL states", "Exception
 * Messages …".
 */
export const byState: Readonly<Record<string, Meaning>> = {
  '04501': { kind: 'authentication', hint: 'The user is not among those that may connect to this database.' },
  '08001': { kind: 'unreachable', hint: log },
  '08004': { kind: 'authentication', hint: login },
  '08003': { kind: 'serverGone', hint: 'The server ended the session over an error before this one.' },
  '08006': { kind: 'serverGone', hint: 'The database was shut down.' },
  XJ004: { kind: 'badInput', hint: 'Create the database or correct the target’s database.' },
  XJ040: { kind: 'unreachable', hint: log },
  XSDB6: { kind: 'unreachable', hint: 'Another Derby process has the database open: only one can.' },
  '42500': permission(([user, what, schema, table]) => `${user} has no right to ${what} on ${schema}.${table}.`),
  '42502': permission(
    ([user, what, column, schema, table]) => `${user} has no right to ${what} on ${column} of ${schema}.${table}.`,
  ),
  '42504': permission(
    ([user, what, kind, schema, name]) =>
      `${user} has no right to ${what} the ${kind?.toLowerCase()} ${schema}.${name}.`,
  ),
  '42506': permission(
    ([user, object, schema, name]) => `${user} is not the owner of ${object?.toLowerCase()} ${schema}.${name}.`,
  ),
  '42507': permission(([user, schema]) => `${user} may not do this in the schema ${schema}.`),
  '42508': permission(([user, schema]) => `${user} may not create the schema ${schema}.`),
  '4251A': permission(() => 'Only the owner of the database may do this.'),
  '4251D': permission(() => 'Only the owner of the database may do this.'),
  '25502': { kind: 'permission', hint: 'The database takes no writes.' },
  '25503': { kind: 'permission', hint: 'The database takes no writes.' },
  '42X01': { kind: 'syntax', words: ([what]) => `Syntax error: ${what?.split('\n')[0]}` },
  '42X05': { kind: 'syntax', words: ([name]) => `There is no table ${name}.` },
  '42Y03': { kind: 'syntax', words: ([name]) => `There is no procedure or function ${name}.` },
  '42Y07': { kind: 'syntax', words: ([name]) => `There is no schema ${name}.` },
  X0Y32: isThere,
  X0Y68: isThere,
  '23505': { kind: 'uniqueViolation', words: ([constraint, table]) => `Duplicate key: ${constraint} of ${table}.` },
  '23502': { kind: 'constraint', words: ([column]) => `Column ${column} takes no null.` },
  '23513': { kind: 'constraint', words: ([table, constraint]) => `Check ${constraint} of ${table} is violated.` },
  // The value is a token, too.
  '22001': { kind: 'constraint', words: ([type, , length]) => `A value is longer than ${type}(${length}).` },
  '22003': { kind: 'constraint', words: ([type]) => `A value is outside the range of ${type?.split(' ')[0]}.` },
  '40001': {
    kind: 'deadlock',
    retryable: true,
    hint: order,
    words: () => 'Deadlock: the transaction was rolled back.',
  },
  '40XL1': { kind: 'lockTimeout', retryable: true, hint: holder, words: noLock },
  '40XL2': {
    kind: 'lockTimeout',
    retryable: true,
    hint: `${holder} The server’s log has the table of locks.`,
    words: noLock,
  },
  X0Z01: { kind: 'serverGone', hint: members },
  X0Z02: {
    kind: 'serialization',
    retryable: true,
    hint: conflict,
    words: () => 'Write conflict with another transaction.',
  },
  X0Z05: { kind: 'serverGone', hint: members },
  X0Z08: { kind: 'unreachable', hint: 'No member of the cluster keeps data: start one.' },
  X0Z09: { kind: 'unsupported', hint: 'Too few members keep data for this: start more, or ask for fewer copies.' },
  X0Z14: {
    kind: 'unsupported',
    hint: 'The server keeps its catalog in memory (persist-dd=false), and so tables, too.',
  },
  X0Z18: {
    kind: 'serialization',
    retryable: true,
    hint: 'Rows moved to another member meanwhile; the same can be tried again.',
  },
  XCL52: { kind: 'statementTimeout', hint: 'The statement took longer than its time-out.' },
  XCL54: { kind: 'limit', hint: memory, words: () => 'The server stopped the statement for want of memory.' },
  XCL56: { kind: 'cancelled' },
  XJ045: { kind: 'unsupported', words: () => 'The server has no such isolation.' },
  XSLA1: { kind: 'serverGone', hint: log },
  XSLA4: { kind: 'diskFull', hint: full, words: () => 'The server cannot write its log.' },
  XSDG1: { kind: 'diskFull', hint: full, words: ([page]) => `The server cannot write page ${page}.` },
  '0A000': { kind: 'unsupported' },
  '42Z99': { kind: 'limit', hint: literals, words: () => 'A literal is longer than 64 KB.' },
  '54002': { kind: 'limit', hint: literals, words: () => 'A literal is too long.' },
};

/** The meanings by the first two characters of an SQLSTATE. */
export const byClass: Readonly<Record<string, Meaning>> = {
  '08': { kind: 'serverGone', hint: log },
  '22': { kind: 'constraint' },
  '23': { kind: 'constraint' },
  '28': { kind: 'authentication', hint: login },
  '38': { kind: 'other', hint: log },
  '40': { kind: 'serialization', retryable: true },
  '42': { kind: 'syntax' },
  '53': { kind: 'limit', hint: memory },
  '54': { kind: 'limit' },
  XJ: { kind: 'other', hint: log },
};
