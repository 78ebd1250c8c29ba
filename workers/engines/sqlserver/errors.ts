import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import {
  connectionCut,
  errorData,
  errorTable,
  type Meaning,
  meaningOfWords,
  meaningSaid,
  networkErrors,
  systemErrors,
  tlsCodes,
  type WordsRow,
} from '../shared/error-table.ts';

const retryLater = 'The server or database is starting, stopping or moving: try again in a moment.';
const askForRight = 'Ask for the right named above: `dyno grants TARGET` prints a script.';
const noBrowser =
  'The port of a named instance is asked of the SQL Server Browser (UDP 1434): start that service on the host and let UDP 1434 and the instance’s port through, or give the target the port in place of the instance.';
const tlsHint =
  'The server’s certificate was not accepted: give its CA as ca and use the name that the certificate names (serverName), or set trustServerCertificate: true to encrypt without checking.';

/** Error numbers (sys.messages). */
const byNumber = errorTable([
  [[18456, 40532], 'authentication', 'Check user, password and authentication of the target.'],
  [18452, 'authentication', 'The server does not trust this domain: check domain, or use a SQL login.'],
  [18470, 'authentication', 'The login is disabled: ALTER LOGIN … ENABLE.'],
  [18486, 'authentication', 'The login is locked out: ALTER LOGIN … WITH PASSWORD = … UNLOCK.'],
  [
    [18487, 18488, 18463],
    'authentication',
    'Change the password: ALTER LOGIN … WITH PASSWORD, or log in once with SSMS or sqlcmd -Z.',
  ],
  [4060, 'badInput', 'Create the database, correct the target’s database, or make a user for the login in it.'],
  [4063, 'badInput', 'Correct the target’s database.'],
  [15129, 'badInput', 'See sys.configurations for the minimum and the maximum of the option.'],
  [4064, 'badInput', 'The login’s default database is gone: name one as database.'],
  [911, 'badInput', 'Create the database or correct the target’s database.'],
  [[229, 230, 262, 297, 300, 916, 1088, 2760, 3701, 5812, 6102, 15151, 15247], 'permission', askForRight],
  [3906, 'permission', 'The database is read-only (a secondary?): use its primary.'],
  [[3908, 17142, 17830, 18401, 18451, 921, 922, 927, 983, 40197, 40613], 'unreachable', retryLater, 'retryable'],
  [[2627, 2601], 'uniqueViolation'],
  [1505, 'uniqueViolation', 'The rows that are there have equal values in these columns.'],
  [2714, 'notOurs', 'Rename or drop it yourself; Dyno never does.'],
  [[515, 547, 220, 241, 245, 2628, 4815, 4816, 4863, 4864, 4867, 8114, 8115, 8134, 8152, 8169], 'constraint'],
  [1205, 'deadlock', 'Touch rows in the same order in every session, or in smaller transactions.', 'retryable'],
  [1222, 'lockTimeout', 'Another session holds the lock: see sys.dm_tran_locks.', 'retryable'],
  [
    3952,
    'unsupported',
    'The database keeps no versions of rows for snapshots. Have its owner run: ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON',
  ],
  [[3960, 3961, 41301, 41302, 41305, 41325], 'serialization', null, 'retryable'],
  [[1101, 1105, 5149], 'diskFull', 'Free space on the server’s disk, or use fewer rows.'],
  [
    40544,
    'diskFull',
    'The database has reached its largest size: use fewer rows, or have it made larger (ALTER DATABASE … MODIFY).',
  ],
  [9002, 'diskFull', 'The transaction log is full: back it up, let it grow, or use fewer rows.'],
  [
    1204,
    'limit',
    'The server is out of locks: fewer connections, lower callsPerCommit or rowsPerCall, or raise "locks" (sp_configure).',
    'retryable',
  ],
  [[701, 802, 8645, 17803], 'limit', 'The server ran out of memory: fewer connections or rows per call.'],
  [
    [191, 8623, 8632],
    'limit',
    'Lower rowsPerCall, or write the statement with fewer values, joins and nested expressions.',
  ],
  [
    [40549, 40550, 40551, 40552, 40553],
    'limit',
    'Azure SQL ended the session over what its transaction used: lower callsPerCommit or rowsPerCall, or take a larger service tier.',
  ],
  [[40508, 40510, 40514, 40515, 40517], 'unsupported', 'This edition of the server has no such statement.'],
  [[17300, 17809], 'connectionLimit', 'Fewer connections, or raise "user connections" (sp_configure) on the server.'],
  [8003, 'limit', 'Lower rowsPerCall: a request takes 2,100 parameters.'],
  [10738, 'limit', 'Lower rowsPerCall: a VALUES list takes 1,000 rows.'],
  [
    [10928, 10929, 10936, 49918, 49919, 49920, 40501],
    'connectionLimit',
    'Azure SQL turned the request away: fewer connections, or a larger service tier.',
    'retryable',
  ],
  [[596, 6005, 6006, 4014, 10054], 'serverGone', 'The server was shut down, or an administrator ended the session.'],
  [[102, 105, 137, 156, 195, 207, 208, 319, 2715, 2812, 4104], 'syntax'],
]);

/** The driver's codes, and Node's network codes behind them. */
const byCode = errorTable([
  ...networkErrors,
  ['ECANCEL', 'cancelled'],
  [['ECLOSE', 'ECONNCLOSED', 'ENOTOPEN'], 'serverGone', connectionCut],
  ['ELOGIN', 'authentication', 'Check user, password and authentication of the target.'],
  ['EFEDAUTH', 'authentication', 'Microsoft Entra gave no token: check tenantId, clientId and the secret.'],
  ['EINSTLOOKUP', 'unreachable', noBrowser],
  ['EENCRYPT', 'tls', 'The server takes encrypted connections only: set encrypt: true.'],
  [
    'ECONNREFUSED',
    'unreachable',
    'Nothing listens there: is the server running on this host and port, with TCP/IP enabled in SQL Server Configuration Manager?',
  ],
]);

/** Every kind of object has its own number for it. */
const denied = /permission (was )?denied/i;

/** Meanings of errors without a code, or whose code says too little. */
const byMessage: readonly WordsRow[] = [
  // host\INSTANCE: the driver waits for the Browser until its time limit.
  [/^Failed to connect to \S*\\\S* in \d+ms$/, 'unreachable', noBrowser],
  [
    /Unable to process incoming packet/,
    'other',
    'What answers there does not speak TDS: is it the port of another service?',
  ],
  [
    /^Failed to connect to .* in \d+ms$/,
    'unreachable',
    'No answer in time: a firewall, a wrong host, encrypt: strict on a server before 2022, or connectTimeoutMs too short.',
  ],
  [/^Failed to cancel request/, 'serverGone', connectionCut],
  [/^Timeout: Request failed to complete/, 'timeout', null, 'retryable'],
  [/not the (Final|Initialized) state/, 'serverGone', connectionCut],
  [/socket hang up|unexpected end of message stream|^Connection (lost|closed)/, 'serverGone', connectionCut],
  [/self[- ]signed certificate|certificate|altnames/i, 'tls', tlsHint],
  [/TLS|SSL|secure/, 'tls', 'Check encrypt of the target, and the server’s certificate and TLS versions.'],
];

/** The facts of an ERROR token about a login ([MS-TDS] 2.2.7.10). */
export interface LoginError {
  readonly number: number;
  readonly message: string;
}

/** The driver's login error with the server's number. If there are several, the first has the reason. */
export function loginError(error: Error, told: readonly LoginError[]): Error {
  const first = told.find(({ number }) => number !== 18_456) ?? told[0];
  return first && 'code' in error && error.code === 'ELOGIN'
    ? Object.assign(new Error(first.message, { cause: error }), { code: 'ELOGIN', number: first.number })
    : error;
}

/**
 * Makes the data of an error from what `tedious` or `mssql` throws. Pure. Messages are the server's own; none of them
 * holds a password.
 */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  const error = innermost(thrown);
  const number = 'number' in error && typeof error.number === 'number' ? error.number : null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const meaning = meaningOf(number, code, error.message);
  if (!meaning) return toErrorData(error);
  const { message } = error;
  const told = meaning.hint === connectionCut ? `The connection to the server was lost (${message}).` : message;
  return errorData(meaning, number === null ? code : String(number), told);
}

/** The cause among several errors of one request, or of several addresses: the first error with a known meaning. */
function innermost(error: Error): Error {
  const parts = partsOf(error);
  if (parts.length === 0) return unwrapped(error);
  const errors = parts.map((one) => (one === error ? unwrapped(one) : innermost(one)));
  return errors.find(isKnown) ?? errors[0] ?? error;
}

/** `tedious` throws several errors as one AggregateError; `mssql` throws the last with those before it. */
function partsOf(error: Error): readonly Error[] {
  if (error instanceof AggregateError) return error.errors.filter((one) => one instanceof Error);
  if (!('precedingErrors' in error && Array.isArray(error.precedingErrors)) || error.precedingErrors.length === 0)
    return [];
  return [...error.precedingErrors.filter((one) => one instanceof Error), error];
}

/** `mssql` wraps the error of `tedious`, whose ESOCKET only wraps the network's. */
function unwrapped(error: Error): Error {
  if ('number' in error && typeof error.number === 'number') return error;
  const original = 'originalError' in error ? error.originalError : null;
  const within = original ?? ('code' in error && error.code === 'ESOCKET' ? error.cause : null);
  return within instanceof Error ? innermost(within) : error;
}

const isKnown = (error: Error): boolean =>
  ('number' in error && byNumber.has(Number(error.number))) || ('code' in error && byCode.has(String(error.code)));

/** The Browser answers, but does not know the instance. */
const unknownInstance = /^Port for .* not found in /;

function meaningOf(number: number | null, code: string | null, message: string): Meaning | null {
  if (number !== null) {
    const unknown: Meaning = denied.test(message) ? { kind: 'permission', hint: askForRight } : { kind: 'other' };
    return byNumber.get(number) ?? unknown;
  }
  if (code === 'EINSTLOOKUP' && unknownInstance.test(message))
    return {
      kind: 'unreachable',
      hint: 'The SQL Server Browser there knows no such instance with TCP/IP: check its name, that it is running, and TCP/IP in SQL Server Configuration Manager.',
    };
  if (code !== null) {
    const known = meaningSaid(systemErrors, code, message) ?? byCode.get(code);
    if (known) return known;
    if (tlsCodes.test(code) || code.startsWith('EPROTO')) return { kind: 'tls', hint: tlsHint };
  }
  return meaningOfWords(byMessage, message) ?? null;
}
