import type { ErrorData } from '#model/error.ts';
import type { RunningServer } from './process/server-kind.ts';

export interface SupervisorStatus {
  readonly state: 'starting' | 'ready' | 'stopping' | 'failed';
  readonly supervisorPid: number;
  readonly serverPid: number | null;
  readonly port: number | null;
  readonly dataFolder: string;
  /** Connections that keep the server running. */
  readonly users: number;
}

/** Client → supervisor, one JSON line each; `token` proves that the client can read the user's own files. */
export interface ToSupervisor {
  readonly token: string;
  /** hold: keep the server running while this connection lives. stopIfAlone: stop it, unless others hold it. */
  readonly ask: 'hold' | 'status' | 'stop' | 'stopIfAlone';
}

/** Supervisor → client, one JSON line each. */
export type FromSupervisor =
  /** The first answer to `hold`, at once: the supervisor is at work. */
  | { readonly tell: 'held' }
  | { readonly tell: 'activity'; readonly text: string }
  | {
      readonly tell: 'ready';
      readonly raw: RunningServer['raw'];
      readonly port: number;
      readonly dataFolder: string;
      /** Process ids of the supervisor and of the server: what descends from them is the server's. */
      readonly pids: readonly number[];
    }
  | { readonly tell: 'status'; readonly status: SupervisorStatus }
  | { readonly tell: 'stopped' }
  | { readonly tell: 'inUse' }
  | { readonly tell: 'failed'; readonly error: ErrorData };

/** Characters of a line: none of the protocol comes near. */
export const mostOfLine = 1_048_576;

/**
 * Calls back for every whole line of a stream of JSON lines; lines that are not JSON are ignored. `onTooLong`: a line
 * has more than {@link mostOfLine} characters, so that what writes there is to be hung up on; nothing of it is kept.
 */
export function jsonLines(onValue: (value: unknown) => void, onTooLong: () => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      try {
        onValue(JSON.parse(line));
      } catch {
        // The line is not from our protocol.
      }
    }
    if (rest.length <= mostOfLine) return;
    rest = '';
    onTooLong();
  };
}
