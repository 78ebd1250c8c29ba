import { catalog } from '#engines/catalog.ts';
import { missingTargets } from '#managed-servers/servers/kinds.ts';
import { environmentOf } from '#orchestrator/run/environment.ts';
import { learnNodeVersions } from '#platform/node-program.ts';
import type { Home } from '#platform/paths.ts';
import { windowRuntime, windowRuntimeText } from '#platform/window-runtime.ts';
import type { AppInfo } from '#protocol/ipc.ts';

/** Facts about the app, its engines, and missing prerequisites of this machine. */
export async function readAppInfo(home: Home): Promise<AppInfo> {
  await learnNodeVersions();
  const { app, runtime } = environmentOf();
  return {
    version: app,
    runtime,
    window: windowText(),
    engines: catalog.map(({ descriptor }) => descriptor),
    missing: await missingTargets(),
    home: home.root,
  };
}

/** The Electron that runs this process; only its version if its source was not recorded. */
function windowText(): string {
  const { electron } = process.versions;
  const noted = windowRuntime();
  return noted?.electron === electron ? windowRuntimeText(noted) : `Electron ${electron}`;
}
