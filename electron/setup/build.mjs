import { existsSync } from 'node:fs';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sinceLastTime, withProgress } from './progress.mjs';
import { root, run } from './project.mjs';

/** The command line as built. */
export const cliFile = join(root, 'dist/programs/workers/cli.js');

/** Builds the command line and the programs that it starts, if a source is newer than the last build. */
export const ensureProgramsBuilt = (node) =>
  ensurePart(node, {
    part: 'programs',
    title: 'Building Dyno',
    sources: ['workers', 'electron/package', 'package-lock.json'],
  });

/** Builds the programs and the window, if a source is newer than the last build. */
export async function ensureBuilt(node) {
  await ensureProgramsBuilt(node);
  const sources = ['renderer', 'electron', 'workers', 'package-lock.json'];
  await ensurePart(node, { part: 'window', title: 'Building the window', sources });
}

async function ensurePart(node, { part, title, sources }) {
  const started = new Date();
  const stamp = join(root, `dist/.built-${part}`);
  if (await isUpToDate(sources, stamp)) return;
  await withProgress(title, await sinceLastTime(`build-${part}`), async () => {
    const { code, output } = await run(node, [`electron/package/build-${part}.mjs`], { capture: true });
    if (code !== 0) throw new Error(`${title} failed:\n${output}`);
  });
  await stampAt(stamp, started);
}

/** True if a stamp is as new as all files of these folders of the project, except tests and benchmarks. */
export async function isUpToDate(folders, file) {
  const builtMs = existsSync(file) ? (await stat(file)).mtimeMs : 0;
  return (await newestMs(folders.map((folder) => join(root, folder)))) <= builtMs;
}

/** Notes that a build started at that time; a source that changed during the build counts as newer. */
export async function stampAt(file, started) {
  await writeFile(file, '');
  await utimes(file, started, started);
}

async function newestMs(paths) {
  const times = await Promise.all(
    paths.map(async (path) => {
      const info = await stat(path);
      if (!info.isDirectory()) return info.mtimeMs;
      const names = (await readdir(path)).filter((name) => !/\.(test|fixture|bench)\.\w+$/.test(name));
      return newestMs(names.map((name) => join(path, name)));
    }),
  );
  return Math.max(0, ...times);
}
