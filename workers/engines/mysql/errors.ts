import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import {
  connectionCut,
  errorData,
  errorTable,
  type Meaning,
  meaningSaid,
  networkErrors,
  type SaidRow,
  systemErrors,
  tlsCodes,
  unreadableError,
} from '../shared/error-table.ts';

const login = 'Check user and password of the target, and that the user may log in from this host.';
const full = 'Free space on the server’s disk, or use fewer rows.';

/**
 * The meanings by the server's error numbers (manuals, "Server Error Message Reference" and "MariaDB Error Codes"), the
 * mariadb connector's (from 45000), mysql2's own codes, and Node's.
 */
const byCode = errorTable([
  ...networkErrors,
  [[1045, 1698], 'authentication', login],
  [[1129, 1130], 'authentication', 'The server accepts no login from this host: see its accounts.'],
  [
    [1251, 1524, 2059, 45025, 45044, 'AUTH_SWITCH_PLUGIN_ERROR'],
    'authentication',
    'The driver does not know the account’s way to log in.',
  ],
  [
    [1820, 1862, 3118, 3955, 4151],
    'authentication',
    'The password has to be changed, or the account unlocked, with the server’s own client first.',
  ],
  [
    1046,
    'badInput',
    'Name the database in the target or its URL, and give its user rights on it; or write database.table in the statement.',
  ],
  [1049, 'badInput', 'Correct the target’s database, or the one that the statement names.'],
  [[1193, 1231, 1232, 1238], 'badInput'],
  [
    3750,
    'badInput',
    'The server wants a primary key on every table: name dataset.key, or give the statement’s table one.',
  ],
  [
    [1142, 1143, 1227, 1370],
    'permission',
    'Ask for the right named above (`dyno grants TARGET` prints them all), or use a user that has it.',
  ],
  [1044, 'permission', 'Ask for rights on the database named above (`dyno grants TARGET` prints them all).'],
  [1095, 'permission', 'Sessions of others are ended by users with CONNECTION_ADMIN (SUPER) alone.'],
  [
    [1792, 1836],
    'permission',
    'The server takes no writes here: it is a replica, or the connection is marked as production and read-only.',
  ],
  [1050, 'notOurs', 'Rename or drop it yourself; Dyno never does.'],
  [[1022, 1062, 1169, 1586], 'uniqueViolation'],
  [[1048, 1264, 1265, 1292, 1364, 1366, 1406, 1451, 1452, 1690, 3819, 4025], 'constraint'],
  [[1213, 1614], 'deadlock', 'Touch rows in the same order in every session, or in smaller transactions.', 'retryable'],
  [[1205, 3572], 'lockTimeout', 'Another session holds the lock: see information_schema.innodb_trx.', 'retryable'],
  [[1020, 3101], 'serialization', null, 'retryable'],
  [1317, 'cancelled'],
  [[1969, 3024], 'statementTimeout', 'The server’s limit on the time of a statement was reached.'],
  [1053, 'serverGone', 'The server was being shut down.'],
  [[1927, 3169], 'serverGone', 'The server was shut down, or an administrator ended the session.'],
  [4031, 'serverGone', 'The session was idle for longer than the server’s wait_timeout.'],
  [
    [1152, 1158, 1159, 1160, 1161, 1184, 2006, 2013, 45009, 45013, 45004, 'PROTOCOL_CONNECTION_LOST'],
    'serverGone',
    connectionCut,
  ],
  [[1040, 1203], 'connectionLimit', 'Fewer connections, or raise max_connections (of user or server).'],
  [[1153, 45046], 'limit', 'Lower rowsPerCall, or raise max_allowed_packet on the server.'],
  [1390, 'limit', 'Lower rowsPerCall: a statement has 65,535 placeholders at most.'],
  [1461, 'limit', 'Fewer connections, or raise max_prepared_stmt_count on the server.'],
  [1071, 'limit', 'Use a shorter key: the message has its limit in bytes, and a character of utf8mb4 takes four.'],
  [1118, 'limit', 'Use fewer or shorter columns.'],
  [[1037, 1041, 1135], 'limit', 'The server ran out of memory: fewer connections or rows per call.'],
  [1038, 'limit', 'Raise sort_buffer_size (sortMemoryKb), or sort shorter columns.'],
  [1206, 'limit', 'Fewer rows per commit, or raise innodb_buffer_pool_size on the server: locks are kept there.'],
  [1436, 'limit', 'Fewer rows per call or nested calls, or raise thread_stack on the server.'],
  [1197, 'limit', 'Fewer rows per commit, or raise max_binlog_cache_size on the server.'],
  [[1021, 1878], 'diskFull', full],
  [
    1114,
    'diskFull',
    'The disk is full, or the table is as large as it may be: a MEMORY table by max_heap_table_size, a tablespace by its file.',
  ],
  [
    [1148, 2068, 3948, 4166],
    'unsupported',
    'An administrator allows loads by SET GLOBAL local_infile = ON. No statement of your own may read a file of this machine.',
  ],
  [[1235, 1286, 1295, 3161], 'unsupported'],
  [3159, 'tls', 'The server takes encrypted connections only: set ssl: require on the target.'],
  [[45012, 'ETIMEDOUT'], 'unreachable', 'No answer in time: a firewall, a wrong host, or connectTimeoutMs too short.'],
  [
    [45023, 'HANDSHAKE_NO_SSL_SUPPORT'],
    'tls',
    'Set ssl: disable on the target, or turn TLS on at the server (ssl_cert, ssl_key).',
  ],
  ['ENOENT', 'unreachable', 'There is no such Unix socket: check host (the path of a socket).'],
  ['HANDSHAKE_SSL_ERROR', 'tls', 'Check the ssl setting of target and server.'],
]);

/** Numbers with more than one cause. */
const bySaid: readonly SaidRow[] = [
  ...systemErrors,
  [
    [1292, 1366, 1525],
    /'\d{4}-(00-\d\d|\d\d-00)/,
    'constraint',
    'A date with a zero in it: sql_mode has NO_ZERO_DATE or NO_ZERO_IN_DATE with a strict mode. Take rows without them, or have sessions set another sql_mode (sessionSettings).',
  ],
  [
    1290,
    /read[-_]only/i,
    'permission',
    'The server takes no writes here: it is a replica, or the connection is marked as production and read-only.',
  ],
  [1290, /./, 'permission', 'The server was started with the option named above, which forbids it.'],
  [1226, /max_user_connections/, 'connectionLimit', 'Fewer connections, or raise max_user_connections of the user.'],
  [1226, /./, 'limit', 'The account has used up the resource named above for this hour: ALTER USER … WITH raises it.'],
];

/** The meanings by the first two characters of an SQLSTATE. */
const byClass = errorTable([
  ['08', 'serverGone', connectionCut],
  ['0A', 'unsupported'],
  [['21', '42'], 'syntax'],
  [['22', '23'], 'constraint'],
  ['28', 'authentication', login],
  ['40', 'serialization'],
  ['70', 'cancelled'],
]);

/** mysql2 throws these without a code. */
const closedState = /connection is in closed state|Can't write in closed state/;

/** "Got error 28 …" and "(Errcode: 28 …" are the system's ENOSPC, in messages of several numbers. */
const noSpace = /(?:error|errno|errcode):? ?28\b|No space left on device/i;

const tlsHint =
  'The server’s certificate was not accepted: give its CA as ca and use the host name that the certificate names, or ssl: require to encrypt without checking.';

/** The members that the drivers put into an error. */
interface Facts {
  readonly message: string;
  readonly number: number | null;
  readonly code: string | null;
  readonly sqlState: string | null;
}

function factsOf(error: Error): Facts {
  const field = (name: string): unknown => (name in error ? (error as unknown as Record<string, unknown>)[name] : null);
  const number = field('errno');
  const [code, sqlState, sqlMessage] = [field('code'), field('sqlState'), field('sqlMessage')];
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
  return {
    // The connector's message continues with the statement.
    message: text(sqlMessage) ?? error.message,
    // The operating system's numbers are negative.
    number: typeof number === 'number' && number > 0 ? number : null,
    code: text(code),
    sqlState: text(sqlState),
  };
}

/**
 * Makes the data of an error from what either driver throws. Pure. Messages are the server's own; none of them holds a
 * password.
 */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  // Errors of several addresses come as one AggregateError with an empty message.
  const inner = thrown instanceof AggregateError && thrown.errors[0] instanceof Error ? thrown.errors[0] : thrown;
  const facts = factsOf(inner);
  const meaning = meaningOf(facts);
  // mysql2 marks errors of its reading of an answer: bytes that are no packet lead to errors of all kinds.
  const isFatal = 'fatal' in inner && inner.fatal === true;
  if (unreadable.has(facts.number ?? facts.code) || (!meaning && isFatal))
    return unreadableError('MySQL or MariaDB', facts.message).data;
  if (!meaning) return toErrorData(inner);
  return errorData(meaning, facts.number === null ? facts.code : String(facts.number), facts.message);
}

/** The codes of mysql2 and of the mariadb connector for packets that the protocol does not allow at that place. */
const unreadable: ReadonlySet<number | string | null> = new Set([
  ...['HANDSHAKE_UNKNOWN_ERROR', 'PROTOCOL_UNEXPECTED_PACKET', 'PROTOCOL_ERROR'],
  ...[45011, 45014, 45015, 45020, 45024, 45032],
]);

function meaningOf({ message, number, code, sqlState }: Facts): Meaning | null {
  // The connector gives system errors the SQLSTATE HY000, too.
  const known = meaningSaid(bySaid, code, message) ?? byCode.get(code ?? '');
  if (known) return known;
  if (code !== null && tlsCodes.test(code)) return { kind: 'tls', hint: tlsHint };
  if (number !== null) {
    if (noSpace.test(message)) return { kind: 'diskFull', hint: full };
    return (
      meaningSaid(bySaid, number, message) ??
      byCode.get(number) ??
      byClass.get(sqlState?.slice(0, 2) ?? '') ?? { kind: 'other' }
    );
  }
  return closedState.test(message) ? { kind: 'serverGone', hint: connectionCut } : null;
}

/** Turns a warning of the server into an error, where Dyno cannot accept it. */
export function serverError(number: number, message: string): DynoError {
  const meaning = meaningSaid(bySaid, number, message) ?? byCode.get(number) ?? { kind: 'constraint' };
  return new DynoError(meaning.kind, message, errorData(meaning, String(number), message));
}
