import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from './progress.mjs';
import { logToStderr, npm, root } from './project.mjs';

/** Installs the dependencies of package-lock.json unless all are installed. */
export async function ensureInstalled() {
  if (await isInstalled()) return;
  const of = Object.entries(await packages('package-lock.json')).filter(isForThisMachine).length;
  // npm logs its requests to the registry: a package's description if the lock file has no address of it, and its
  // archive.
  let asked = 0;
  let archives = 0;
  const onOutput = (text) => {
    asked += text.split('npm http ').length - 1;
    archives += text.split('.tgz ').length - 1;
  };
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=http'];
  const { code, output } = await withProgress(
    'Installing dependencies (npm ci)',
    async () => ({ done: Math.max(archives, asked / 2), of, unit: 'packages' }),
    () => npm(args, { capture: true, onOutput }),
  );
  if (code === 0) return;
  logToStderr(output.replaceAll(/^npm http .*\n/gm, '').trim());
  throw new Error(`npm ci failed (exit code ${code}). Check the network and the npm registry, then try again.`);
}

/** True for packages of this platform; the lock file lists those of all. */
const isForThisMachine = ([path, { os, cpu, libc }]) =>
  path !== '' &&
  (os?.includes(process.platform) ?? true) &&
  (cpu?.includes(process.arch) ?? true) &&
  !libc?.includes('musl');

/** npm writes node_modules/.package-lock.json last, so that file lists what is installed. */
async function isInstalled() {
  const [wanted, found] = await Promise.all([
    packages('package-lock.json'),
    packages('node_modules/.package-lock.json'),
  ]);
  return Object.entries(wanted).every(
    ([path, { version, optional, peer }]) =>
      path === '' || (found[path] ? found[path].version === version : (optional ?? peer ?? false)),
  );
}

async function packages(file) {
  try {
    return JSON.parse(await readFile(join(root, file), 'utf8')).packages;
  } catch {
    return {};
  }
}
