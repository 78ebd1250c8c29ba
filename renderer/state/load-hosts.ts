import type { LoadHostList } from '#model/load-host-check.ts';
import { attempt, listen, request } from './bridge.ts';
import { createStore } from './store.ts';

/** The user's load hosts. Null until the first answer. */
export const loadHosts = createStore<LoadHostList | null>(null);

async function refresh(): Promise<void> {
  const list = await attempt('Could not list the load hosts', () => request('hosts:list', null));
  if (list) loadHosts.set(list);
}

export async function readLoadHosts(): Promise<void> {
  listen('hosts:changed', () => void refresh());
  await refresh();
}

/** The public key of this coordinator. Null until it was requested. */
export const coordinatorKey = createStore<string | null>(null);

/** Requests the key once. */
export async function readCoordinatorKey(): Promise<void> {
  if (coordinatorKey.get() !== null) return;
  const key = await attempt('Could not read the key of this coordinator', () => request('hosts:key', null));
  if (key !== null) coordinatorKey.set(key);
}
