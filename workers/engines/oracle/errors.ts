import { DynoError, type ErrorData, type ErrorKind, toErrorData } from '#model/error.ts';

interface Meaning {
  readonly kind: ErrorKind;
  readonly hint?: string;
  readonly retryable?: boolean;
}

const gone: Meaning = { kind: 'serverGone', hint: 'The connection was cut: see the database’s alert log.' };
const noListener = 'Nothing listens there: is the listener running, on this host and port (`lsnrctl status`)?';
const space = 'Add a data file or raise the quota, or use fewer rows.';
const login: Meaning = { kind: 'authentication', hint: 'Check user and password of the target.' };

/** ORA: Database Error Messages. */
const byOracle: Readonly<Record<string, Meaning>> = {
  'ORA-00001': { kind: 'uniqueViolation' },
  'ORA-00018': { kind: 'limit', hint: 'Fewer connections, or raise SESSIONS on the server.' },
  'ORA-00020': { kind: 'limit', hint: 'Fewer connections, or raise PROCESSES on the server.' },
  'ORA-00028': { kind: 'serverGone', hint: 'A DBA killed the session.' },
  'ORA-00054': { kind: 'lockTimeout', retryable: true, hint: 'Another session uses the table: see v$locked_object.' },
  'ORA-00060': {
    kind: 'deadlock',
    retryable: true,
    hint: 'Touch rows in the same order in every session, or in smaller transactions.',
  },
  'ORA-00257': { kind: 'diskFull', hint: 'The archive log area is full: back up and delete archived logs.' },
  'ORA-00604': { kind: 'other', hint: 'See the error named behind it.' },
  'ORA-00903': { kind: 'syntax' },
  'ORA-00904': { kind: 'syntax' },
  'ORA-00913': { kind: 'syntax' },
  'ORA-00942': { kind: 'syntax', hint: 'There is no such table or view, or no right to read it.' },
  'ORA-00955': { kind: 'notOurs', hint: 'Rename or drop it yourself; Dyno never does.' },
  'ORA-01000': { kind: 'limit', hint: 'Raise OPEN_CURSORS on the server, or lower oracle.statementCacheSize.' },
  'ORA-01005': login,
  'ORA-01012': gone,
  'ORA-01013': { kind: 'cancelled' },
  'ORA-01017': login,
  'ORA-01031': { kind: 'permission', hint: '`dyno grants` prints the script that gives what Dyno needs.' },
  'ORA-01033': {
    kind: 'unreachable',
    retryable: true,
    hint: 'The database is starting or stopping: try again in a moment.',
  },
  'ORA-01034': { kind: 'unreachable', hint: 'The database is not started.' },
  'ORA-01035': { kind: 'permission', hint: 'The database is open to users with RESTRICTED SESSION only.' },
  'ORA-01045': { kind: 'permission', hint: 'Have a DBA run: GRANT CREATE SESSION TO the user.' },
  'ORA-01089': { kind: 'serverGone', hint: 'The database is being shut down.' },
  'ORA-01092': { kind: 'serverGone', hint: 'The database instance ended: see its alert log.' },
  'ORA-01109': { kind: 'unreachable', hint: 'The database is mounted but not open.' },
  'ORA-01400': { kind: 'constraint' },
  'ORA-01502': {
    kind: 'uniqueViolation',
    hint: 'A direct path load left the index unusable: two rows have the same key.',
  },
  'ORA-01536': { kind: 'diskFull', hint: 'Have a DBA raise the user’s quota on its tablespace.' },
  'ORA-01555': { kind: 'serialization', retryable: true, hint: 'Undo was overwritten: raise UNDO_RETENTION.' },
  'ORA-01652': { kind: 'diskFull', hint: space },
  'ORA-01653': { kind: 'diskFull', hint: space },
  'ORA-01654': { kind: 'diskFull', hint: space },
  'ORA-01658': { kind: 'diskFull', hint: space },
  'ORA-01688': { kind: 'diskFull', hint: space },
  'ORA-01691': { kind: 'diskFull', hint: space },
  'ORA-01795': { kind: 'limit', hint: 'Lower rowsPerCall.' },
  'ORA-01950': { kind: 'permission', hint: 'Have a DBA run: ALTER USER … QUOTA UNLIMITED ON its tablespace.' },
  'ORA-02290': { kind: 'constraint' },
  'ORA-02291': { kind: 'constraint' },
  'ORA-02391': { kind: 'limit', hint: 'Fewer connections, or raise SESSIONS_PER_USER of the user’s profile.' },
  'ORA-02396': { kind: 'serverGone', hint: 'The session was idle for longer than its profile’s IDLE_TIME.' },
  'ORA-03113': gone,
  'ORA-03114': gone,
  'ORA-03115': { kind: 'unsupported' },
  'ORA-03135': gone,
  'ORA-04021': { kind: 'lockTimeout', retryable: true, hint: 'Another session holds the object.' },
  'ORA-04030': { kind: 'limit', hint: 'The server ran out of memory: fewer connections or rows per call.' },
  'ORA-04031': { kind: 'limit', hint: 'The shared pool is full: literals fill it; or raise SGA_TARGET.' },
  'ORA-08177': { kind: 'serialization', retryable: true },
  'ORA-12154': {
    kind: 'badInput',
    hint: 'connectString is no name that tnsnames.ora explains; host:port/service works without one.',
  },
  'ORA-12170': { kind: 'unreachable', hint: 'No answer: a firewall may drop the packets.' },
  'ORA-12505': { kind: 'badInput', hint: 'The listener does not know this SID: `lsnrctl services` lists them.' },
  'ORA-12514': { kind: 'badInput', hint: 'The listener does not know this service: `lsnrctl services` lists them.' },
  'ORA-12516': {
    kind: 'limit',
    retryable: true,
    hint: 'The listener has no free handler: fewer connections, or raise PROCESSES.',
  },
  'ORA-12518': {
    kind: 'limit',
    retryable: true,
    hint: 'The listener cannot hand the connection over: fewer connections.',
  },
  'ORA-12519': {
    kind: 'limit',
    retryable: true,
    hint: 'The listener has no free handler: fewer connections, or raise PROCESSES.',
  },
  'ORA-12520': {
    kind: 'limit',
    retryable: true,
    hint: 'The listener has no free handler: fewer connections, or raise PROCESSES.',
  },
  'ORA-12541': { kind: 'unreachable', hint: noListener },
  'ORA-12545': { kind: 'unreachable', hint: 'No host of that name: check the target’s host.' },
  'ORA-12547': gone,
  'ORA-12592': gone,
  'ORA-12637': { kind: 'unreachable', hint: 'The server broke off while security was negotiated: see sqlnet.ora.' },
  'ORA-12660': {
    kind: 'tls',
    hint: 'The server demands native encryption, which only mode: thick has; or use protocol: tcps.',
  },
  'ORA-12899': { kind: 'constraint' },
  'ORA-24335': { kind: 'limit', hint: 'Lower rowsPerCall: INSERT ALL takes 999 values.' },
  'ORA-24373': { kind: 'unsupported' },
  'ORA-24550': gone,
  'ORA-25408': gone,
  'ORA-26026': {
    kind: 'uniqueViolation',
    hint: 'A direct path load left the index unusable: two rows have the same key.',
  },
  'ORA-26085': { kind: 'badInput', hint: 'A direct path load starts its own transaction: set callsPerCommit: 1.' },
  'ORA-28000': { kind: 'authentication', hint: 'Have a DBA run: ALTER USER … ACCOUNT UNLOCK.' },
  'ORA-28001': {
    kind: 'authentication',
    hint: 'The password has expired: change it in SQL*Plus (`password`), then in the target.',
  },
  'ORA-28002': { kind: 'authentication', hint: 'The password will expire soon.' },
  'ORA-28040': {
    kind: 'authentication',
    hint: 'Server and driver have no password verifier in common: see SQLNET.ALLOWED_LOGON_VERSION_SERVER.',
  },
  'ORA-28759': { kind: 'tls', hint: 'The wallet cannot be opened: check walletLocation.' },
  'ORA-28860': { kind: 'tls', hint: 'The TLS handshake failed: check protocol, port and walletLocation.' },
  'ORA-30006': { kind: 'lockTimeout', retryable: true, hint: 'Another session holds the row.' },
  'ORA-30036': { kind: 'diskFull', hint: 'The undo tablespace is full: commit more often, or add a data file.' },
  'ORA-62108': { kind: 'limit', hint: 'The table is too large for this edition of the database.' },
};

/** NJS: the driver's own, docs chapter "NJS errors". */
const byDriver: Readonly<Record<string, Meaning>> = {
  'NJS-003': gone,
  'NJS-500': gone,
  'NJS-501': gone,
  'NJS-503': { kind: 'unreachable', hint: 'No connection could be made: check host, port and service.' },
  'NJS-505': { kind: 'tls', hint: 'TLS could not be set up: check protocol, port and walletLocation.' },
  'NJS-506': {
    kind: 'tls',
    hint: 'The server’s certificate was not accepted: give its CA in a wallet (walletLocation with ewallet.pem).',
  },
  'NJS-507': { kind: 'tls', hint: 'The certificate is another server’s: check the host, or serverDnMatch: false.' },
  'NJS-508': { kind: 'tls', hint: 'The certificate is another host’s: use the name it has, or serverDnMatch: false.' },
  'NJS-510': {
    kind: 'unreachable',
    hint: 'No answer in time: a firewall, a wrong host, or connectTimeoutMs too short.',
  },
  'NJS-511': { kind: 'unreachable', hint: noListener },
  'NJS-512': { kind: 'badInput', hint: 'The connect string has a parameter the driver does not know.' },
  'NJS-513': gone,
  'NJS-514': { kind: 'badInput', hint: 'Check connectString: host:port/service, or a complete descriptor.' },
  'NJS-515': { kind: 'badInput', hint: 'Check connectString: host:port/service.' },
  'NJS-516': {
    kind: 'badInput',
    hint: 'connectString is a name that tnsnames.ora explains: set TNS_ADMIN, or use host:port/service.',
  },
  'NJS-517': { kind: 'badInput', hint: 'tnsnames.ora has no such name; host:port/service works without it.' },
  'NJS-518': { kind: 'badInput', hint: 'The listener does not know this service: `lsnrctl services` lists them.' },
  'NJS-519': { kind: 'badInput', hint: 'The listener does not know this SID: `lsnrctl services` lists them.' },
  'NJS-520': { kind: 'badInput', hint: 'There is no tnsnames.ora: set TNS_ADMIN, or use host:port/service.' },
  'NJS-521': gone,
  'NJS-526': { kind: 'tls', hint: 'The wallet is not in PEM format: walletLocation needs an ewallet.pem.' },
  'NJS-530': { kind: 'unreachable', hint: 'No host of that name: check the target’s host.' },
  'NJS-533': {
    kind: 'unsupported',
    hint: 'The server demands native encryption, which only mode: thick has; or use protocol: tcps.',
  },
  'NJS-116': {
    kind: 'authentication',
    hint: 'The account has a 10G password verifier only: have a DBA set the password anew.',
  },
  'NJS-138': { kind: 'unsupported', hint: 'Thin needs Oracle Database 12.1; older servers need mode: thick.' },
  'NJS-089': { kind: 'unsupported', hint: 'Thin has no such feature.' },
  'NJS-118': {
    kind: 'unsupported',
    hint: 'A process is either thin or thick: test the target again after a restart of Dyno.',
  },
};

const byNode: Readonly<Record<string, Meaning>> = {
  ENOTFOUND: { kind: 'unreachable', hint: 'No host of that name: check the target’s host.' },
  EAI_AGAIN: { kind: 'unreachable', hint: 'The name could not be looked up: check the target’s host and the network.' },
  ECONNREFUSED: { kind: 'unreachable', hint: noListener },
  EHOSTUNREACH: { kind: 'unreachable', hint: 'There is no route to the host: check the network or VPN.' },
  ENETUNREACH: { kind: 'unreachable', hint: 'There is no route to the host: check the network or VPN.' },
  ETIMEDOUT: { kind: 'unreachable', hint: 'No answer: a firewall may drop the packets.' },
  ECONNRESET: gone,
  EPIPE: gone,
};

const thickHint =
  'Install Oracle Instant Client and name its folder as libDir (on Linux: have ldconfig or LD_LIBRARY_PATH find it), or use mode: thin, which needs nothing.';

/** From what the driver throws. Pure. Messages are the server's and the driver's own; none of them holds a password. */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  const message = wordsOf(thrown.message);
  const code = codeOf(thrown, message);
  const meaning = meaningOf(code, message);
  if (!meaning) return toErrorData(thrown);
  return {
    kind: meaning.kind,
    code,
    message: meaning === gone ? `The connection to the server was lost (${message}).` : message,
    hint: meaning.hint ?? null,
    retryable: meaning.retryable ?? false,
  };
}

/** Without addresses of help pages, the driver's long advice on Thick mode, and ids that differ every time. */
function wordsOf(message: string): string {
  const [first = ''] = message.split('\n');
  if (first.startsWith('DPI-1047')) return first.replace(/ See https:.*$/, '');
  return message
    .replace(/\s*\nHelp: https:\/\/\S+/g, '')
    .replace(/ \(CONNECTION_ID=[^)]*\)\.?/g, '')
    .trim();
}

/**
 * The innermost ORA code says more than the driver's wrapping; the driver wraps codes of lost connections as NJS-500.
 */
function codeOf(error: Error, message: string): string | null {
  const own = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const oracle = /\bORA-\d{5}\b/.exec(message)?.[0] ?? null;
  if (own === null || !/^NJS-/.test(own)) return oracle ?? own ?? /\b(?:NJS|DPI)-\d+\b/.exec(message)?.[0] ?? null;
  return oracle !== null && Object.hasOwn(byOracle, oracle) ? oracle : own;
}

function meaningOf(code: string | null, message: string): Meaning | null {
  if (code === null) return null;
  if (/^DPI-(1047|1072)$/.test(code)) return { kind: 'unsupported', hint: thickHint };
  // An error within the message of another (ORA-00604, PL/SQL's ORA-06512) is what happened.
  if (code === 'ORA-00604' || code === 'ORA-06512' || code === 'ORA-06550') {
    const inner = [...message.matchAll(/\bORA-\d{5}\b/g)].map(([one]) => one).find((one) => one !== code);
    const known = inner === undefined || !Object.hasOwn(byOracle, inner) ? undefined : byOracle[inner];
    if (known) return known;
  }
  if (code === 'NJS-512' && /wallet/i.test(message)) return byOracle['ORA-28759']!;
  if (code === 'NJS-503' || code === 'NJS-500') {
    const network = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)\b/.exec(message)?.[0];
    if (network) return byNode[network]!;
  }
  for (const table of [byOracle, byDriver, byNode]) if (Object.hasOwn(table, code)) return table[code]!;
  if (/^ORA-009\d\d$/.test(code) || code === 'ORA-06550') return { kind: 'syntax' };
  if (/^ORA-01[48]\d\d$/.test(code)) return { kind: 'constraint' };
  return /^(ORA|NJS|DPI)-/.test(code) ? { kind: 'other' } : null;
}
