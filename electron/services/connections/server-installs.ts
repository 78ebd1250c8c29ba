import { installables } from '#managed-servers/install/install.ts';
import { runInstallation } from '#managed-servers/install/installation.ts';
import { missingServers } from '#managed-servers/servers/missing-servers.ts';
import { DynoError } from '#model/error.ts';
import type { Handlers, Send } from '../../ipc.ts';
import { requireNoRun } from '../require-no-run.ts';

type InstallChannel = Extract<keyof Handlers, `servers:${string}`>;

interface ServerInstalls {
  readonly handlers: Pick<Handlers, InstallChannel>;
  /** The tool that is being installed; null: none. */
  current(): string | null;
  cancel(): void;
  /** Cancels an installation, and resolves after its files are removed. */
  close(): Promise<void>;
}

/** Installs missing servers for the page, one at a time. `liveRun`: the name of the current run, or null. */
export function createServerInstalls(liveRun: () => string | null, send: Send): ServerInstalls {
  let current: { readonly name: string; readonly stop: AbortController; readonly ended: Promise<unknown> } | null =
    null;

  const install = async (name: string): Promise<void> => {
    const tool = installables.find((one) => one.name === name);
    if (!tool) throw new DynoError('badInput', `Dyno installs nothing called “${name}”.`);
    requireNoRun(liveRun(), 'this');
    if (current)
      throw new DynoError('badInput', 'Something is being installed already.', { hint: 'Wait for it, or cancel it.' });
    const stop = new AbortController();
    let fraction: number | null = null;
    const tell = (activity: string) => send('server:installing', { tool: name, activity: activity.trim(), fraction });
    const onProgress = (now: number | null) => {
      fraction = now;
    };
    const ended = runInstallation({ signal: stop.signal, onProgress }, () => tool.install(tell));
    current = { name, stop, ended };
    try {
      await ended;
    } finally {
      current = null;
    }
  };

  const cancel = () => current?.stop.abort();
  return {
    handlers: {
      'servers:missing': () => missingServers(),
      'servers:install': ({ tool }) => install(tool),
      'servers:cancelInstall': cancel,
    },
    current: () => current?.name ?? null,
    cancel,
    async close() {
      cancel();
      await current?.ended.catch(() => {});
    },
  };
}
