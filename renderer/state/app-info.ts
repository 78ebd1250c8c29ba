import type { AppInfo } from '#contract/ipc.ts';
import { attempt, request } from './bridge.ts';
import { createStore } from './store.ts';

/** What the shell says about itself, once at start. */
export const appInfo = createStore<AppInfo | null>(null);

export async function loadAppInfo(): Promise<void> {
  appInfo.set(await attempt('Could not ask the app about itself', () => request('app:info', null)));
}
