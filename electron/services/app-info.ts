import type { AppInfo } from '#contract/ipc.ts';
import { experimentJsonSchema } from '#contract/json-schema.ts';
import { catalog } from '../../workers/engines/catalog.ts';
import { describeEnvironment } from '../../workers/host/environment.ts';
import { missingTargets } from '../../workers/host/lab/kinds.ts';
import type { Home } from '../../workers/host/paths.ts';

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
