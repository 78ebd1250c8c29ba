import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { mustRun } from '../tools.mjs';

/** Makes a .tar.gz with the tree and install.sh in one folder, which is named like the file. */
export const makeTar = ({ tree, file }) =>
  withInstaller(tree, basename(file, '.tar.gz'), (folder) =>
    mustRun('tar', ['--owner=0', '--group=0', '--sort=name', '-czf', file, '-C', dirname(folder), basename(folder)]),
  );

/** Makes a self-extracting installer: a shell script that unpacks the same folder and runs its install.sh. */
export const makeSelfExtracting = ({ tree, file, version }) =>
  withInstaller(tree, basename(file, '.run'), (folder) =>
    mustRun('makeself', [
      '--nox11',
      '--sha256',
      '--tar-quietly',
      '--quiet',
      folder,
      file,
      `Dyno ${version}`,
      './install.sh',
    ]),
  );

/** Calls `use` with a folder that holds hard links to the tree's files, and install.sh. */
async function withInstaller(tree, name, use) {
  const work = await mkdtemp(join(dirname(dirname(tree)), 'archive-'));
  try {
    const folder = join(work, name);
    await mkdir(folder);
    await mustRun('cp', ['-al', ...['bin', 'lib', 'share'].map((part) => join(tree, part)), folder]);
    await copyFile(join(import.meta.dirname, 'install.sh'), join(folder, 'install.sh'));
    await use(folder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
