import { DynoError, type ErrorData, type ErrorKind } from '#model/error.ts';

/** The meaning that a code or message of an engine has for Dyno. */
export interface Meaning {
  readonly kind: ErrorKind;
  /** Default: none. */
  readonly hint?: string | undefined;
  /** Default: false. */
  readonly retryable?: boolean;
}

/** A kind, what to try next (null: nothing), and 'retryable' where the same call may succeed when tried again. */
type Cells = readonly [kind: ErrorKind, hint?: string | null, retry?: 'retryable'];
type Codes = number | string | readonly (number | string)[];

/**
 * A row of an engine's error table: codes that mean the same, and their meaning.
 *
 *     [[1205, 3572], 'lockTimeout', 'Another session holds the lock: see …', 'retryable'],
 */
type ErrorRow = readonly [codes: Codes, ...Cells];

/** A code with several causes, which its message tells apart. */
export type SaidRow = readonly [codes: Codes, said: RegExp, ...Cells];

/** A message that has no code, or says more than its code. */
export type WordsRow = readonly [said: RegExp, ...Cells];

const meaningIn = ([kind, hint, retry]: Cells): Meaning => ({
  kind,
  hint: hint ?? undefined,
  retryable: retry !== undefined,
});

/** Meanings by code; if several rows have the same code, the last one counts. */
export const errorTable = (rows: readonly ErrorRow[]): ReadonlyMap<number | string, Meaning> =>
  new Map(rows.flatMap(([codes, ...cells]) => [codes].flat().map((code) => [code, meaningIn(cells)] as const)));

/** The meaning of the first row that has this code and whose pattern fits the message; undefined: there is none. */
export function meaningSaid(
  rows: readonly SaidRow[],
  code: number | string | null,
  message: string,
): Meaning | undefined {
  const own = rows.filter(([codes]) => code !== null && [codes].flat().includes(code));
  return meaningOfWords(
    own.map(([, ...row]) => row),
    message,
  );
}

/** The meaning of the first row whose pattern fits the message; undefined: there is none. */
export function meaningOfWords(rows: readonly WordsRow[], message: string): Meaning | undefined {
  const [first] = rows.filter(([said]) => said.test(message)).map(([, ...cells]) => cells);
  return first && meaningIn(first);
}

/**
 * Node's codes of system calls about a file, a connection that was made before, or a TLS handshake that the other side
 * ended.
 */
export const systemErrors: readonly SaidRow[] = [
  [
    ['ECONNRESET', 'EPIPE'],
    /before secure TLS connection was established/,
    'tls',
    'The server ended the connection in the TLS handshake: does it take TLS on this port, in a version that this client has?',
  ],
  ['ENOENT', /ENOENT: |, open /, 'fileAccess', 'There is no such file: check its path in the target.'],
  [['EACCES', 'EPERM'], /(EACCES|EPERM): |, open /, 'fileAccess', 'The system lets this account not read the file.'],
  ['ETIMEDOUT', /^(read|write) /, 'serverGone', 'The network or the server stopped answering on an open connection.'],
];

/** Makes the data of an error with this meaning. */
export const errorData = ({ kind, hint, retryable }: Meaning, code: string | null, message: string): ErrorData => ({
  kind,
  code,
  message,
  hint: hint ?? null,
  retryable: retryable ?? false,
});

/** The driver cannot read the bytes that a server has sent. */
export const unreadable = {
  kind: 'other',
  hint: 'Is it the port of another service, or does something between here and the server change what it sends?',
} as const satisfies Meaning;

/** The error of a driver that cannot read the bytes of a server, with the driver's message. */
export const unreadableError = (engine: string, words: string): DynoError =>
  new DynoError(unreadable.kind, `The driver cannot read what answers there as ${engine} (${words}).`, unreadable);

/** The hint for a lost connection. */
export const connectionCut = 'The connection was cut: see the server’s log.';

/** Node's codes of the network. An engine's own rows follow and may replace some. */
export const networkErrors: readonly ErrorRow[] = [
  ['ENOTFOUND', 'unreachable', 'No host of that name: check the target’s host.'],
  ['EAI_AGAIN', 'unreachable', 'The name could not be looked up: check the target’s host and the network.'],
  ['ECONNREFUSED', 'unreachable', 'Nothing listens there: is the server running, on this host and port?'],
  [['EHOSTUNREACH', 'ENETUNREACH'], 'unreachable', 'There is no route to the host: check the network or VPN.'],
  [
    ['EACCES', 'EPERM'],
    'unreachable',
    'The system lets this account not connect: look at the rights of the socket’s file.',
  ],
  ['ETIMEDOUT', 'unreachable', 'No answer: a firewall may drop the packets.'],
  [
    'EADDRNOTAVAIL',
    'unreachable',
    'This machine has no free port for another connection: each one that has ended keeps its port for about a minute. Raise callsPerConnection, use fewer connections or a Unix socket, or widen the system’s range of ports (Linux: net.ipv4.ip_local_port_range).',
  ],
  [['ECONNRESET', 'EPIPE'], 'serverGone', connectionCut],
];

/** Node's codes of certificates that are not accepted and of failed TLS handshakes. */
export const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_OSSL)/;

/** Does work that the server may not allow; if it does not, the fingerprint lists the work as unavailable. */
export async function unlessDenied<T>(
  toError: (thrown: unknown) => ErrorData,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (toError(error).kind !== 'permission') throw error;
    return null;
  }
}
