import { DynoError, type ErrorData, type ErrorKind, toErrorData } from '#model/error.ts';

interface Meaning {
  readonly kind: ErrorKind;
  readonly hint?: string;
  readonly retryable?: boolean;
}

const diskFull: Meaning = { kind: 'diskFull', hint: 'Free space on the server’s disk, or use fewer rows.' };
const retryLater: Meaning = {
  kind: 'unreachable',
  retryable: true,
  hint: 'The server or database is starting, stopping or moving: try again in a moment.',
};
const permission: Meaning = {
  kind: 'permission',
  hint: 'Ask for the right named above: `dyno grants TARGET` prints a script.',
};
const expired: Meaning = {
  kind: 'authentication',
  hint: 'Change the password: ALTER LOGIN … WITH PASSWORD, or log in once with SSMS or sqlcmd -Z.',
};
const throttled: Meaning = {
  kind: 'limit',
  retryable: true,
  hint: 'Azure SQL turned the request away: fewer connections, or a larger service tier.',
};
const snapshot: Meaning = { kind: 'serialization', retryable: true };
const connections: Meaning = {
  kind: 'limit',
  hint: 'Fewer connections, or raise "user connections" (sp_configure) on the server.',
};
const simpler: Meaning = {
  kind: 'limit',
  hint: 'Lower rowsPerCall, or write the statement with fewer values, joins and nested expressions.',
};
const longTransaction: Meaning = {
  kind: 'limit',
  hint: 'Azure SQL ended the session over what its transaction used: lower callsPerCommit or rowsPerCall, or take a larger service tier.',
};
const notHere: Meaning = { kind: 'unsupported', hint: 'This edition of the server has no such statement.' };
const memory: Meaning = { kind: 'limit', hint: 'The server ran out of memory: fewer connections or rows per call.' };
const shutDown: Meaning = {
  kind: 'serverGone',
  hint: 'The server was shut down, or an administrator ended the session.',
};
const login: Meaning = { kind: 'authentication', hint: 'Check user, password and authentication of the target.' };
const syntax: Meaning = { kind: 'syntax' };
const constraint: Meaning = { kind: 'constraint' };

/** Error numbers (sys.messages). */
const byNumber: Readonly<Record<number, Meaning>> = {
  18456: login,
  18452: { kind: 'authentication', hint: 'The server does not trust this domain: check domain, or use a SQL login.' },
  18470: { kind: 'authentication', hint: 'The login is disabled: ALTER LOGIN … ENABLE.' },
  18486: { kind: 'authentication', hint: 'The login is locked out: ALTER LOGIN … WITH PASSWORD = … UNLOCK.' },
  18487: expired,
  18488: expired,
  18463: expired,
  40532: login,
  4060: {
    kind: 'badInput',
    hint: 'Create the database, correct the target’s database, or make a user for the login in it.',
  },
  4063: { kind: 'badInput', hint: 'Correct the target’s database.' },
  4064: { kind: 'badInput', hint: 'The login’s default database is gone: name one as database.' },
  911: { kind: 'badInput', hint: 'Create the database or correct the target’s database.' },
  229: permission,
  230: permission,
  262: permission,
  297: permission,
  300: permission,
  916: permission,
  1088: permission,
  2760: permission,
  3701: permission,
  6102: permission,
  15151: permission,
  15247: permission,
  3906: { kind: 'permission', hint: 'The database is read-only (a secondary?): use its primary.' },
  3908: retryLater,
  2627: { kind: 'uniqueViolation' },
  2601: { kind: 'uniqueViolation' },
  1505: { kind: 'uniqueViolation', hint: 'The rows that are there have equal values in these columns.' },
  2714: { kind: 'notOurs', hint: 'Rename or drop it yourself; Dyno never does.' },
  515: constraint,
  547: constraint,
  220: constraint,
  241: constraint,
  245: constraint,
  2628: constraint,
  4815: constraint,
  4816: constraint,
  4863: constraint,
  4864: constraint,
  4867: constraint,
  8114: constraint,
  8115: constraint,
  8134: constraint,
  8152: constraint,
  8169: constraint,
  1205: {
    kind: 'deadlock',
    retryable: true,
    hint: 'Touch rows in the same order in every session, or in smaller transactions.',
  },
  1222: { kind: 'lockTimeout', retryable: true, hint: 'Another session holds the lock: see sys.dm_tran_locks.' },
  3952: {
    kind: 'unsupported',
    hint: 'The database keeps no versions of rows for snapshots. Have its owner run: ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON',
  },
  3960: snapshot,
  3961: snapshot,
  41301: snapshot,
  41302: snapshot,
  41305: snapshot,
  41325: snapshot,
  1101: diskFull,
  1105: diskFull,
  5149: diskFull,
  40544: {
    kind: 'diskFull',
    hint: 'The database has reached its largest size: use fewer rows, or have it made larger (ALTER DATABASE … MODIFY).',
  },
  9002: { kind: 'diskFull', hint: 'The transaction log is full: back it up, let it grow, or use fewer rows.' },
  1204: {
    kind: 'limit',
    retryable: true,
    hint: 'The server is out of locks: fewer connections, lower callsPerCommit or rowsPerCall, or raise "locks" (sp_configure).',
  },
  701: memory,
  802: memory,
  8645: memory,
  191: simpler,
  8623: simpler,
  8632: simpler,
  40549: longTransaction,
  40550: longTransaction,
  40551: longTransaction,
  40552: longTransaction,
  40553: longTransaction,
  40508: notHere,
  40510: notHere,
  40514: notHere,
  40515: notHere,
  40517: notHere,
  17803: memory,
  17300: connections,
  17809: connections,
  8003: { kind: 'limit', hint: 'Lower rowsPerCall: a request takes 2,100 parameters.' },
  10738: { kind: 'limit', hint: 'Lower rowsPerCall: a VALUES list takes 1,000 rows.' },
  10928: throttled,
  10929: throttled,
  10936: throttled,
  49918: throttled,
  49919: throttled,
  49920: throttled,
  40501: throttled,
  596: shutDown,
  6005: shutDown,
  6006: shutDown,
  4014: shutDown,
  10054: shutDown,
  17142: retryLater,
  17830: retryLater,
  18401: retryLater,
  18451: retryLater,
  921: retryLater,
  922: retryLater,
  927: retryLater,
  983: retryLater,
  40197: retryLater,
  40613: retryLater,
  102: syntax,
  105: syntax,
  137: syntax,
  156: syntax,
  195: syntax,
  207: syntax,
  208: syntax,
  319: syntax,
  2715: syntax,
  2812: syntax,
  4104: syntax,
};

const noBrowser: Meaning = {
  kind: 'unreachable',
  hint: 'The port of a named instance is asked of the SQL Server Browser (UDP 1434): start that service on the host and let UDP 1434 and the instance’s port through, or give the target the port in place of the instance.',
};
const cut: Meaning = { kind: 'serverGone', hint: 'The connection was cut: see the server’s log.' };
const tlsHint =
  'The server’s certificate was not accepted: give its CA as ca and use the name that the certificate names (serverName), or set trustServerCertificate: true to encrypt without checking.';

/** The driver's codes, and Node's network codes behind them. */
const byCode: Readonly<Record<string, Meaning>> = {
  ECANCEL: { kind: 'cancelled' },
  ECLOSE: cut,
  ECONNCLOSED: cut,
  ENOTOPEN: cut,
  ECONNRESET: cut,
  EPIPE: cut,
  ELOGIN: login,
  EFEDAUTH: { kind: 'authentication', hint: 'Microsoft Entra gave no token: check tenantId, clientId and the secret.' },
  EINSTLOOKUP: noBrowser,
  EENCRYPT: { kind: 'tls', hint: 'The server takes encrypted connections only: set encrypt: true.' },
  ENOTFOUND: { kind: 'unreachable', hint: 'No host of that name: check the target’s host.' },
  EAI_AGAIN: { kind: 'unreachable', hint: 'The name could not be looked up: check the target’s host and the network.' },
  ECONNREFUSED: {
    kind: 'unreachable',
    hint: 'Nothing listens there: is the server running on this host and port, with TCP/IP enabled in SQL Server Configuration Manager?',
  },
  EHOSTUNREACH: { kind: 'unreachable', hint: 'There is no route to the host: check the network or VPN.' },
  ENETUNREACH: { kind: 'unreachable', hint: 'There is no route to the host: check the network or VPN.' },
  ETIMEDOUT: { kind: 'unreachable', hint: 'No answer: a firewall may drop the packets.' },
};

const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_OSSL|EPROTO)/;

/** Every kind of object has a number of its own for it. */
const denied = /permission (was )?denied/i;

/** What has a code that says too little, or none. */
const byMessage: readonly (readonly [RegExp, Meaning])[] = [
  // host\INSTANCE: the driver stops waiting for the Browser with its whole time-out.
  [/^Failed to connect to \S*\\\S* in \d+ms$/, noBrowser],
  [
    /Unable to process incoming packet/,
    { kind: 'other', hint: 'What answers there does not speak TDS: is it the port of another service?' },
  ],
  [
    /^Failed to connect to .* in \d+ms$/,
    {
      kind: 'unreachable',
      hint: 'No answer in time: a firewall, a wrong host, encrypt: strict on a server before 2022, or connectTimeoutMs too short.',
    },
  ],
  [/^Failed to cancel request/, cut],
  [/^Timeout: Request failed to complete/, { kind: 'timeout', retryable: true }],
  [/not the (Final|Initialized) state/, cut],
  [/socket hang up|unexpected end of message stream|^Connection (lost|closed)/, cut],
  [/self[- ]signed certificate|certificate|altnames/i, { kind: 'tls', hint: tlsHint }],
  [
    /TLS|SSL|secure/,
    { kind: 'tls', hint: 'Check encrypt of the target, and the server’s certificate and TLS versions.' },
  ],
];

/** What an ERROR token says of a login ([MS-TDS] 2.2.7.10). */
export interface LoginError {
  readonly number: number;
  readonly message: string;
}

/** The driver's login error with the number that the server gave; where there are several, the first says why. */
export function loginError(error: Error, told: readonly LoginError[]): Error {
  const first = told.find(({ number }) => number !== 18_456) ?? told[0];
  return first && 'code' in error && error.code === 'ELOGIN'
    ? Object.assign(new Error(first.message, { cause: error }), { code: 'ELOGIN', number: first.number })
    : error;
}

/** From what `tedious` or `mssql` throws. Pure. Messages are the server's own; none of them holds a password. */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  const error = innermost(thrown);
  const number = 'number' in error && typeof error.number === 'number' ? error.number : null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const meaning = meaningOf(number, code, error.message);
  if (!meaning) return toErrorData(error);
  return {
    kind: meaning.kind,
    code: number === null ? code : String(number),
    message: meaning === cut ? `The connection to the server was lost (${error.message}).` : error.message,
    hint: meaning.hint ?? null,
    retryable: meaning.retryable ?? false,
  };
}

/** The cause among several errors of one request, or of addresses tried in turn: the first error that is known. */
function innermost(error: Error): Error {
  const parts = partsOf(error);
  if (parts.length === 0) return unwrapped(error);
  const errors = parts.map((one) => (one === error ? unwrapped(one) : innermost(one)));
  return errors.find(isKnown) ?? errors[0] ?? error;
}

/** `tedious` throws several errors as one AggregateError, `mssql` the last with those before it. */
function partsOf(error: Error): readonly Error[] {
  if (error instanceof AggregateError) return error.errors.filter((one) => one instanceof Error);
  if (!('precedingErrors' in error && Array.isArray(error.precedingErrors)) || error.precedingErrors.length === 0)
    return [];
  return [...error.precedingErrors.filter((one) => one instanceof Error), error];
}

/** `mssql` wraps what `tedious` throws, whose ESOCKET only wraps what the network said. */
function unwrapped(error: Error): Error {
  if ('number' in error && typeof error.number === 'number') return error;
  const original = 'originalError' in error ? error.originalError : null;
  const within = original ?? ('code' in error && error.code === 'ESOCKET' ? error.cause : null);
  return within instanceof Error ? innermost(within) : error;
}

const isKnown = (error: Error): boolean =>
  ('number' in error && Object.hasOwn(byNumber, Number(error.number))) ||
  ('code' in error && Object.hasOwn(byCode, String(error.code)));

/** The Browser answers, and does not know the instance. */
const unknownInstance = /^Port for .* not found in /;

function meaningOf(number: number | null, code: string | null, message: string): Meaning | null {
  if (number !== null) {
    const known = Object.hasOwn(byNumber, number) ? byNumber[number] : undefined;
    return known ?? (denied.test(message) ? permission : { kind: 'other' });
  }
  if (code === 'EINSTLOOKUP' && unknownInstance.test(message))
    return {
      kind: 'unreachable',
      hint: 'The SQL Server Browser there knows no such instance with TCP/IP: check its name, that it is running, and TCP/IP in SQL Server Configuration Manager.',
    };
  if (code !== null) {
    const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
    if (known) return known;
    if (tlsCodes.test(code)) return { kind: 'tls', hint: tlsHint };
  }
  return byMessage.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}
