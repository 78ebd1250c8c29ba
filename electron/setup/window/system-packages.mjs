import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from '../progress.mjs';
import { isRoot, logToStderr, run } from '../project.mjs';
import { makeWorkFolder } from '../registry-package.mjs';
import { finishUnpacked, unpackedFolder } from './unpacked-packages.mjs';

/** Per package manager, the packages of the libraries that the window needs, and of Xvfb. */
const managers = [
  {
    program: 'apt-get',
    install: 'apt-get install',
    window: 'libgtk-3-0 libnss3 libgbm1 libasound2 libx11-xcb1',
    xvfb: 'xvfb',
  },
  {
    program: 'dnf',
    install: 'dnf install',
    window: 'gtk3 nss mesa-libgbm alsa-lib libX11-xcb',
    xvfb: 'xorg-x11-server-Xvfb',
  },
  {
    program: 'zypper',
    install: 'zypper install',
    window: 'gtk3 mozilla-nss libgbm1 alsa libX11-xcb1',
    xvfb: 'xorg-x11-server-Xvfb',
  },
  { program: 'pacman', install: 'pacman -S', window: 'gtk3 nss mesa alsa-lib libx11', xvfb: 'xorg-server-xvfb' },
];

/**
 * Gets the system packages that the window needs. On Debian and Ubuntu, root installs them with apt-get; an ordinary
 * user unpacks the same packages into the user's cache, where only Electron and Xvfb find them. Elsewhere it throws an
 * error with the command to type. `reason` is a sentence that says what is missing; `parts` holds 'window', 'xvfb' or
 * both.
 */
export async function getSystemPackages(reason, parts) {
  const manager = managers.find(({ program }) => onPath(program));
  const names = manager ? packagesOf(manager, parts) : [];
  const byHand = manager
    ? `To install them yourself: ${isRoot ? '' : 'sudo '}${manager.install} ${names.join(' ')}`
    : `Install GTK 3, NSS, GBM and ALSA${parts.includes('xvfb') ? ' and Xvfb' : ''} with the package manager of this system.`;
  if (manager?.program !== 'apt-get' || (!isRoot && !onPath('dpkg-deb'))) throw new Error(`${reason}\n${byHand}`);
  try {
    if (isRoot) await installByApt(reason, names);
    else await unpackByApt(reason, packagesOf(manager, partNames));
  } catch (error) {
    throw new Error(`${reason}\n${error.message}\n${byHand}`);
  }
}

/**
 * Gets tools that packaging needs. `packages` names them by package manager. On Debian and Ubuntu, root installs them
 * with apt-get; elsewhere it throws an error with the command to type.
 */
export async function getTools(reason, packages) {
  const manager = managers.find(({ program }) => onPath(program) && packages[program]);
  if (manager === undefined) throw new Error(`${reason} Install it with the package manager of this system.`);
  const names = packages[manager.program].split(' ');
  if (isRoot && manager.program === 'apt-get') return installByApt(reason, names);
  throw new Error(`${reason} To install it: ${isRoot ? '' : 'sudo '}${manager.install} ${names.join(' ')}`);
}

/** The names of all parts. Unpacking always takes all of them, because it replaces the folder. */
const partNames = ['window', 'xvfb'];
const packagesOf = (manager, parts) => parts.flatMap((part) => manager[part].split(' '));

/** Path of a program on the PATH, on Windows with one of its endings; null without one. */
export function onPath(program, path = process.env.PATH ?? '', platform = process.platform) {
  const endings = platform === 'win32' ? ['.exe', '.cmd'] : [''];
  const folders = path.split(platform === 'win32' ? ';' : ':').filter((folder) => folder !== '');
  const files = folders.flatMap((folder) => endings.map((ending) => join(folder, `${program}${ending}`)));
  return files.find((file) => existsSync(file)) ?? null;
}

async function installByApt(reason, names) {
  logToStderr(`${reason} Installing them with apt-get, as root: ${names.join(' ')}`);
  await withoutServices(async () => {
    await apt('Reading the lists of packages', ['update']);
    await apt('Installing packages', ['install', '-y', '--no-install-recommends', ...(await namedHere(names, []))]);
  });
}

/** Runs `use` while policy-rc.d forbids packages to start their services (Debian policy, invoke-rc.d). */
async function withoutServices(use) {
  const policy = '/usr/sbin/policy-rc.d';
  if (existsSync(policy)) return use();
  await writeFile(policy, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return await use();
  } finally {
    await rm(policy, { force: true });
  }
}

/** Runs apt with lists and archives that an ordinary user can write; apt verifies them with the system's keys. */
async function unpackByApt(reason, names) {
  logToStderr(`${reason} Unpacking this system's packages into ${unpackedFolder}, for Dyno only: ${names.join(' ')}`);
  const work = await makeWorkFolder();
  try {
    for (const folder of ['state/lists/partial', 'cache/archives/partial'])
      await mkdir(join(work, folder), { recursive: true });
    const own = ['Dir::State::status=/var/lib/dpkg/status', `Dir::State=${work}/state`, `Dir::Cache=${work}/cache`];
    const options = [...own, 'Debug::NoLocking=1'].flatMap((option) => ['-o', option]);
    await apt('Reading the lists of packages', [...options, 'update']);
    const wanted = await namedHere(names, options);
    await apt('Fetching packages', [
      ...options,
      'install',
      '-y',
      '--download-only',
      '--no-install-recommends',
      ...wanted,
    ]);
    const archives = join(work, 'cache/archives');
    // The system's C library is used, because it must match the loader that starts the programs.
    const files = readdirSync(archives).filter((file) => file.endsWith('.deb') && !/^(libc6|libc-bin)_/.test(file));
    const content = join(work, 'content');
    await mkdir(content);
    let done = 0;
    await withProgress(
      'Unpacking packages',
      async () => ({ done, of: files.length, unit: 'packages' }),
      async () => {
        for (const file of files) {
          const { code, output } = await run('dpkg-deb', ['-x', join(archives, file), content], { capture: true });
          if (code !== 0) throw new Error(`Unpacking ${file} failed: ${output.trim()}`);
          done += 1;
        }
      },
    );
    await finishUnpacked(content);
    await rm(unpackedFolder, { recursive: true, force: true });
    await rename(content, unpackedFolder);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Names of the packages in this release: Ubuntu 24.04 and Debian 13 renamed some to …t64. */
async function namedHere(names, options) {
  const { stdout } = await run('apt-cache', [...options, 'pkgnames', 'lib'], { capture: true });
  const known = new Set(stdout.split('\n'));
  return names.map((name) => (known.has(`${name}t64`) ? `${name}t64` : name));
}

/** Runs apt-get and shows its progress, which it reports in per cent on an extra file descriptor (APT::Status-Fd). */
async function apt(title, args) {
  let percent = 0;
  let output = '';
  const code = await withProgress(
    title,
    async () => ({ done: percent, of: 100, unit: '%' }),
    () => {
      const child = spawn('apt-get', ['-q', '-o', 'APT::Status-Fd=3', ...args], {
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
        stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      });
      const onText = (stream, use) => stream.setEncoding('utf8').on('data', use);
      onText(child.stdio[3], (text) => {
        const reports = [...text.matchAll(/^(?:dl|pm)status:[^:]*:([\d.]+):/gm)];
        percent = Number(reports.at(-1)?.[1] ?? percent);
      });
      for (const stream of [child.stdout, child.stderr])
        onText(stream, (text) => {
          output = (output + text).slice(-20_000);
        });
      return new Promise((done, failed) => child.on('error', failed).on('close', done));
    },
  );
  if (code !== 0)
    throw new Error(`apt-get ${args.find((arg) => /^(update|install)$/.test(arg))} failed:\n${lastLines(output)}`);
}

const lastLines = (output) => output.trim().split('\n').slice(-6).join('\n');
