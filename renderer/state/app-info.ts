import type { AppInfo } from '#protocol/ipc.ts';
import { attempt, request } from './bridge.ts';
import { createStore } from './store.ts';

/** Facts about the app, its engines and this machine, which are read once at start. Null until then. */
export const appInfo = createStore<AppInfo | null>(null);

export async function loadAppInfo(): Promise<void> {
  appInfo.set(await attempt('Could not read facts about the app', () => request('app:info', null)));
}
