import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm, root, say } from './project.mjs';

/** Installs the dependencies of package-lock.json unless they are all there already. */
export async function ensureInstalled() {
  if (await isInstalled()) return;
  say('Installing dependencies (npm ci)…');
  // Warnings are left out: development tools announce Node versions that only Electron's runtime has to meet.
  const { code, output } = await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { capture: true });
  if (code === 0) return;
  say(output.trim());
  throw new Error(`npm ci failed (exit code ${code}). Check the network and the npm registry, then try again.`);
}

/** npm writes node_modules/.package-lock.json last, so it tells what is really there. */
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
