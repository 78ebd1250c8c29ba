import type { AppInfo } from '#contract/ipc.ts';
import { experimentJsonSchema } from '#contract/json-schema.ts';
import { catalog } from '../../workers/engines/catalog.ts';
import { describeEnvironment } from '../../workers/host/environment.ts';
import type { Home } from '../../workers/host/paths.ts';

/** What this app is and can do; the same for as long as it runs. */
export function appInfo(home: Home): AppInfo {
  const { app, runtime } = describeEnvironment();
  return {
    version: app,
    runtime,
    engines: catalog.map(({ descriptor }) => descriptor),
    jsonSchema: experimentJsonSchema(),
    home: home.root,
  };
}
