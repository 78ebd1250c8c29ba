import type { Endpoint } from '#engine-api/config.ts';
import type { ErrorData, ErrorKind } from '#model/error.ts';
import type { TunnelKind } from '#model/tunnel.ts';

/** A port of 127.0.0.1 for each server that is reached another way. Disposing of it ends its processes. */
export interface Tunnel extends AsyncDisposable {
  readonly kind: TunnelKind;
  /** Its processes. */
  readonly pids: readonly number[];
  /** The address to connect to instead of this server's. */
  instead(of: Endpoint): Endpoint;
  /**
   * The error of a connection through the tunnel: where the tunnel broke ('serverGone') or did not pass the connection
   * on ('unreachable', 'permission'), that instead.
   */
  explain(error: ErrorData): Promise<ErrorData>;
}

/** The time by which the reason of a broken connection may come later than the break. */
export const reasonWithinMs = 300;

/** Drivers call what a connection through a broken tunnel comes to by many names; these are never its. */
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
