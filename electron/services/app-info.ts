import { catalog } from '#engines/catalog.ts';
import { experimentJsonSchema } from '#experiment/schema/json-schema.ts';
import { missingTargets } from '#managed-servers/servers/kinds.ts';
import { describeEnvironment } from '#orchestrator/run/environment.ts';
import type { Home } from '#platform/paths.ts';
import type { AppInfo } from '#protocol/ipc.ts';

/** Facts about the app, its engines, and what is missing on this machine. */
export async function readAppInfo(home: Home): Promise<AppInfo> {
  const { app, runtime } = describeEnvironment();
  return {
    version: app,
    runtime,
    engines: catalog.map(({ descriptor }) => descriptor),
    missing: await missingTargets(),
    jsonSchema: experimentJsonSchema(),
    home: home.root,
  };
}
