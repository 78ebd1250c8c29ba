import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import {
  connectionCut,
  errorData,
  errorTable,
  type Meaning,
  meaningOfWords,
  meaningSaid,
  networkErrors,
  type SaidRow,
  systemErrors,
  tlsCodes,
  unreadableError,
  type WordsRow,
} from '../shared/error-table.ts';

const lostName =
  'A pooler that shares the server’s connections by transaction (PgBouncer: pool_mode = transaction) loses or mixes up statements that are prepared by name: take the methods literal and bind, a pool of sessions, or the server itself.';

/** SQLSTATE (manual, appendix A) and Node's network codes. */
const byCode = errorTable([
  ...networkErrors,
  ['28P01', 'authentication', 'Check user and password of the target.'],
  [
    '28000',
    'authentication',
    'Check the user, and that pg_hba.conf lets it in from here, with this TLS setting and client certificate.',
  ],
  ['3D000', 'badInput', 'Create the database or correct the target’s database.'],
  ['42501', 'permission', 'Ask for the right named above, or use a user that has it.'],
  [
    '25006',
    'permission',
    'The server takes no writes here: it is a standby, default_transaction_read_only is on, or the connection is marked as production and read-only.',
  ],
  ['23505', 'uniqueViolation'],
  [
    '22P05',
    'constraint',
    'The database’s encoding has no such character: use a database with the encoding UTF8, or values that the encoding has.',
  ],
  ['26000', 'other', lostName],
  ['42P05', 'other', lostName],
  ['2BP01', 'other', 'Drop or change the objects that depend on it first, or ask their owners.'],
  ['42P07', 'notOurs', 'Rename or drop it yourself; Dyno never does.'],
  ['40P01', 'deadlock', 'Touch rows in the same order in every session, or in smaller transactions.', 'retryable'],
  ['55P03', 'lockTimeout', 'Another session holds the lock: see pg_stat_activity.', 'retryable'],
  ['40001', 'serialization', null, 'retryable'],
  ['57014', 'cancelled'],
  ['57P01', 'serverGone', 'The server was shut down, or an administrator ended the session.'],
  ['57P02', 'serverGone', 'A server process crashed: see the server’s log.'],
  ['57P03', 'unreachable', 'The server is starting or stopping: try again in a moment.', 'retryable'],
  ['25P04', 'serverGone', 'The transaction took longer than transaction_timeout.'],
  ['57P05', 'serverGone', 'The session was idle for longer than idle_session_timeout.'],
  ['25P03', 'serverGone', 'The transaction was idle for longer than idle_in_transaction_session_timeout.'],
  ['53100', 'diskFull', 'Free space on the server’s disk, or use fewer rows.'],
  ['53200', 'limit', 'The server ran out of memory: fewer connections or rows per call.'],
  ['53300', 'connectionLimit', 'Fewer connections, or raise max_connections on the server.'],
  ['54000', 'limit'],
  ['54001', 'limit', 'A statement or function is nested too deeply: fewer rows per call, or raise max_stack_depth.'],
  ['0A000', 'unsupported'],
  ['ENOENT', 'unreachable', 'There is no such Unix socket: check host (a folder) and port.'],
]);

const namedParameters =
  'The text has a parameter of PostgreSQL’s ($1), which gets no value: write parameters as :name, and say under parameters where their values come from.';

/** SQLSTATEs with more than one cause. */
const bySaid: readonly SaidRow[] = [
  ...systemErrors,
  // The server has one code for a cancel of the user and for a limit.
  [
    '57014',
    /due to statement timeout/,
    'statementTimeout',
    'Raise statement_timeout (sessionSettings of the target, or what the server sets), or use fewer rows per call.',
  ],
  [
    '08P01',
    /bind message supplies \d+ parameters?, but prepared statement "[^"]*" requires/,
    'badInput',
    namedParameters,
  ],
  ['42P02', /there is no parameter \$\d/, 'badInput', namedParameters],
  [
    '42P18',
    /could not determine data type of parameter/,
    'syntax',
    'Nothing in the text says the type of this parameter: write it behind the name, for instance :name::integer.',
  ],
  [
    '08P01',
    /bind message has \d+ parameter formats but|number of parameters must be between 0 and 65535|invalid message length|message size/,
    'limit',
    'Lower rowsPerCall: a message holds 65,535 parameters and 1 GiB.',
  ],
  ['08P01', /./, 'other'],
  [
    '54000',
    /index row (size|requires)/,
    'limit',
    'Index shorter columns: an entry of a B-tree has at most a third of a page, 2,704 bytes.',
  ],
  [
    '54000',
    /row is too big/,
    'limit',
    'Use fewer columns: a row has at most a page, 8,160 bytes, without what is stored aside.',
  ],
  [
    '53300',
    /for (role|database) /,
    'connectionLimit',
    'Fewer connections, or raise the limit of role or database (ALTER … CONNECTION LIMIT).',
  ],
  [
    '53200',
    /shared memory/,
    'limit',
    'Fewer locks in a transaction, or raise max_locks_per_transaction on the server.',
  ],
  [
    '28000',
    /does not exist|not permitted to log in/,
    'authentication',
    'Check the user of the target: CREATE ROLE … LOGIN.',
  ],
  ['42501', /row-level security/, 'permission', 'A policy of the table refuses the row: see pg_policies.'],
  ['42501', /must be owner/, 'permission', 'Take the owner of what is named above, or a user that is a member of it.'],
];

/** The meanings by the first two characters of an SQLSTATE. */
const byClass = errorTable([
  [['08', '57'], 'serverGone'],
  [['22', '23'], 'constraint'],
  ['28', 'authentication'],
  ['40', 'serialization'],
  ['42', 'syntax'],
  [['53', '54'], 'limit'],
]);

/** The messages of `pg` about a broken connection, for the call in flight and for later ones. */
const lost = /Connection terminated|connection error and is not queryable|Client was closed/;

/** `pg` throws these itself, without a code. */
const byMessage: readonly WordsRow[] = [
  [/does not support SSL/, 'tls', 'Set ssl: disable on the target, or turn TLS on at the server (ssl = on).'],
  [/establishing an SSL connection/, 'tls', 'Check the ssl setting of target and server.'],
  [/password must be a (non-empty )?string/, 'authentication', 'The server asks for a password: give the target one.'],
  [/^SASL/, 'authentication', 'Server and driver do not agree on the login: see pg_hba.conf and password_encryption.'],
  [/timeout expired/, 'unreachable', 'No answer in time: a firewall, a wrong host, or connectTimeoutMs too short.'],
  [lost, 'serverGone', connectionCut],
];

/** The messages of `pg` about bytes that are no message, or about a message that nothing has asked for. */
const nothingReadable =
  /^received invalid response|^Received unexpected \w+ message from backend|^Unknown authenticationOk message/;

/** The error if the parser of `pg` cannot read the server's bytes; null: something else is wrong. */
export function unreadableBy(thrown: unknown): DynoError | null {
  if (!(thrown instanceof Error) || ('severity' in thrown && thrown.severity !== undefined)) return null;
  if (!(thrown instanceof RangeError) && !nothingReadable.test(thrown.message)) return null;
  return unreadableError('PostgreSQL', thrown.message);
}

const tlsHint =
  'The server’s certificate was not accepted: give its CA as ca and use the host name that the certificate names, or ssl: require to encrypt without checking.';

/**
 * Makes the data of an error from what `pg` throws. Pure. Messages are the server's own; none of them holds a password.
 */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  // Errors of several addresses come as one AggregateError with an empty message.
  const inner = thrown instanceof AggregateError && thrown.errors[0] instanceof Error ? thrown.errors[0] : thrown;
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : null;
  const meaning = meaningOf(code, inner.message);
  if (!meaning) return (nothingReadable.test(inner.message) ? unreadableBy(inner)?.data : null) ?? toErrorData(inner);
  const { message } = inner;
  const told = lost.test(message) ? `The connection to the server was lost (${message}).` : messageOf(inner);
  // The server knows the cause best, but its advice of CASCADE would drop objects of others.
  const own =
    'hint' in inner && typeof inner.hint === 'string' && !/\bCASCADE\b/.test(inner.hint) ? inner.hint : undefined;
  // A database that a statement names is not the target's own.
  const isOfStatement = code === '3D000' && 'severity' in inner && inner.severity === 'ERROR';
  const hint = own ?? (isOfStatement ? undefined : meaning.hint);
  return errorData({ ...meaning, hint }, code, told);
}

function meaningOf(code: string | null, message: string): Meaning | null {
  if (code !== null) {
    const known = meaningSaid(bySaid, code, message) ?? byCode.get(code);
    if (known) return known;
    if (tlsCodes.test(code)) return { kind: 'tls', hint: tlsHint };
    if (/^[0-9A-Z]{5}$/.test(code)) return byClass.get(code.slice(0, 2)) ?? { kind: 'other' };
  }
  return meaningOfWords(byMessage, message) ?? null;
}

function messageOf(error: Error): string {
  const detail = 'detail' in error && typeof error.detail === 'string' ? ` (${error.detail})` : '';
  return `${error.message}${detail}`;
}
