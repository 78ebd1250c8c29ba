import { errorTable } from '../shared/error-table.ts';

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

/**
 * The meanings by SQLSTATE: Derby's and GemFire XD's manuals, "Derby exception messages and SQL states", "Exception
 * Messages …".
 */
export const byState = errorTable([
  ['04501', 'authentication', 'The user is not among those that may connect to this database.'],
  ['08001', 'unreachable', log],
  ['08004', 'authentication', login],
  ['08003', 'serverGone', 'The server ended the session over an error before this one.'],
  ['08006', 'serverGone', 'The database was shut down.'],
  ['XJ004', 'badInput', 'Create the database or correct the target’s database.'],
  ['XJ040', 'unreachable', log],
  ['XSDB6', 'unreachable', 'Another Derby process has the database open: only one can.'],
  [['42500', '42502', '42504', '42506', '42507', '42508', '4251A', '4251D'], 'permission', right],
  [['25502', '25503'], 'permission', 'The database takes no writes.'],
  [['42X01', '42X05', '42Y03', '42Y07'], 'syntax'],
  [['X0Y32', 'X0Y68'], 'notOurs', 'Rename or drop it yourself; Dyno never does.'],
  ['23505', 'uniqueViolation'],
  [['23502', '23513', '22001', '22003'], 'constraint'],
  ['40001', 'deadlock', order, 'retryable'],
  ['40XL1', 'lockTimeout', holder, 'retryable'],
  ['40XL2', 'lockTimeout', `${holder} The server’s log has the table of locks.`, 'retryable'],
  ['X0Z01', 'serverGone', members],
  ['X0Z02', 'serialization', conflict, 'retryable'],
  ['X0Z05', 'serverGone', members],
  ['X0Z08', 'unreachable', 'No member of the cluster keeps data: start one.'],
  ['X0Z09', 'unsupported', 'Too few members keep data for this: start more, or ask for fewer copies.'],
  ['X0Z14', 'unsupported', 'The server keeps its catalog in memory (persist-dd=false), and so tables, too.'],
  ['X0Z18', 'serialization', 'Rows moved to another member meanwhile; the same can be tried again.', 'retryable'],
  ['XCL52', 'statementTimeout', 'The statement took longer than its time-out.'],
  ['XCL54', 'limit', memory],
  ['XCL56', 'cancelled'],
  ['XJ045', 'unsupported'],
  ['XSLA1', 'serverGone', log],
  [['XSLA4', 'XSDG1'], 'diskFull', full],
  ['0A000', 'unsupported'],
  [['42Z99', '54002'], 'limit', literals],
]);

const noLock = (): string => 'A lock was not had in time.';
const isThere = ([object, name]: readonly string[]): string => `${object} ${name} is there already.`;

/**
 * Sentences by SQLSTATE. The server sends a message as its number and tokens; the texts are in the products' Java
 * clients.
 */
export const wordsOfState: Readonly<Record<string, (tokens: readonly string[]) => string>> = {
  '42500': ([user, what, schema, table]) => `${user} has no right to ${what} on ${schema}.${table}.`,
  '42502': ([user, what, column, schema, table]) =>
    `${user} has no right to ${what} on ${column} of ${schema}.${table}.`,
  '42504': ([user, what, kind, schema, name]) =>
    `${user} has no right to ${what} the ${kind?.toLowerCase()} ${schema}.${name}.`,
  '42506': ([user, object, schema, name]) => `${user} is not the owner of ${object?.toLowerCase()} ${schema}.${name}.`,
  '42507': ([user, schema]) => `${user} may not do this in the schema ${schema}.`,
  '42508': ([user, schema]) => `${user} may not create the schema ${schema}.`,
  '4251A': () => 'Only the owner of the database may do this.',
  '4251D': () => 'Only the owner of the database may do this.',
  '42X01': ([what]) => `Syntax error: ${what?.split('\n')[0]}`,
  '42X05': ([name]) => `There is no table ${name}.`,
  '42Y03': ([name]) => `There is no procedure or function ${name}.`,
  '42Y07': ([name]) => `There is no schema ${name}.`,
  X0Y32: isThere,
  X0Y68: isThere,
  '23505': ([constraint, table]) => `Duplicate key: ${constraint} of ${table}.`,
  '23502': ([column]) => `Column ${column} takes no null.`,
  '23513': ([table, constraint]) => `Check ${constraint} of ${table} is violated.`,
  // The value is a token, too.
  '22001': ([type, , length]) => `A value is longer than ${type}(${length}).`,
  '22003': ([type]) => `A value is outside the range of ${type?.split(' ')[0]}.`,
  '40001': () => 'Deadlock: the transaction was rolled back.',
  '40XL1': noLock,
  '40XL2': noLock,
  X0Z02: () => 'Write conflict with another transaction.',
  XCL54: () => 'The server stopped the statement for want of memory.',
  XJ045: () => 'The server has no such isolation.',
  XSLA4: () => 'The server cannot write its log.',
  XSDG1: ([page]) => `The server cannot write page ${page}.`,
  '42Z99': () => 'A literal is longer than 64 KB.',
  '54002': () => 'A literal is too long.',
};

/** The meanings by the first two characters of an SQLSTATE. */
export const byClass = errorTable([
  ['08', 'serverGone', log],
  [['22', '23'], 'constraint'],
  ['28', 'authentication', login],
  ['38', 'other', log],
  ['40', 'serialization', null, 'retryable'],
  ['42', 'syntax'],
  ['53', 'limit', memory],
  ['54', 'limit'],
  ['XJ', 'other', log],
]);
