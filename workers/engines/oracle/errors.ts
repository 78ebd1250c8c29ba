import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import {
  errorData,
  errorTable,
  type Meaning,
  meaningSaid,
  networkErrors,
  type SaidRow,
  systemErrors,
} from '../shared/error-table.ts';

const gone = 'The connection was cut: see the database’s alert log.';
const noListener = 'Nothing listens there: is the listener running, on this host and port (`lsnrctl status`)?';

/** The meanings by code: the server's (Database Error Messages), the driver's (its docs, "NJS errors"), and Node's. */
const byCode = errorTable([
  ['ORA-00001', 'uniqueViolation'],
  ['ORA-00018', 'connectionLimit', 'Fewer connections, or raise SESSIONS on the server.'],
  ['ORA-00020', 'connectionLimit', 'Fewer connections, or raise PROCESSES on the server.'],
  ['ORA-00028', 'serverGone', 'A DBA killed the session.'],
  [
    'ORA-00054',
    'lockTimeout',
    'Another session holds a lock on the table or its rows: see v$locked_object.',
    'retryable',
  ],
  ['ORA-00060', 'deadlock', 'Touch rows in the same order in every session, or in smaller transactions.', 'retryable'],
  ['ORA-00257', 'diskFull', 'The archive log area is full: back up and delete archived logs.'],
  ['ORA-00604', 'other', 'See the error named behind it.'],
  [['ORA-00903', 'ORA-00904', 'ORA-00913'], 'syntax'],
  ['ORA-00942', 'syntax', 'There is no such table or view, or no right to read it.'],
  ['ORA-00955', 'notOurs', 'Rename or drop it yourself; Dyno never does.'],
  ['ORA-01000', 'limit', 'Raise OPEN_CURSORS on the server, or lower oracle.statementCacheSize.'],
  [['ORA-01005', 'ORA-01017'], 'authentication', 'Check user and password of the target.'],
  [
    ['ORA-01012', 'ORA-03113', 'ORA-03114', 'ORA-03135', 'ORA-12547', 'ORA-12592', 'ORA-24550', 'ORA-25408'],
    'serverGone',
    gone,
  ],
  ['ORA-01013', 'cancelled'],
  ['ORA-01031', 'permission', '`dyno grants` prints the script that gives what Dyno needs.'],
  ['ORA-01033', 'unreachable', 'The database is starting or stopping: try again in a moment.', 'retryable'],
  ['ORA-01034', 'unreachable', 'The database is not started.'],
  ['ORA-01035', 'permission', 'The database is open to users with RESTRICTED SESSION only.'],
  ['ORA-01045', 'permission', 'Have a DBA run: GRANT CREATE SESSION TO the user.'],
  ['ORA-01089', 'serverGone', 'The database is being shut down.'],
  ['ORA-01092', 'serverGone', 'The database instance ended: see its alert log.'],
  ['ORA-01109', 'unreachable', 'The database is mounted but not open.'],
  [['ORA-01400', 'ORA-02290', 'ORA-02291', 'ORA-12899'], 'constraint'],
  [['ORA-01502', 'ORA-26026'], 'other', 'The index is unusable: have its owner run ALTER INDEX … REBUILD.'],
  ['ORA-01536', 'diskFull', 'Have a DBA raise the user’s quota on its tablespace.'],
  ['ORA-01555', 'serialization', 'Undo was overwritten: raise UNDO_RETENTION.', 'retryable'],
  [
    ['ORA-01652', 'ORA-01653', 'ORA-01654', 'ORA-01658', 'ORA-01688', 'ORA-01691'],
    'diskFull',
    'Add a data file or raise the quota, or use fewer rows.',
  ],
  ['ORA-01795', 'limit', 'A list takes 1,000 values: lower rowsPerCall, or split the list of the statement.'],
  ['ORA-01950', 'permission', 'Have a DBA run: ALTER USER … QUOTA UNLIMITED ON its tablespace.'],
  ['ORA-02391', 'connectionLimit', 'Fewer connections, or raise SESSIONS_PER_USER of the user’s profile.'],
  ['ORA-02396', 'serverGone', 'The session was idle for longer than its profile’s IDLE_TIME.'],
  [['ORA-03115', 'ORA-24373'], 'unsupported'],
  ['ORA-04021', 'lockTimeout', 'Another session holds the object.', 'retryable'],
  ['ORA-04030', 'limit', 'The server ran out of memory: fewer connections or rows per call.'],
  ['ORA-04031', 'limit', 'The pool named above is full: raise SGA_TARGET.'],
  ['ORA-08177', 'serialization', null, 'retryable'],
  [
    'ORA-12154',
    'badInput',
    'connectString is no name that tnsnames.ora explains; host:port/service works without one.',
  ],
  ['ORA-12170', 'unreachable', 'No answer: a firewall may drop the packets.'],
  ['ORA-12505', 'badInput', 'The listener does not know this SID: `lsnrctl services` lists them.'],
  ['ORA-12514', 'badInput', 'The listener does not know this service: `lsnrctl services` lists them.'],
  [
    ['ORA-12516', 'ORA-12519', 'ORA-12520'],
    'connectionLimit',
    'The listener has no free handler: fewer connections, or raise PROCESSES.',
    'retryable',
  ],
  ['ORA-12518', 'connectionLimit', 'The listener cannot hand the connection over: fewer connections.', 'retryable'],
  ['ORA-12541', 'unreachable', noListener],
  ['ORA-12545', 'unreachable', 'No host of that name: check the target’s host.'],
  ['ORA-12637', 'unreachable', 'The server broke off while security was negotiated: see sqlnet.ora.'],
  ['ORA-12660', 'tls', 'The server demands native encryption, which only mode: thick has; or use protocol: tcps.'],
  [
    'ORA-24335',
    'limit',
    'A statement takes 1,000 columns, INSERT ALL 999 values: lower rowsPerCall, or select fewer columns.',
  ],
  ['ORA-26085', 'badInput', 'A direct path load starts its own transaction: set callsPerCommit: 1.'],
  ['ORA-28000', 'authentication', 'Have a DBA run: ALTER USER … ACCOUNT UNLOCK.'],
  ['ORA-28001', 'authentication', 'The password has expired: change it in SQL*Plus (`password`), then in the target.'],
  ['ORA-28002', 'authentication', 'The password will expire soon.'],
  [
    'ORA-28040',
    'authentication',
    'Server and driver have no password verifier in common: see SQLNET.ALLOWED_LOGON_VERSION_SERVER.',
  ],
  ['ORA-28759', 'tls', 'The wallet cannot be opened: check walletLocation.'],
  ['ORA-28860', 'tls', 'The TLS handshake failed: check protocol, port and walletLocation.'],
  ['ORA-30006', 'lockTimeout', 'Another session holds the row.', 'retryable'],
  ['ORA-30036', 'diskFull', 'The undo tablespace is full: commit more often, or add a data file.'],
  ['ORA-62108', 'limit', 'The table is too large for this edition of the database.'],
  [['NJS-003', 'NJS-500', 'NJS-501', 'NJS-513', 'NJS-521'], 'serverGone', gone],
  ['NJS-503', 'unreachable', 'No connection could be made: check host, port and service.'],
  ['NJS-505', 'tls', 'TLS could not be set up: check protocol, port and walletLocation.'],
  [
    'NJS-506',
    'tls',
    'The server’s certificate was not accepted: give its CA in a wallet (walletLocation with ewallet.pem).',
  ],
  ['NJS-507', 'tls', 'The certificate is another server’s: check the host, or serverDnMatch: false.'],
  ['NJS-508', 'tls', 'The certificate is another host’s: use the name it has, or serverDnMatch: false.'],
  ['NJS-510', 'unreachable', 'No answer in time: a firewall, a wrong host, or connectTimeoutMs too short.'],
  ['NJS-511', 'unreachable', noListener],
  ['NJS-512', 'badInput', 'The connect string has a parameter the driver does not know.'],
  ['NJS-514', 'badInput', 'Check connectString: host:port/service, or a complete descriptor.'],
  ['NJS-515', 'badInput', 'Check connectString: host:port/service.'],
  [
    'NJS-516',
    'badInput',
    'connectString is a name that tnsnames.ora explains: set TNS_ADMIN, or use host:port/service.',
  ],
  ['NJS-517', 'badInput', 'tnsnames.ora has no such name; host:port/service works without it.'],
  ['NJS-518', 'badInput', 'The listener does not know this service: `lsnrctl services` lists them.'],
  ['NJS-519', 'badInput', 'The listener does not know this SID: `lsnrctl services` lists them.'],
  ['NJS-520', 'badInput', 'There is no tnsnames.ora: set TNS_ADMIN, or use host:port/service.'],
  ['NJS-526', 'tls', 'The wallet is not in PEM format: walletLocation needs an ewallet.pem.'],
  ['NJS-530', 'unreachable', 'No host of that name: check the target’s host.'],
  [
    'NJS-533',
    'unsupported',
    'The server demands native encryption, which only mode: thick has; or use protocol: tcps.',
  ],
  ['NJS-116', 'authentication', 'The account has a 10G password verifier only: have a DBA set the password anew.'],
  ['NJS-138', 'unsupported', 'Thin needs Oracle Database 12.1; older servers need mode: thick.'],
  ['NJS-089', 'unsupported', 'Thin has no such feature.'],
  ['NJS-118', 'unsupported', 'A process is either thin or thick: test the target again after a restart of Dyno.'],
  ...networkErrors,
  ['ECONNREFUSED', 'unreachable', noListener],
  [['ECONNRESET', 'EPIPE'], 'serverGone', gone],
]);

/** Codes with more than one cause. */
const bySaid: readonly SaidRow[] = [
  ...systemErrors,
  [
    ['ORA-01502', 'ORA-26026'],
    /\bDYNO_/i,
    'uniqueViolation',
    'A direct path load left the index unusable: two rows have the same key.',
  ],
  ['ORA-04031', /shared pool/i, 'limit', 'The shared pool is full: literals fill it; or raise SGA_TARGET.'],
];

const thickHint =
  'Install Oracle Instant Client and name its folder as libDir (on Linux: have ldconfig or LD_LIBRARY_PATH find it), or use mode: thin, which needs nothing.';

/**
 * Makes the data of an error from what the driver throws. Pure. Messages are the server's and the driver's own; none of
 * them holds a password.
 */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  const message = wordsOf(thrown.message);
  const code = codeOf(thrown, message);
  const meaning = meaningOf(code, message);
  if (!meaning) return toErrorData(thrown);
  return errorData(
    meaning,
    code,
    meaning.hint === gone ? `The connection to the server was lost (${message}).` : message,
  );
}

/**
 * The message without addresses of help pages, the driver's long advice on Thick mode, and ids that differ each time.
 */
function wordsOf(message: string): string {
  const [first = ''] = message.split('\n');
  if (first.startsWith('DPI-1047')) return first.replace(/ See https:.*$/, '');
  return message
    .replace(/\s*\nHelp: https:\/\/\S+/g, '')
    .replace(/ \(CONNECTION_ID=[^)]*\)\.?/g, '')
    .trim();
}

/**
 * The innermost ORA code says more than the driver's code around it; the driver wraps codes of lost connections as
 * NJS-500.
 */
function codeOf(error: Error, message: string): string | null {
  const own = 'code' in error && typeof error.code === 'string' ? error.code : null;
  const oracle = /\bORA-\d{5}\b/.exec(message)?.[0] ?? null;
  if (own === null || !/^NJS-/.test(own)) return oracle ?? own ?? /\b(?:NJS|DPI)-\d+\b/.exec(message)?.[0] ?? null;
  return oracle !== null && byCode.has(oracle) ? oracle : own;
}

function meaningOf(code: string | null, message: string): Meaning | null {
  if (code === null) return null;
  if (/^DPI-(1047|1072)$/.test(code)) return { kind: 'unsupported', hint: thickHint };
  // The error within the message of another (ORA-00604, PL/SQL's ORA-06512) is the cause.
  if (code === 'ORA-00604' || code === 'ORA-06512' || code === 'ORA-06550') {
    const inner = [...message.matchAll(/\bORA-\d{5}\b/g)].map(([one]) => one).find((one) => one !== code);
    const known = inner === undefined ? undefined : byCode.get(inner);
    if (known) return known;
  }
  if (code === 'NJS-512' && /wallet/i.test(message)) return byCode.get('ORA-28759')!;
  if (code === 'NJS-503' || code === 'NJS-500') {
    const network = /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL)\b/.exec(
      message,
    )?.[0];
    if (network) return byCode.get(network)!;
  }
  const known = meaningSaid(bySaid, code, message) ?? byCode.get(code);
  if (known) return known;
  if (/^ORA-009\d\d$/.test(code) || code === 'ORA-06550') return { kind: 'syntax' };
  if (/^ORA-01[48]\d\d$/.test(code)) return { kind: 'constraint' };
  return /^(ORA|NJS|DPI)-/.test(code) ? { kind: 'other' } : null;
}
