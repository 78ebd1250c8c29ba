import { existsSync } from 'node:fs';
import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sinceLastTime, withProgress } from './progress.mjs';
import { root, run } from './project.mjs';

const sources = [
  'renderer',
  'electron/preload.ts',
  'electron/channels.ts',
  'electron/vite.config.ts',
  'workers/model',
  'workers/engine-api',
  'workers/stats',
  'workers/experiment',
  'workers/protocol',
  'workers/planning',
  'workers/analysis',
  'workers/presentation',
  'package-lock.json',
];
const stamp = join(root, 'dist/.built');

/** Builds the page and the preload script if a source is newer than the last build. */
export async function ensureBuilt(node) {
  const started = new Date();
  if (await isUpToDate(sources, stamp)) return;
  await withProgress('Building the window', await sinceLastTime('build'), async () => {
    for (const config of ['renderer/vite.config.ts', 'electron/vite.config.ts']) {
      const args = ['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn'];
      const { code, output } = await run(node, args, { capture: true });
      if (code !== 0) throw new Error(`vite build --config ${config} failed:\n${output}`);
    }
  });
  await stampAt(stamp, started);
}

/** True if a stamp is as new as all files of these folders of the project. */
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
      const names = await readdir(path);
      return newestMs(names.map((name) => join(path, name)));
    }),
  );
  return Math.max(0, ...times);
}
