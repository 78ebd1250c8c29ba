import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynoError } from '#model/error.ts';
import type { Missing } from '../../process/server-kind.ts';
import { fillFolder, installPython } from '../fetch-package.ts';
import { runProgram } from '../run-program.ts';
import {
  findProgram,
  interpreterFile,
  type PythonTool,
  pythonFolder,
  pythonPackage,
  requirementsOf,
} from '../tools.ts';
import type { Installable } from './installable.ts';

const python = (tool: PythonTool, about: string): Installable => ({
  name: tool,
  engine: null,
  about,
  isInstalled: () => pythonPackage(tool) !== null,
  lacks: async () => (await lacksPython(leastMinor)) ?? (await lacksPip(await supportedPython(leastMinor))),
  async install(onActivity) {
    const interpreter = await supportedPython(leastMinor);
    await fillFolder(pythonFolder(tool), async (folder) => {
      await installPython(interpreter, requirementsOf(tool), folder, onActivity);
      writeFileSync(join(folder, interpreterFile), `${interpreter}\n`);
    });
  },
});

/** The oldest for which the pinned packages exist. */
const leastMinor = 11;

/** The first Python on the PATH behind shims, of 3.`leastMinor` at least. Throws 'unsupported' with advice. */
export async function supportedPython(leastMinor: number): Promise<string> {
  const path = await pythonPath(leastMinor);
  if (path !== null) return path;
  const { what, fix } = noPython(leastMinor);
  throw new DynoError('unsupported', what, { hint: fix });
}

export const lacksPython = async (leastMinor: number): Promise<Missing | null> =>
  (await pythonPath(leastMinor)) === null ? noPython(leastMinor) : null;

async function lacksPip(python: string): Promise<Missing | null> {
  const { code } = await runProgram(python, ['-m', 'pip', '--version'], { onActivity: () => {} });
  return code === 0 ? null : { what: `${python} has no pip.`, fix: packageAdvice('python3-pip') };
}

async function pythonPath(leastMinor: number): Promise<string | null> {
  const found = findProgram(['python3', 'python']);
  if (found === null) return null;
  const script = 'import sys; print(sys.executable, sys.version_info[0], sys.version_info[1], sep="\\n")';
  const { output } = await runProgram(found, ['-c', script], { onActivity: () => {} });
  const [path = '', major, minor] = output.split('\n').map((line) => line.trim());
  return existsSync(path) && Number(major) === 3 && Number(minor) >= leastMinor ? path : null;
}

const noPython = (leastMinor: number): Missing => ({
  what: `Python 3.${leastMinor} or newer is needed and was not found.`,
  fix: packageAdvice('python3'),
});

const packageAdvice = (name: string): string =>
  `Debian, Ubuntu: sudo apt install ${name}. Fedora: sudo dnf install ${name}.`;

export const seerdb = python(
  'seerdb',
  'seerdb 3.3.0, which answers in the place of Oracle in the tests, from the Python index, each part verified by its pinned hash (8.6 MiB; licence: MIT)',
);

export const sqlfluff = python(
  'sqlfluff',
  'sqlfluff 4.5.0, which parses generated T-SQL in the tests, from the Python index, each part verified by its pinned hash (6.7 MiB)',
);
