import type { Endpoint } from '#engine-api/config.ts';
import type { Ssh } from '#model/ssh.ts';

/** The one message from the host to a tunnel's process, over child_process IPC. It holds no secret. */
export interface ToSshTunnel {
  readonly ssh: Ssh;
  readonly endpoints: readonly Endpoint[];
}

export type FromSshTunnel =
  /** `ssh` was started. It leads a process group of its own where the system has such groups. */
  | { readonly type: 'started'; readonly pid: number }
  /** The output of `ssh` on its standard error. */
  | { readonly type: 'said'; readonly text: string }
  /** Logged in, with ports on 127.0.0.1 in the order of the endpoints. */
  | { readonly type: 'open'; readonly ports: readonly number[] }
  /** `ssh` could not be started; `code` is the system's. */
  | { readonly type: 'missing'; readonly code: string; readonly message: string }
  | { readonly type: 'ended'; readonly how: string };
