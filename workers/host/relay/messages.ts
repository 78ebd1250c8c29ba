import type { Endpoint } from '#engine-api/engine.ts';
import type { RelayedNetwork } from '#protocol/measurement.ts';
import type { NetworkShape } from './link.ts';

/** Host ↔ relay process, over child_process IPC. No secret passes: a relay knows addresses alone. */
export type ToRelay =
  | { readonly type: 'open'; readonly shape: NetworkShape; readonly endpoints: readonly Endpoint[] }
  /** The measured phase begins: what was noted before is forgotten. */
  | { readonly type: 'begin' }
  | { readonly type: 'report' };

export type FromRelay =
  /** Ports on 127.0.0.1, in the order of the endpoints. */
  | { readonly type: 'open'; readonly ports: readonly number[] }
  /** A connection was taken, and its server could not be reached. */
  | { readonly type: 'refused'; readonly endpoint: Endpoint; readonly code: string | null; readonly message: string }
  | { readonly type: 'report'; readonly network: RelayedNetwork };
