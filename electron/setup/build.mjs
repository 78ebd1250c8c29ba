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
  const builtMs = existsSync(stamp) ? (await stat(stamp)).mtimeMs : 0;
  const started = new Date();
  if ((await newestMs(sources.map((source) => join(root, source)))) <= builtMs) return;
  await withProgress('Building the window', await sinceLastTime('build'), async () => {
    for (const config of ['renderer/vite.config.ts', 'electron/vite.config.ts']) {
      const args = ['node_modules/vite/bin/vite.js', 'build', '--config', config, '--logLevel', 'warn'];
      const { code, output } = await run(node, args, { capture: true });
      if (code !== 0) throw new Error(`vite build --config ${config} failed:\n${output}`);
    }
  });
  await writeFile(stamp, '');
  await utimes(stamp, started, started); // a source that changed during the build counts as newer
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
