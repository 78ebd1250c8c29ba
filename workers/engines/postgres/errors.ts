import { DynoError, type ErrorData, type ErrorKind, toErrorData } from '#model/error.ts';

interface Meaning {
  readonly kind: ErrorKind;
  readonly hint?: string;
  readonly retryable?: boolean;
}

/** SQLSTATE (manual, appendix A) and Node's network codes. */
const byCode: Readonly<Record<string, Meaning>> = {
  '28P01': { kind: 'authentication', hint: 'Check user and password of the target.' },
  '28000': {
    kind: 'authentication',
    hint: 'Check the user, and that pg_hba.conf lets it in from here, with this TLS setting.',
  },
  '3D000': { kind: 'badInput', hint: 'Create the database or correct the target’s database.' },
  '42501': { kind: 'permission', hint: 'Ask for the right named above, or use a user that has it.' },
  '25006': { kind: 'permission', hint: 'The server is read-only (a standby?): use its primary.' },
  '23505': { kind: 'uniqueViolation' },
  '42P07': { kind: 'notOurs', hint: 'Rename or drop it yourself; Dyno never does.' },
  '40P01': {
    kind: 'deadlock',
    retryable: true,
    hint: 'Touch rows in the same order in every session, or in smaller transactions.',
  },
  '55P03': { kind: 'lockTimeout', retryable: true, hint: 'Another session holds the lock: see pg_stat_activity.' },
  '40001': { kind: 'serialization', retryable: true },
  '57014': { kind: 'cancelled' },
  '57P01': { kind: 'serverGone', hint: 'The server was shut down, or an administrator ended the session.' },
  '57P02': { kind: 'serverGone', hint: 'A server process crashed: see the server’s log.' },
  '57P03': { kind: 'unreachable', retryable: true, hint: 'The server is starting or stopping: try again in a moment.' },
  '57P05': { kind: 'serverGone', hint: 'The session was idle for longer than idle_session_timeout.' },
  '25P03': {
    kind: 'serverGone',
    hint: 'The transaction was idle for longer than idle_in_transaction_session_timeout.',
  },
  '53100': { kind: 'diskFull', hint: 'Free space on the server’s disk, or use fewer rows.' },
  '53200': { kind: 'limit', hint: 'The server ran out of memory: fewer connections or rows per call.' },
  '53300': { kind: 'limit', hint: 'Fewer connections, or raise max_connections on the server.' },
  '54000': { kind: 'limit', hint: 'Lower rowsPerCall.' },
  '08P01': { kind: 'limit', hint: 'Lower rowsPerCall: a message holds 65,535 parameters and 1 GB.' },
  '0A000': { kind: 'unsupported' },
  ENOTFOUND: { kind: 'unreachable', hint: 'No host of that name: check the target’s host.' },
  EAI_AGAIN: { kind: 'unreachable', hint: 'The name could not be looked up: check the target’s host and the network.' },
  ECONNREFUSED: { kind: 'unreachable', hint: 'Nothing listens there: is the server running, on this host and port?' },
  ENOENT: { kind: 'unreachable', hint: 'There is no such Unix socket: check host (a folder) and port.' },
  EHOSTUNREACH: { kind: 'unreachable', hint: 'There is no route to the host: check the network or VPN.' },
  ENETUNREACH: { kind: 'unreachable', hint: 'There is no route to the host: check the network or VPN.' },
  ETIMEDOUT: { kind: 'unreachable', hint: 'No answer: a firewall may drop the packets.' },
  ECONNRESET: { kind: 'serverGone', hint: 'The connection was cut: see the server’s log.' },
  EPIPE: { kind: 'serverGone', hint: 'The connection was cut: see the server’s log.' },
};

/** By the first two characters of an SQLSTATE. */
const byClass: Readonly<Record<string, Meaning>> = {
  '08': { kind: 'serverGone' },
  '22': { kind: 'constraint' },
  '23': { kind: 'constraint' },
  '28': { kind: 'authentication' },
  '40': { kind: 'serialization' },
  '42': { kind: 'syntax' },
  '53': { kind: 'limit' },
  '54': { kind: 'limit' },
  '57': { kind: 'serverGone' },
};

/** What `pg` says of a connection that broke, of the call in flight and of those after it. */
const lost = /Connection terminated|connection error and is not queryable|Client was closed/;

/** `pg` raises these itself, without a code. */
const byMessage: readonly (readonly [RegExp, Meaning])[] = [
  [
    /does not support SSL/,
    { kind: 'tls', hint: 'Set ssl: disable on the target, or turn TLS on at the server (ssl = on).' },
  ],
  [/establishing an SSL connection/, { kind: 'tls', hint: 'Check the ssl setting of target and server.' }],
  [
    /^SASL|password must be a string/,
    { kind: 'authentication', hint: 'The server asks for a password: give the target one.' },
  ],
  [
    /timeout expired/,
    { kind: 'unreachable', hint: 'No answer in time: a firewall, a wrong host, or connectTimeoutMs too short.' },
  ],
  [lost, { kind: 'serverGone', hint: 'The connection was cut: see the server’s log.' }],
];

const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_OSSL)/;
const tlsHint =
  'The server’s certificate was not accepted: give its CA as ca and use the host name that the certificate names, or ssl: require to encrypt without checking.';

/** From what `pg` throws. Pure. Messages are the server's own; none of them holds a password. */
export function toError(thrown: unknown): ErrorData {
  if (thrown instanceof DynoError || !(thrown instanceof Error)) return toErrorData(thrown);
  // Several addresses tried in turn come as one AggregateError with an empty message.
  const inner = thrown instanceof AggregateError && thrown.errors[0] instanceof Error ? thrown.errors[0] : thrown;
  const code = 'code' in inner && typeof inner.code === 'string' ? inner.code : null;
  const meaning = meaningOf(code, inner.message);
  if (!meaning) return toErrorData(inner);
  return {
    kind: meaning.kind,
    code,
    message: lost.test(inner.message) ? `The connection to the server was lost (${inner.message}).` : messageOf(inner),
    hint: meaning.hint ?? serverHint(inner),
    retryable: meaning.retryable ?? false,
  };
}

function meaningOf(code: string | null, message: string): Meaning | null {
  if (code !== null) {
    const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined;
    if (known) return known;
    if (tlsCodes.test(code)) return { kind: 'tls', hint: tlsHint };
    if (/^[0-9A-Z]{5}$/.test(code)) return byClass[code.slice(0, 2)] ?? { kind: 'other' };
  }
  return byMessage.find(([pattern]) => pattern.test(message))?.[1] ?? null;
}

function messageOf(error: Error): string {
  const detail = 'detail' in error && typeof error.detail === 'string' ? ` (${error.detail})` : '';
  return `${error.message}${detail}`;
}

const serverHint = (error: Error): string | null =>
  'hint' in error && typeof error.hint === 'string' ? error.hint : null;
