import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { toolsFolder } from './tools.ts';

/** The RavenDB servers that registries have. */
export type RavenDbVersion = '4.1.0' | '7.2.6';

/** An installed server and the .NET that runs it. */
interface RavenDbProgram {
  readonly dotnet: string;
  /** Raven.Server.dll */
  readonly server: string;
  /** Belongs into LD_LIBRARY_PATH: OpenSSL 1.1, which .NET Core 2.1 needs. */
  readonly libraries: string;
}

export const ravenDbFolder = (version: RavenDbVersion): string => join(toolsFolder(), `ravendb-${version}`);

export const ravenDbIn = (folder: string): RavenDbProgram => ({
  dotnet: join(folder, 'dotnet', 'dotnet'),
  server: join(folder, 'server', 'Raven.Server.dll'),
  libraries: join(folder, 'lib'),
});

/** Null: not installed. */
export function findRavenDb(version: RavenDbVersion): RavenDbProgram | null {
  const folder = ravenDbFolder(version);
  return existsSync(folder) ? ravenDbIn(folder) : null;
}
