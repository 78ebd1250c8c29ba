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
      /** The process ids of the supervisor and of the server; their children belong to the server. */
      readonly pids: readonly number[];
    }
  | { readonly tell: 'status'; readonly status: SupervisorStatus }
  | { readonly tell: 'stopped' }
  | { readonly tell: 'inUse' }
  | { readonly tell: 'failed'; readonly error: ErrorData };

/** The most characters of a line; no message of the protocol comes near. */
export const mostOfLine = 1_048_576;

/**
 * Calls back for every complete line of a stream of JSON lines; other lines are ignored. `onTooLong`: a line has more
 * than {@link mostOfLine} characters, so the connection should be closed; nothing of the line is kept.
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
        // The line does not belong to this protocol.
      }
    }
    if (rest.length <= mostOfLine) return;
    rest = '';
    onTooLong();
  };
}
