import { isLocked } from '../file-lock.ts';
import type { Home } from '../paths.ts';
import { missingOf } from './kinds.ts';
import { serverStatus } from './lab.ts';
import { placeOf } from './places.ts';
import type { LabStatus } from './protocol.ts';
import type { Missing, ServerKind } from './server-kind.ts';

/** What one kind of server is just now. */
export interface Surveyed {
  readonly kind: string;
  readonly engine: string;
  readonly label: string;
  /** hung: its keeper is there and does not answer. */
  readonly state: 'missing' | 'stopped' | 'hung' | LabStatus['state'];
  readonly missing: Missing | null;
  /** While a keeper runs. */
  readonly server: Omit<LabStatus, 'state'> | null;
}

export async function surveyKind(home: Home, kind: ServerKind): Promise<Surveyed> {
  const { id, engine, label } = kind;
  const about = { kind: id, engine, label };
  const status = await serverStatus(home, kind);
  if (status) {
    const { state, ...server } = status;
    return { ...about, state, missing: null, server };
  }
  const missing = await missingOf(kind);
  const state = missing ? 'missing' : isLocked(placeOf(home, id).lock) ? 'hung' : 'stopped';
  return { ...about, state, missing, server: null };
}
