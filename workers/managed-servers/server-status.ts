import { isLocked } from '#platform/file-lock.ts';
import type { Home } from '#platform/paths.ts';
import { placeOf } from './places.ts';
import type { Missing, ServerKind } from './process/server-kind.ts';
import { missingOf } from './servers/kinds.ts';
import { supervisorStatus } from './supervisor-client.ts';
import type { SupervisorStatus } from './supervisor-protocol.ts';

/** The present state of one kind of managed server. */
export interface ServerStatus {
  readonly kind: string;
  readonly engine: string;
  readonly label: string;
  /** hung: its supervisor runs and does not answer. */
  readonly state: 'missing' | 'stopped' | 'hung' | SupervisorStatus['state'];
  readonly missing: Missing | null;
  /** The version and program that it starts from. Null: Dyno has exactly one, or none is there. */
  readonly installed: string | null;
  /** Null: no supervisor runs. */
  readonly server: Omit<SupervisorStatus, 'state'> | null;
}

export async function serverStatus(home: Home, kind: ServerKind): Promise<ServerStatus> {
  const { id, engine, label } = kind;
  const about = { kind: id, engine, label, installed: (await kind.installed?.()) ?? null };
  const status = await supervisorStatus(home, kind);
  if (status) {
    const { state, ...server } = status;
    return { ...about, state, missing: null, server };
  }
  const missing = await missingOf(kind);
  const state = missing ? 'missing' : isLocked(placeOf(home, id).lock) ? 'hung' : 'stopped';
  return { ...about, state, missing, server: null };
}
