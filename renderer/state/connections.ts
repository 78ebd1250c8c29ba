import type { ConnectionList } from '#model/connections.ts';
import { attempt, listen, request } from './bridge.ts';
import { createStore } from './store.ts';

const nothing: ConnectionList = { connections: [], problem: null, cannotStore: null };

/** The user's connections. Null until the first answer. */
export const connections = createStore<ConnectionList | null>(null);

async function refresh(): Promise<void> {
  const list = await attempt('Could not list the connections', () => request('connections:list', null));
  connections.set(list ?? connections.get() ?? nothing);
}

export async function loadConnections(): Promise<void> {
  listen('connections:changed', () => void refresh());
  await refresh();
}
