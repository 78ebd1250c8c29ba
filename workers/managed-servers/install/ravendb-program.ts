import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from './tools.ts';

export const ravenDbVersion = '7.2.6';

/** An installed server and the .NET that runs it. */
interface RavenDbProgram {
  readonly dotnet: string;
  /** Raven.Server.dll */
  readonly server: string;
}

export const ravenDbFolder = (): string => join(toolsFolder(), `ravendb-${ravenDbVersion}`);

export const ravenDbIn = (folder: string): RavenDbProgram => ({
  dotnet: join(folder, 'dotnet', 'dotnet'),
  server: join(folder, 'server', 'Raven.Server.dll'),
});

/** Null: not installed. */
export function findRavenDb(): RavenDbProgram | null {
  const folder = ravenDbFolder();
  return existsSync(folder) ? ravenDbIn(folder) : null;
}
