import { MongoServerSelectionError } from 'mongodb';
import { DynoError, type ErrorData } from '#model/error.ts';
import { connectingError } from '../../shared/connecting.ts';
import { type MongoConfig, config as parser } from '../config.ts';
import { toError } from '../errors.ts';

const unfit =
  'No server there is what was asked for: check the name of the replica set and the read preference, and that the set has a primary.';
const closed =
  'The server closed the connection at once: it may be at its limit of connections (net.maxIncomingConnections), want TLS (tls: require), or not be MongoDB.';

/**
 * The error of a connection that failed: the address, the user and the server's words. A lost connection is
 * 'unreachable' here.
 */
export function connectError(config: MongoConfig, error: unknown): DynoError {
  const data = reachedNobody(error);
  const message = withoutSecrets(config, data.message);
  return connectingError(parser.describe(config).address, config.user, { ...data, message });
}

function reachedNobody(error: unknown): ErrorData {
  if (error instanceof MongoServerSelectionError) {
    const cause = error.cause === undefined ? null : toError(error.cause);
    return cause && cause.kind !== 'serverGone' ? cause : unreachable(error, unfit);
  }
  const data = toError(error);
  return data.kind === 'serverGone' ? { ...unreachable(error, closed), code: data.code ?? closedCode } : data;
}

/** The error code of a connection that the server ended before its first answer. */
const closedCode = 'closed';
/**
 * True if the server ended the connection before its first answer. If it answers on other connections, it has reached
 * its limit.
 */
const isClosed = (error: unknown): boolean => error instanceof DynoError && error.data.code === closedCode;

const unreachable = (error: unknown, hint: string): ErrorData => ({
  kind: 'unreachable',
  code: null,
  message: error instanceof Error ? error.message : String(error),
  hint,
  retryable: false,
});

/** The driver repeats some options in its errors. */
function withoutSecrets(config: MongoConfig, message: string): string {
  const secrets = [config.password, config.tlsCertificateKeyFilePassword, ...Object.values(config.uriOptions)];
  return secrets.reduce<string>(
    (text, secret) => (secret && secret.length > 2 ? text.replaceAll(secret, '•••') : text),
    message,
  );
}

/**
 * The error of a new connection. If the server closed it without a word, but still answers on another one, its limit of
 * connections is reached.
 */
export async function limitOr(error: unknown, isAlive: () => Promise<void>): Promise<unknown> {
  if (!isClosed(error) || !(error instanceof DynoError)) return error;
  const alive = await isAlive().then(
    () => true,
    () => false,
  );
  if (!alive) return error;
  return new DynoError('connectionLimit', error.message, {
    ...error.data,
    hint: 'The server accepts no more connections: use fewer, or raise net.maxIncomingConnections on it. Each session takes two: its own, and one by which the driver watches the server.',
  });
}
