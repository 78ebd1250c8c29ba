import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import type { MissingServer } from '#protocol/ipc.ts';
import { loadAppInfo } from '../state/app-info.ts';
import { attempt, listen, request } from '../state/bridge.ts';
import { createStore } from '../state/store.ts';
import { showToast } from '../ui/overlays/toast.tsx';

/** The built-in targets without a server on this machine, by name. Null until they are known. */
export const missingServers = createStore<Readonly<Record<string, MissingServer>> | null>(null);

/** The running installation. Null if there is none. */
interface Installing {
  readonly tool: string;
  readonly activity: string;
  readonly fraction: number | null;
}
export const installing = createStore<Installing | null>(null);

export async function loadMissingServers(): Promise<void> {
  const missing = await attempt('Could not look for servers', () => request('servers:missing', null));
  if (missing) missingServers.set(missing);
}

/** Installs a tool. `installing` has the progress; `label` names the server that needs the tool. */
export async function installServer(label: string, tool: string): Promise<void> {
  if (installing.get()) return;
  installing.set({ tool, activity: 'Querying the registry…', fraction: null });
  const off = listen('server:installing', (now) => {
    if (now.tool === tool) installing.set(now);
  });
  try {
    await request('servers:install', { tool });
    showToast({ tone: 'info', title: `${label} is installed` });
  } catch (thrown) {
    const error = toErrorData(thrown);
    // A cancelled installation needs no message.
    if (error.kind !== 'cancelled')
      showToast({ tone: 'error', title: `Could not install ${label}`, text: errorText(error) });
  } finally {
    off();
    installing.set(null);
  }
  await lookAgain();
}

/** Looks for missing servers again. The builder gets them from the facts about the app. */
export const lookAgain = (): Promise<unknown> => Promise.all([loadMissingServers(), loadAppInfo()]);

export const cancelInstall = (): Promise<unknown> =>
  attempt('Could not cancel the installation', () => request('servers:cancelInstall', null));
