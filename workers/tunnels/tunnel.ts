import type { Endpoint } from '#engine-api/config.ts';
import type { ErrorData, ErrorKind } from '#model/error.ts';
import type { TunnelKind } from '#model/tunnel.ts';

/** A port of 127.0.0.1 for each server that is reached through the tunnel. Disposing of it ends its processes. */
export interface Tunnel extends AsyncDisposable {
  readonly kind: TunnelKind;
  /** Its processes. */
  readonly pids: readonly number[];
  /** The address to connect to instead of this server's. */
  instead(of: Endpoint): Endpoint;
  /**
   * The error of a connection through the tunnel: the tunnel's own error if the tunnel broke ('serverGone') or did not
   * pass the connection on ('unreachable', 'permission'), otherwise the driver's.
   */
  explain(error: ErrorData): Promise<ErrorData>;
}

/** The time after a break within which the reason of the break may arrive. */
export const reasonWithinMs = 300;

/**
 * True if a broken tunnel may have caused the error. Drivers report a broken tunnel by many kinds of errors, but never
 * by the kinds below.
 */
export const isAboutConnections = ({ kind }: ErrorData): boolean => !serversOwn.includes(kind);
const serversOwn: readonly ErrorKind[] = [
  ...(['cancelled', 'authentication', 'permission', 'uniqueViolation', 'constraint', 'deadlock'] as const),
  ...([
    'lockTimeout',
    'statementTimeout',
    'serialization',
    'mismatch',
    'wrongResult',
    'syntax',
    'unsupported',
    'notOurs',
  ] as const),
];
