import sql from 'mssql';
import { ConnectionError, RequestError } from 'tedious';
import { expect, test } from 'vitest';
import type { ErrorKind } from '#model/error.ts';
import { casesOf, testHints } from '../shared/recorded-errors.fixture.ts';
import { loginError, toError } from './errors.ts';

/**
 * Error tokens of the server: number and text, recorded from Babelfish 4.3 or as in sys.messages of SQL Server 2022.
 */
const recorded = casesOf({
  authentication: {
    18456: "Login failed for user 'app'.",
    18452: 'Login failed. The login is from an untrusted domain and cannot be used with Integrated authentication.',
    18487: "Login failed for user 'app'.  Reason: The password of the account has expired.",
    18488: "Login failed for user 'app'.  Reason: The password of the account must be changed.",
    18486: "Login failed for user 'app' because the account is currently locked out.",
  },
  badInput: {
    4060: 'Cannot open database "nope" requested by the login. The login failed.',
    911: 'database "nope" does not exist',
    15129: "'-5' is not a valid value for configuration option 'max degree of parallelism'.",
  },
  permission: {
    229: "The INSERT permission was denied on the object 't', database 'bench', schema 'dyno'.",
    262: "CREATE TABLE permission denied in database 'bench'.",
    300: "VIEW SERVER PERFORMANCE STATE permission was denied on object 'server', database 'master'.",
    5812: 'You do not have permission to run the RECONFIGURE statement.',
    15247: 'User does not have permission to perform this action.',
    33557097: 'permission denied for database babelfish_db',
    916: 'The server principal "app" is not able to access the database "bench" under the current security context.',
  },
  uniqueViolation: {
    2627: "Violation of PRIMARY KEY constraint 'pk'. Cannot insert duplicate key in object 'dyno.t'.",
    2601: "Cannot insert duplicate key row in object 'dyno.t' with unique index 'ix'.",
    1505: "The CREATE UNIQUE INDEX statement terminated because a duplicate key was found for the object name 'dyno.t' and the index name 'ix'. The duplicate key value is (1).",
  },
  constraint: {
    515: "Cannot insert the value NULL into column 'id', table 'bench.dyno.t'; column does not allow nulls.",
    2628: "String or binary data would be truncated in table 'bench.dyno.t', column 'code'.",
    8115: 'Arithmetic overflow error converting numeric to data type numeric.',
    8134: 'Divide by zero error encountered.',
    4815: 'Received an invalid column length from the bcp client for colid 2.',
    4863: 'Bulk load data conversion error (truncation) for row 1, column 2 (code).',
  },
  'deadlock, retryable': {
    1205: 'Transaction (Process ID 52) was deadlocked on lock resources with another process and has been chosen as the deadlock victim.',
  },
  'lockTimeout, retryable': { 1222: 'Lock request time out period exceeded.' },
  'serialization, retryable': {
    3960: 'Snapshot isolation transaction aborted due to update conflict.',
    41301:
      'A previous transaction that the current transaction took a dependency on has aborted, and the current transaction can no longer commit.',
  },
  diskFull: {
    1105: "Could not allocate space for object 'dyno.t' in database 'bench' because the 'PRIMARY' filegroup is full.",
    9002: "The transaction log for database 'bench' is full due to 'LOG_BACKUP'.",
    40544: "The database 'bench' has reached its size quota.",
  },
  connectionLimit: {
    17809: 'Could not connect because the maximum number of ’100’ user connections has already been reached.',
  },
  limit: {
    701: "There is insufficient system memory in resource pool 'default' to run this query.",
    8003: 'The incoming request has too many parameters. The server supports a maximum of 2100 parameters.',
    10738:
      'The number of row value expressions in the INSERT statement exceeds the maximum allowed number of 1000 row values.',
    8623: 'The query processor ran out of internal resources and could not produce a query plan. This is a rare event and only expected for extremely complex queries.',
    40552:
      'The session has been terminated because of excessive transaction log space usage. Try modifying fewer rows in a single transaction.',
  },
  'connectionLimit, retryable': {
    10928: 'Resource ID: 1. The request limit for the database is 60 and has been reached.',
  },
  'limit, retryable': {
    1204: 'The instance of the SQL Server Database Engine cannot obtain a LOCK resource at this time. Rerun your statement when there are fewer active users.',
  },
  serverGone: {
    596: 'Cannot continue the execution because the session is in the kill state.',
    6005: 'SHUTDOWN is in progress.',
  },
  'unreachable, retryable': {
    17142: 'SQL Server service has been paused. No new connections will be allowed.',
    40613: "Database 'bench' on server 'x' is not currently available.",
  },
  syntax: {
    102: "Incorrect syntax near 'SELEC'.",
    208: "Invalid object name 'dyno.t'.",
  },
  notOurs: { 2714: "There is already an object named 't' in the database." },
  unsupported: {
    3952: "Snapshot isolation transaction failed accessing database 'bench' because snapshot isolation is not allowed in this database. Use ALTER DATABASE to allow snapshot isolation.",
    40510: "Statement 'DBCC DROPCLEANBUFFERS' is not supported in this version of SQL Server.",
  },
  other: { 50000: 'Raised by a trigger.' },
});

const fromServer = (number: number | string, message: string) =>
  Object.assign(new RequestError(message, 'EREQUEST'), { number: Number(number) });

test.each(recorded)('%s (retryable: %s): %i %s', (kind, retryable, code, message) => {
  expect(toError(fromServer(code, message))).toMatchObject({ kind, retryable, code, message });
});

const socketError = (message: string, cause: Error) => new ConnectionError(message, 'ESOCKET', { cause });
const coded = (code: string, message: string) => Object.assign(new Error(message), { code });

const certificateError = (code: string, message: string) => socketError('Failed to connect', coded(code, message));
const ofConnection = (code: string, message: string) => new ConnectionError(message, code);

/** Errors that `tedious` throws without a word from the server, recorded from tedious 19.2 and Node 24. */
const ofDriver: readonly (readonly [ErrorKind, string | null, Error])[] = [
  ['cancelled', 'ECANCEL', new RequestError('Canceled.', 'ECANCEL')],
  ['timeout', 'ETIMEOUT', new RequestError('Timeout: Request failed to complete in 500ms', 'ETIMEOUT')],
  ['unreachable', 'ETIMEOUT', ofConnection('ETIMEOUT', 'Failed to connect to 10.0.0.1:1433 in 700ms')],
  [
    'unreachable',
    'ECONNREFUSED',
    socketError(
      'Failed to connect to localhost:1 - Could not connect (sequence)',
      new AggregateError([coded('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1')], 'Could not connect (sequence)'),
    ),
  ],
  [
    'unreachable',
    'ENOTFOUND',
    socketError('Failed to connect to x:1433 - getaddrinfo ENOTFOUND x', coded('ENOTFOUND', 'getaddrinfo ENOTFOUND x')),
  ],
  ['unreachable', 'EINSTLOOKUP', ofConnection('EINSTLOOKUP', 'Failed to get response from SQL Server Browser on db')],
  ['unreachable', 'EINSTLOOKUP', ofConnection('EINSTLOOKUP', 'Port for NONE not found in db')],
  ['unreachable', 'ETIMEOUT', ofConnection('ETIMEOUT', 'Failed to connect to db\\NONE in 700ms')],
  ['tls', 'DEPTH_ZERO_SELF_SIGNED_CERT', certificateError('DEPTH_ZERO_SELF_SIGNED_CERT', 'self signed certificate')],
  [
    'tls',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    certificateError('ERR_TLS_CERT_ALTNAME_INVALID', 'Hostname/IP does not match certificate’s altnames'),
  ],
  ['tls', 'EENCRYPT', ofConnection('EENCRYPT', "Server requires encryption, set 'encrypt' config option to true.")],
  [
    'authentication',
    'EFEDAUTH',
    new AggregateError([ofConnection('EFEDAUTH', 'Security token could not be authenticated or authorized.')]),
  ],
  ['serverGone', 'ECONNRESET', coded('ECONNRESET', 'socket hang up')],
  ['serverGone', 'ECONNRESET', coded('ECONNRESET', 'read ECONNRESET')],
  ['serverGone', 'EPIPE', coded('EPIPE', 'write EPIPE')],
  ['serverGone', 'ECLOSE', new RequestError('Connection closed before request completed.', 'ECLOSE')],
  [
    'serverGone',
    'EINVALIDSTATE',
    new RequestError('Requests can only be made in the LoggedIn state, not the Final state', 'EINVALIDSTATE'),
  ],
];

test.each(ofDriver)('%s: %s of the driver', (kind, code, error) => {
  expect(toError(error)).toMatchObject({ kind, code });
});

test('a call on a busy connection is a defect of ours, not a lost connection', () => {
  const busy = new RequestError(
    'Requests can only be made in the LoggedIn state, not the SentClientRequest state',
    'EINVALIDSTATE',
  );
  expect(toError(busy)).toMatchObject({ kind: 'internal' });
});

testHints(
  [
    ...recorded.map(([kind, , number, message]) => [kind, toError(fromServer(number, message))] as const),
    ...ofDriver.map(([kind, , error]) => [kind, toError(error)] as const),
  ],
  ['serialization', 'timeout', 'other'],
);

test('of several errors of a request the one that means something counts', () => {
  const several = new AggregateError([
    fromServer(50_001, 'first'),
    fromServer(2627, 'duplicate'),
    fromServer(3621, 'ended'),
  ]);
  expect(toError(several)).toMatchObject({ kind: 'uniqueViolation', message: 'duplicate' });
});

test('a refused login says the server’s number, and why rather than that', () => {
  const error = new ConnectionError("Login failed for user 'app'.", 'ELOGIN');
  const told = [
    { number: 4060, message: 'Cannot open database "nope" requested by the login. The login failed.' },
    { number: 18_456, message: "Login failed for user 'app'." },
  ];
  expect(toError(loginError(error, told))).toMatchObject({ kind: 'badInput', code: '4060' });
  expect(toError(loginError(error, told.slice(1)))).toMatchObject({ kind: 'authentication', code: '18456' });
  expect(loginError(coded('ECONNRESET', 'socket hang up'), told)).toMatchObject({ code: 'ECONNRESET' });
});

const wrapped = (inner: Error, more: object = {}) => Object.assign(new sql.RequestError(inner, 'EREQUEST'), more);
const said = (number: number, message: string) => wrapped(Object.assign(new Error(message), { info: { number } }));

/** These errors are as `mssql` 12.7 throws them: wrapped, and of several the last with those before it. */
test.each([
  ['uniqueViolation', '2627', said(2627, 'Violation of PRIMARY KEY constraint.')],
  ['cancelled', 'ECANCEL', wrapped(new RequestError('Canceled.', 'ECANCEL'))],
  ['serverGone', 'ECLOSE', wrapped(new RequestError('Connection closed before request completed.', 'ECLOSE'))],
  [
    'unreachable',
    'ECONNREFUSED',
    new sql.ConnectionError(
      socketError(
        'Failed to connect to 127.0.0.1:1 - connect ECONNREFUSED',
        coded('ECONNREFUSED', 'connect ECONNREFUSED'),
      ),
    ),
  ],
  [
    'diskFull',
    '1105',
    Object.assign(said(3013, 'BULK INSERT is terminating abnormally.'), { precedingErrors: [said(1105, 'Full.')] }),
  ],
  [
    'deadlock',
    '1205',
    Object.assign(new sql.TransactionError('Transaction has been aborted.'), {
      code: 'EABORT',
      originalError: said(1205, 'Chosen as the deadlock victim.'),
    }),
  ],
  [
    'serverGone',
    'ECONNCLOSED',
    Object.assign(new sql.ConnectionError('Connection is closed.'), { code: 'ECONNCLOSED' }),
  ],
] as const)('of mssql, %s: %s', (kind, code, error) => {
  expect(toError(error)).toMatchObject({ kind, code });
});
