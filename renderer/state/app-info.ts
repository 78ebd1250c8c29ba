import type { AppInfo } from '#protocol/ipc.ts';
import { attempt, request } from './bridge.ts';
import { createStore } from './store.ts';
import { texts } from './text.ts';

/** Facts about the app, its engines and this machine, read once at start; null until then. */
export const appInfo = createStore<AppInfo | null>(null);

export async function loadAppInfo(): Promise<void> {
  appInfo.set(await attempt(texts.appInfo.couldNotAskTheApp, () => request('app:info', null)));
}
