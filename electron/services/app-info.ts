import { catalog } from '#engines/catalog.ts';
import { missingTargets } from '#managed-servers/servers/kinds.ts';
import { environmentOf } from '#orchestrator/run/environment.ts';
import { learnNodeVersions } from '#platform/node-program.ts';
import type { Home } from '#platform/paths.ts';
import { windowRuntime, windowRuntimeText } from '#platform/window-runtime.ts';
import type { AppInfo } from '#protocol/ipc.ts';

/** Facts about the app, its engines, and what is missing on this machine. */
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

/** The Electron that runs this process; where nothing noted its source, its version alone. */
function windowText(): string {
  const { electron } = process.versions;
  const noted = windowRuntime();
  return noted?.electron === electron ? windowRuntimeText(noted) : `Electron ${electron}`;
}
