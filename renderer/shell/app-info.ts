import type { AppInfo, EmbeddedState } from '#contract/ipc.ts';
import { attempt, listen, request } from '../bridge.ts';
import { createStore } from '../store.ts';

/** What the shell says about itself, once at start. */
export const appInfo = createStore<AppInfo | null>(null);

/** State of the servers that the app itself keeps, by target name. */
export const embedded = createStore<Readonly<Record<string, EmbeddedState>>>({});

export async function loadAppInfo(): Promise<void> {
  listen('embedded:state', (state) => embedded.update((all) => ({ ...all, [state.target]: state })));
  appInfo.set(await attempt('Could not ask the app about itself', () => request('app:info', null)));
}
