import type { Endpoint } from '#engine-api/config.ts';
import type { ErrorData } from '#model/error.ts';
import type { OpenSocks } from './socks5.ts';

/** The one message from the host to the process of a SOCKS tunnel, over child_process IPC. It holds the password. */
export interface ToSocksTunnel {
  readonly socks: OpenSocks;
  readonly endpoints: readonly Endpoint[];
}

export type FromSocksTunnel =
  /** Logged in once, with ports on 127.0.0.1 in the order of the endpoints. */
  | { readonly type: 'open'; readonly ports: readonly number[] }
  /** The tunnel was not opened; the process ends. */
  | { readonly type: 'failed'; readonly error: ErrorData }
  /** A connection was not passed on. */
  | { readonly type: 'refused'; readonly error: ErrorData };
