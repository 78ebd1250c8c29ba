import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynoError } from '#model/error.ts';
import { installPython, makeFolder } from '../fetch-package.ts';
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

const python = (tool: PythonTool, engine: string | null, about: string): Installable => ({
  name: tool,
  engine,
  about,
  isInstalled: () => pythonPackage(tool) !== null,
  async install(onActivity) {
    const interpreter = await supportedPython(leastMinor);
    await makeFolder(pythonFolder(tool), async (folder) => {
      await installPython(interpreter, requirementsOf(tool), folder, onActivity);
      writeFileSync(join(folder, interpreterFile), `${interpreter}\n`);
    });
  },
});

/** The oldest for which the pinned packages exist. */
const leastMinor = 11;

/** The first Python on the PATH behind shims, of 3.`leastMinor` at least. Throws 'unsupported' with advice. */
export async function supportedPython(leastMinor: number): Promise<string> {
  const found = findProgram(['python3', 'python']);
  const script = 'import sys; print(sys.executable, sys.version_info[0], sys.version_info[1], sep="\\n")';
  const { output } = found ? await runProgram(found, ['-c', script], { onActivity: () => {} }) : { output: '' };
  const [path = '', major, minor] = output.split('\n').map((line) => line.trim());
  if (existsSync(path) && Number(major) === 3 && Number(minor) >= leastMinor) return path;
  throw new DynoError('unsupported', `Python 3.${leastMinor} or newer is needed and was not found.`, {
    hint: 'On Debian and Ubuntu: sudo apt-get install python3 python3-pip',
  });
}

export const seerdb = python(
  'seerdb',
  'oracle',
  'seerdb 3.3.0, the Oracle stand-in, from the Python index, each part verified by its pinned hash (9 MB; licence: MIT)',
);

export const sqlfluff = python(
  'sqlfluff',
  null,
  'sqlfluff 4.5.0, which parses generated T-SQL in the tests, from the Python index, each part verified by its pinned hash (7 MB)',
);
