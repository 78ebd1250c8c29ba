import type { Endpoint } from '#engine-api/config.ts';
import type { EmulatedNetwork } from '#protocol/measurement.ts';
import type { NetworkShape } from './link.ts';

/** Messages from the host to a network emulator's process, over child_process IPC: addresses, and no secrets. */
export type ToEmulator =
  | { readonly type: 'open'; readonly shape: NetworkShape; readonly endpoints: readonly Endpoint[] }
  /** The measured phase begins: earlier counts are dropped. */
  | { readonly type: 'begin' }
  | { readonly type: 'report' };

export type FromEmulator =
  /** Ports on 127.0.0.1, in the order of the endpoints. */
  | { readonly type: 'open'; readonly ports: readonly number[] }
  /** A client's connection was accepted, and its server could not be reached. */
  | { readonly type: 'refused'; readonly endpoint: Endpoint; readonly code: string | null; readonly message: string }
  | { readonly type: 'report'; readonly network: EmulatedNetwork };
