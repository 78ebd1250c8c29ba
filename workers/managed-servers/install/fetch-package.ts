import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DynoError, toErrorData } from '#model/error.ts';
import { download } from './registry/download.ts';
import { npmRegistryOf } from './registry/npm-settings.ts';
import { lastLines, runProgram } from './run-program.ts';

/**
 * Fetches packages from npm's registry over HTTPS, as npm's configuration says, and from the Python index through the
 * user's pip, so that mirrors, proxies and credentials hold. A package with another checksum than the pinned one is not
 * used, and a half-done folder is never found.
 */

/** A package of the npm registry, trusted only through its checksum. */
export interface NpmPackage {
  readonly name: string;
  readonly version: string;
  /** The checksum as package-lock.json writes it: "sha512-…". */
  readonly integrity: string;
  /** The packed package's size, for the time left if the registry does not report it. Absent: unknown. */
  readonly bytes?: number;
}

/** Makes a folder in one step: `fill` fills an empty folder beside it, which is renamed when it is complete. */
export async function fillFolder(folder: string, fill: (work: string) => Promise<void>): Promise<void> {
  let work: string;
  try {
    mkdirSync(dirname(folder), { recursive: true });
    work = mkdtempSync(`${folder}.part-`);
  } catch (thrown) {
    const { kind, message } = toErrorData(thrown);
    throw new DynoError(kind, `${dirname(folder)} cannot be written to: ${message}`, {
      hint: 'Set XDG_CACHE_HOME to a folder you can write to.',
    });
  }
  try {
    const content = join(work, 'content');
    mkdirSync(content);
    await fill(content);
    rmSync(folder, { recursive: true, force: true });
    renameSync(content, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Fetches a package, compares its checksum, and unpacks some of its files (or folders) into `folder`. */
export async function unpackNpm(
  { name, version, integrity, bytes }: NpmPackage,
  folder: string,
  files: readonly string[],
  onActivity: (text: string) => void,
): Promise<void> {
  const work = mkdtempSync(join(dirname(folder), 'npm-'));
  try {
    const tarball = join(work, 'package.tgz');
    const { registry, ...access } = npmRegistryOf(name);
    const address = `${registry}${name}/-/${basename(name)}-${version}.tgz`;
    const advice = 'Check the network, the proxy, and the registry that npm is set to (.npmrc), then do it again.';
    await download(address, tarball, access, { onActivity, bytes, advice });
    const found = await integrityOf(tarball);
    if (found !== integrity)
      throw new DynoError('other', `${name}@${version} is not the package Dyno knows (${found}); it was not used.`, {
        hint: 'The registry answers with something else under that name: check the registry in .npmrc.',
      });
    const unpack = ['-xzf', tarball, '-C', folder, '--strip-components=1', ...files];
    const tar = await runProgram('tar', unpack, { onActivity, growth: { paths: [folder] } });
    if (tar.code !== 0) throw new DynoError('other', `Unpacking ${name} failed: ${lastLines(tar.output)}`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Installs into `folder` exactly what a requirements file pins, by hash; `python` needs pip. */
export async function installPython(
  python: string,
  requirements: string,
  folder: string,
  onActivity: (text: string) => void,
): Promise<void> {
  const temporary = mkdtempSync(`${folder}.pip-`);
  const install = [
    ...['-m', 'pip', 'install', '--target', folder, '--no-deps', '--require-hashes', '--only-binary=:all:'],
    ...['--quiet', '--no-input', '--disable-pip-version-check', '--requirement', requirements],
  ];
  const growth = { paths: [temporary, folder] };
  const { code, output } = await runProgram(python, install, { onActivity, growth, env: { TMPDIR: temporary } });
  rmSync(temporary, { recursive: true, force: true });
  if (code !== 0) throw pipError(output);
}

/** The error of a pip that failed, from its output. */
function pipError(output: string): DynoError {
  const noPip = /No module named pip/.test(output);
  return new DynoError(noPip ? 'unsupported' : 'unreachable', `pip failed: ${lastLines(output)}`, {
    hint: noPip
      ? 'On Debian and Ubuntu: sudo apt-get install python3-pip'
      : 'Check the network, the proxy and the index (pip config list), then do it again.',
  });
}

async function integrityOf(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}
