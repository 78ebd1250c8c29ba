import { catalog } from '#engines/catalog.ts';
import { experimentJsonSchema } from '#experiment/schema/json-schema.ts';
import { describeEnvironment } from '#host/environment.ts';
import { missingTargets } from '#host/lab/kinds.ts';
import type { Home } from '#host/paths.ts';
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
