import { DynoError, type ErrorData, type ErrorKind, toErrorData } from '#model/error.ts';

interface Meaning {
  readonly kind: ErrorKind;
  readonly hint?: string;
  readonly retryable?: boolean;
}

const right = 'Ask for the right named above (`dyno grants TARGET` prints them all), or use a user that has it.';
const login = 'Check user and password of the target, and that the user may log in from this host.';
const lost = 'The connection was cut: see the server’s log.';
const full = 'Free space on the server’s disk, or use fewer rows.';
const readOnly = 'The server takes no writes (a replica?): use its primary.';
const noLocal = 'An administrator allows it by SET GLOBAL local_infile = ON.';
const unusable = 'The password has to be changed, or the account unlocked, with the server’s own client first.';
const noRoute = 'There is no route to the host: check the network or VPN.';

const each = (numbers: readonly number[], meaning: Meaning): readonly (readonly [number, Meaning])[] =>
  numbers.map((number) => [number, meaning]);

/** Error numbers of the server (manuals, "Server Error Message Reference" and "MariaDB Error Codes"). */
const byNumber: ReadonlyMap<number, Meaning> = new Map([
  ...each([1045, 1698], { kind: 'authentication', hint: login }),
  ...each([1129, 1130], {
    kind: 'authentication',
    hint: 'The server accepts no login from this host: see its accounts.',
  }),
  ...each([1251, 1524, 2059], {
    kind: 'authentication',
    hint: 'The driver does not know the account’s way to log in.',
  }),
  ...each([1820, 1862, 3118, 3955, 4151], { kind: 'authentication', hint: unusable }),
  ...each([1049], { kind: 'badInput', hint: 'Correct the target’s database.' }),
  ...each([1193, 1231, 1232, 1238], { kind: 'badInput' }),
  ...each([3750], { kind: 'badInput', hint: 'The server wants a primary key on every table: name dataset.key.' }),
  ...each([1044, 1142, 1143, 1227, 1370, 1095], { kind: 'permission', hint: right }),
  ...each([1290, 1792, 1836], { kind: 'permission', hint: readOnly }),
  ...each([1050], { kind: 'notOurs', hint: 'Rename or drop it yourself; Dyno never does.' }),
  ...each([1022, 1062, 1169, 1586], { kind: 'uniqueViolation' }),
  ...each([1048, 1264, 1265, 1292, 1364, 1366, 1406, 1451, 1452, 1690, 3819, 4025], { kind: 'constraint' }),
  ...each([1213, 1614], {
    kind: 'deadlock',
    retryable: true,
    hint: 'Touch rows in the same order in every session, or in smaller transactions.',
  }),
  ...each([1205, 3572], {
    kind: 'lockTimeout',
    retryable: true,
    hint: 'Another session holds the lock: see information_schema.innodb_trx.',
  }),
  ...each([1020, 3101], { kind: 'serialization', retryable: true }),
  ...each([1317], { kind: 'cancelled' }),
  ...each([1969, 3024], { kind: 'timeout', hint: 'The server’s limit on the time of a statement was reached.' }),
  ...each([1053], { kind: 'serverGone', hint: 'The server was being shut down.' }),
  ...each([1927, 3169], {
    kind: 'serverGone',
    hint: 'The server was shut down, or an administrator ended the session.',
  }),
  ...each([4031], { kind: 'serverGone', hint: 'The session was idle for longer than the server’s wait_timeout.' }),
  ...each([1152, 1158, 1159, 1160, 1161, 1184, 2006, 2013], { kind: 'serverGone', hint: lost }),
  ...each([1040, 1203, 1226], {
    kind: 'limit',
    hint: 'Fewer connections, or raise max_connections (of user or server).',
  }),
  ...each([1153], { kind: 'limit', hint: 'Lower rowsPerCall, or raise max_allowed_packet on the server.' }),
  ...each([1390], { kind: 'limit', hint: 'Lower rowsPerCall: a statement has 65,535 placeholders at most.' }),
  ...each([1461], { kind: 'limit', hint: 'Fewer connections, or raise max_prepared_stmt_count on the server.' }),
  ...each([1071], {
    kind: 'limit',
    hint: 'Use a shorter key: InnoDB indexes 3,072 bytes, four for each character of text.',
  }),
  ...each([1118], { kind: 'limit', hint: 'Use fewer or shorter columns.' }),
  ...each([1037, 1038, 1041, 1135, 1206, 1436], {
    kind: 'limit',
    hint: 'The server ran out of memory: fewer connections or rows per call.',
  }),
  ...each([1197], { kind: 'limit', hint: 'Fewer rows per commit, or raise max_binlog_cache_size on the server.' }),
  ...each([1021, 1114, 1878], { kind: 'diskFull', hint: full }),
  ...each([1148, 2068, 3948, 4166], { kind: 'unsupported', hint: noLocal }),
  ...each([1235, 1286, 1295, 3161], { kind: 'unsupported' }),
  ...each([3159], {
    kind: 'tls',
    hint: 'The server takes encrypted connections only: set ssl: require on the target.',
  }),
  // The mariadb connector's own.
  ...each([45009, 45013, 45004], { kind: 'serverGone', hint: lost }),
  ...each([45012], {
    kind: 'unreachable',
    hint: 'No answer in time: a firewall, a wrong host, or connectTimeoutMs too short.',
  }),
  ...each([45023], {
    kind: 'tls',
    hint: 'Set ssl: disable on the target, or turn TLS on at the server (ssl_cert, ssl_key).',
  }),
  ...each([45025, 45044], { kind: 'authentication', hint: 'The driver does not know the account’s way to log in.' }),
  ...each([45046], { kind: 'limit', hint: 'Lower rowsPerCall, or raise max_allowed_packet on the server.' }),
]);

/** Node's network codes, and mysql2's own. */
const byCode: Readonly<Record<string, Meaning>> = {
  ENOTFOUND: { kind: 'unreachable', hint: 'No host of that name: check the target’s host.' },
  EAI_AGAIN: { kind: 'unreachable', hint: 'The name could not be looked up: check the target’s host and the network.' },
  ECONNREFUSED: { kind: 'unreachable', hint: 'Nothing listens there: is the server running, on this host and port?' },
  ENOENT: { kind: 'unreachable', hint: 'There is no such Unix socket: check host (the path of a socket).' },
  EHOSTUNREACH: { kind: 'unreachable', hint: noRoute },
  ENETUNREACH: { kind: 'unreachable', hint: noRoute },
  ETIMEDOUT: {
    kind: 'unreachable',
    hint: 'No answer in time: a firewall, a wrong host, or connectTimeoutMs too short.',
  },
  ECONNRESET: { kind: 'serverGone', hint: lost },
  EPIPE: { kind: 'serverGone', hint: lost },
  PROTOCOL_CONNECTION_LOST: { kind: 'serverGone', hint: lost },
  HANDSHAKE_NO_SSL_SUPPORT: {
    kind: 'tls',
    hint: 'Set ssl: disable on the target, or turn TLS on at the server (ssl_cert, ssl_key).',
  },
  HANDSHAKE_SSL_ERROR: { kind: 'tls', hint: 'Check the ssl setting of target and server.' },
  AUTH_SWITCH_PLUGIN_ERROR: { kind: 'authentication', hint: 'The driver does not know the account’s way to log in.' },
};

/** By the first two characters of an SQLSTATE. */
const byClass: Readonly<Record<string, Meaning>> = {
  '08': { kind: 'serverGone', hint: lost },
  '0A': { kind: 'unsupported' },
  '21': { kind: 'syntax' },
  '22': { kind: 'constraint' },
  '23': { kind: 'constraint' },
  '28': { kind: 'authentication', hint: login },
  '40': { kind: 'serialization' },
  '42': { kind: 'syntax' },
  '70': { kind: 'cancelled' },
};

/** Raised by mysql2 without a code. */
const closedState = /connection is in closed state|Can't write in closed state/;

/** "Got error 28 …", "(Errcode: 28 …": the system's ENOSPC, within messages of several numbers. */
const noSpace = /(?:error|errno|errcode):? ?28\b|No space left on device/i;

const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_OSSL)/;
const tlsHint =
  'The server’s certificate was not accepted: give its CA as ca and use the host name that the certificate names, or ssl: require to encrypt without checking.';

/** What the drivers put into an error. */
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
    // The connector's message goes on with the statement.
    message: text(sqlMessage) ?? error.message,
    // The operating system's numbers are negative.
    number: typeof number === 'number' && number > 0 ? number : null,
    code: text(code),
    sqlState: text(sqlState),
  };
}

/** From what either driver throws. Pure. Messages are the server's own; none of them holds a password. */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  // Several addresses tried in turn come as one AggregateError with an empty message.
  const inner = thrown instanceof AggregateError && thrown.errors[0] instanceof Error ? thrown.errors[0] : thrown;
  const facts = factsOf(inner);
  const meaning = meaningOf(facts);
  if (!meaning) return toErrorData(inner);
  return {
    kind: meaning.kind,
    code: facts.number === null ? facts.code : String(facts.number),
    message: facts.message,
    hint: meaning.hint ?? null,
    retryable: meaning.retryable ?? false,
  };
}

function meaningOf({ message, number, code, sqlState }: Facts): Meaning | null {
  // The connector gives system errors the SQLSTATE HY000, too.
  const known = code !== null && Object.hasOwn(byCode, code) ? byCode[code] : undefined;
  if (known) return known;
  if (code !== null && tlsCodes.test(code)) return { kind: 'tls', hint: tlsHint };
  if (number !== null) {
    if (noSpace.test(message)) return { kind: 'diskFull', hint: full };
    return byNumber.get(number) ?? byClass[sqlState?.slice(0, 2) ?? ''] ?? { kind: 'other' };
  }
  return closedState.test(message) ? { kind: 'serverGone', hint: lost } : null;
}

/** What the server only warned of, as the error that it is to Dyno. */
export function serverError(number: number, message: string): DynoError {
  const { kind, hint = null, retryable } = byNumber.get(number) ?? { kind: 'constraint' as const };
  return new DynoError(kind, message, { code: String(number), hint, ...(retryable && { retryable }) });
}
