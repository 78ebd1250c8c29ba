import { expect, test } from 'vitest';
import type { ErrorKind } from '#model/error.ts';
import { toError } from './errors.ts';

type ServerError = readonly [kind: ErrorKind, retryable: boolean, errno: number, sqlState: string, message: string];

/** Errors that MariaDB 10.11 sent, and those that only MySQL 8 sends (its manual, "Server Error Message Reference"). */
const fromServer: readonly ServerError[] = [
  ['authentication', false, 1045, '28000', "Access denied for user 'app'@'127.0.0.1' (using password: YES)"],
  ['authentication', false, 1130, 'HY000', "Host '10.0.0.7' is not allowed to connect to this MariaDB server"],
  ['authentication', false, 1820, 'HY000', 'You must SET PASSWORD before executing this statement'],
  ['authentication', false, 1862, 'HY000', 'Your password has expired. To log in you must change it…'],
  ['authentication', false, 4151, 'HY000', 'Access denied, this account is locked'],
  ['badInput', false, 1049, '42000', "Unknown database 'nope'"],
  ['badInput', false, 1193, 'HY000', "Unknown system variable 'nope'"],
  ['badInput', false, 3750, 'HY000', 'Unable to create or change a table without a primary key'],
  ['permission', false, 1044, '42000', "Access denied for user 'lim'@'127.0.0.1' to database 'nope'"],
  ['permission', false, 1142, '42000', "SELECT command denied to user 'lim'@'127.0.0.1' for table `t`.`e`"],
  ['permission', false, 1227, '42000', 'Access denied; you need (at least one of) the RELOAD privilege(s)'],
  ['permission', false, 1290, 'HY000', 'The MariaDB server is running with the --read-only option'],
  ['uniqueViolation', false, 1062, '23000', "Duplicate entry '1' for key 'PRIMARY'"],
  ['notOurs', false, 1050, '42S01', "Table 't' already exists"],
  ['constraint', false, 1048, '23000', "Column 's' cannot be null"],
  ['constraint', false, 1406, '22001', "Data too long for column 's' at row 1"],
  ['deadlock', true, 1213, '40001', 'Deadlock found when trying to get lock; try restarting transaction'],
  ['lockTimeout', true, 1205, 'HY000', 'Lock wait timeout exceeded; try restarting transaction'],
  ['serialization', true, 1020, 'HY000', "Record has changed since last read in table 'e'"],
  ['cancelled', false, 1317, '70100', 'Query execution was interrupted'],
  ['statementTimeout', false, 1969, '70100', 'Query execution was interrupted (max_statement_time exceeded)'],
  ['serverGone', false, 1053, '08S01', 'Server shutdown in progress'],
  ['serverGone', false, 1927, '70100', 'Connection was killed'],
  ['serverGone', false, 4031, 'HY000', 'The client was disconnected by the server because of inactivity'],
  ['diskFull', false, 1114, 'HY000', "The table 'e' is full"],
  ['diskFull', false, 1021, 'HY000', 'Disk full (/tmp/#sql-1); waiting for someone to free some space'],
  ['diskFull', false, 1026, 'HY000', 'Error writing file \'/tmp/MYfd=24\' (Errcode: 28 "No space left on device")'],
  ['diskFull', false, 1030, 'HY000', 'Got error 28 "No space left on device" from storage engine InnoDB'],
  ['connectionLimit', false, 1040, '08004', 'Too many connections'],
  [
    'connectionLimit',
    false,
    1226,
    '42000',
    "User 'one' has exceeded the 'max_user_connections' resource (current value: 1)",
  ],
  ['limit', false, 1153, '08S01', "Got a packet bigger than 'max_allowed_packet' bytes"],
  ['limit', false, 1390, 'HY000', 'Prepared statement contains too many placeholders'],
  ['limit', false, 1071, '42000', 'Specified key was too long; max key length is 3072 bytes'],
  ['limit', false, 1118, '42000', 'Row size too large. The maximum row size for the used table type is 65535'],
  [
    'unsupported',
    false,
    4166,
    'HY000',
    'The used command is not allowed because the local infile capability is disabled',
  ],
  ['unsupported', false, 3948, '42000', 'Loading local data is disabled; this must be enabled on both sides'],
  ['tls', false, 3159, '08004', 'Connections using insecure transport are prohibited'],
  ['syntax', false, 1064, '42000', "You have an error in your SQL syntax near 'selec 1' at line 1"],
  ['syntax', false, 1146, '42S02', "Table 't.nope' doesn't exist"],
  ['other', false, 1105, 'HY000', 'Unknown error'],
];
const needNoHint = ['constraint', 'uniqueViolation', 'syntax', 'cancelled', 'serialization', 'other'];

/** mysql2: another product's error name for MariaDB's number; the connector: the statement in the message. */
const thrownBy = {
  mysql2: (errno: number, sqlState: string, message: string) =>
    Object.assign(new Error(message), { code: 'ER_SOMETHING_ELSE', errno, sqlState, sqlMessage: message }),
  mariadb: (errno: number, sqlState: string, message: string) =>
    Object.assign(
      new Error(`(conn:5, no: ${errno}, SQLState: ${sqlState}) ${message}\nsql: insert into t values ('secret')`),
      { code: 'ER_X', errno, sqlState, sqlMessage: message, fatal: false },
    ),
};

test.each(fromServer)('%s (retryable: %s): %d %s %s', (kind, retryable, errno, sqlState, message) => {
  for (const thrown of Object.values(thrownBy)) {
    const error = toError(thrown(errno, sqlState, message));
    expect(error).toMatchObject({ kind, retryable, code: String(errno), message });
    if (!needNoHint.includes(kind) && ![1193].includes(errno)) expect(error.hint).toBeTruthy();
  }
});

/** Errors of the operating system and of the drivers, as the drivers throw them. */
const ofClients: readonly (readonly [ErrorKind, string, Readonly<Record<string, unknown>>])[] = [
  ['unreachable', 'getaddrinfo ENOTFOUND no.such.host.invalid', { code: 'ENOTFOUND', errno: -3008 }],
  ['unreachable', 'connect ECONNREFUSED 127.0.0.1:1', { code: 'ECONNREFUSED', errno: -111, sqlState: 'HY000' }],
  ['unreachable', 'connect ENOENT /tmp/none.sock', { code: 'ENOENT', errno: -2 }],
  ['unreachable', 'connect ETIMEDOUT', { code: 'ETIMEDOUT', errorno: 'ETIMEDOUT', syscall: 'connect' }],
  [
    'unreachable',
    'Connection timeout: failed to create socket after 301ms',
    { code: 'ER_CONNECTION_TIMEOUT', errno: 45012, sqlState: '08S01' },
  ],
  ['serverGone', 'Connection lost: The server closed the connection.', { code: 'PROTOCOL_CONNECTION_LOST' }],
  ['serverGone', "Can't add new command when connection is in closed state", {}],
  ['serverGone', 'read ECONNRESET', { code: 'ECONNRESET', errno: -104 }],
  [
    'serverGone',
    'socket has unexpectedly been closed',
    { code: 'ER_SOCKET_UNEXPECTED_CLOSE', errno: 45009, sqlState: '08S01' },
  ],
  [
    'serverGone',
    'Cannot execute new commands: connection closed',
    { code: 'ER_CMD_CONNECTION_CLOSED', errno: 45013, sqlState: '08S01' },
  ],
  ['tls', 'Server does not support secure connection', { code: 'HANDSHAKE_NO_SSL_SUPPORT' }],
  [
    'tls',
    'Trying to connect with ssl, but ssl not enabled in the server',
    { code: 'ER_SERVER_SSL_DISABLED', errno: 45023, sqlState: '08S01' },
  ],
  ['tls', 'self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ['tls', "Hostname/IP does not match certificate's altnames", { code: 'ERR_TLS_CERT_ALTNAME_INVALID' }],
  ['authentication', 'Client does not support authentication protocol', { code: 'AUTH_SWITCH_PLUGIN_ERROR' }],
];

test.each(ofClients)('%s: %s', (kind, message, fields) => {
  const error = toError(Object.assign(new Error(message), fields));
  expect(error).toMatchObject({ kind, message });
  expect(error.hint).toBeTruthy();
});

test('a host with several addresses fails with the reason of the first', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:3306'), { code: 'ECONNREFUSED' });
  const error = Object.assign(new AggregateError([refused, new Error('another')]), { code: 'ECONNREFUSED' });
  expect(toError(error)).toMatchObject({ kind: 'unreachable', message: 'connect ECONNREFUSED ::1:3306' });
});

test('an error that no driver throws is an error in Dyno itself', () => {
  expect(toError(new TypeError('x is not a function'))).toMatchObject({ kind: 'internal' });
});

test('what ends a connection of mysql2 in the middle of an answer is the server’s doing', () => {
  const thrown = Object.assign(new Error("Encoding not recognized: 'undefined'"), { fatal: true });
  expect(toError(thrown)).toMatchObject({ kind: 'other', message: expect.stringContaining('cannot read') });
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { fatal: true, code: 'ECONNREFUSED' });
  expect(toError(refused)).toMatchObject({ kind: 'unreachable' });
});
