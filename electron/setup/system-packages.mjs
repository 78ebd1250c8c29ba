import { spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withProgress } from './progress.mjs';
import { isRoot, run, say } from './project.mjs';
import { makeWorkFolder } from './registry-package.mjs';
import { finishUnpacked, unpackedFolder } from './unpacked-packages.mjs';

/** What each system calls the packages that bring the window's libraries and, with `xvfb`, a display without a screen. */
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
 * Gets the packages that the window lacks: as root on Debian and Ubuntu by apt-get, as an ordinary user there by unpacking the same packages
 * into the user's cache, where Electron and Xvfb alone look for them. Throws what to type where neither is possible. `lacking` says what
 * is missing; `parts` are 'window' and 'xvfb'.
 */
export async function getSystemPackages(lacking, parts) {
  const manager = managers.find(({ program }) => onPath(program));
  const names = manager ? packagesOf(manager, parts) : [];
  const byHand = manager
    ? `To install them by hand: ${isRoot ? '' : 'sudo '}${manager.install} ${names.join(' ')}`
    : `Install GTK 3, NSS, GBM and ALSA${parts.includes('xvfb') ? ' and Xvfb' : ''} with the package manager of this system.`;
  if (manager?.program !== 'apt-get' || (!isRoot && !onPath('dpkg-deb'))) throw new Error(`${lacking}\n${byHand}`);
  try {
    if (isRoot) await installByApt(lacking, names);
    else await unpackByApt(lacking, packagesOf(manager, partNames));
  } catch (error) {
    throw new Error(`${lacking}\n${error.message}\n${byHand}`);
  }
}

/** What may be lacking. Unpacked is always all of it: the folder is made anew each time. */
const partNames = ['window', 'xvfb'];
const packagesOf = (manager, parts) => parts.flatMap((part) => manager[part].split(' '));

/** Path of a program on the PATH; null where there is none. */
export const onPath = (program) =>
  (process.env.PATH ?? '')
    .split(':')
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path)) ?? null;

async function installByApt(lacking, names) {
  say(`${lacking} Installing them with apt-get, because this is root: ${names.join(' ')}`);
  await withoutServices(async () => {
    await apt('Reading the lists of packages', ['update']);
    await apt('Installing packages', ['install', '-y', '--no-install-recommends', ...(await namedHere(names, []))]);
  });
}

/** Debian's packages start the services that they install unless this program forbids it (Debian policy, invoke-rc.d). */
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

/** apt with lists and archives of its own, so that an ordinary user may write them; it verifies them by the system's keys. */
async function unpackByApt(lacking, names) {
  say(`${lacking} Unpacking the packages of this system into ${unpackedFolder} for Dyno alone: ${names.join(' ')}`);
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
    // The C library stays the system's: it has to be the one that the programs' loader belongs to.
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

/** Packages as this release calls them: Ubuntu 24.04 and Debian 13 have renamed some (…t64). */
async function namedHere(names, options) {
  const { stdout } = await run('apt-cache', [...options, 'pkgnames', 'lib'], { capture: true });
  const known = new Set(stdout.split('\n'));
  return names.map((name) => (known.has(`${name}t64`) ? `${name}t64` : name));
}

/** Runs apt-get and shows how far it is: it reports its progress in per cent on a descriptor of its own (APT::Status-Fd). */
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
      child.stdio[3].setEncoding('utf8').on('data', (text) => {
        const reports = [...text.matchAll(/^(?:dl|pm)status:[^:]*:([\d.]+):/gm)];
        percent = Number(reports.at(-1)?.[1] ?? percent);
      });
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text) => {
          output = (output + text).slice(-20_000);
        });
      return new Promise((done, failed) => child.on('error', failed).on('close', done));
    },
  );
  if (code !== 0)
    throw new Error(`apt-get ${args.find((arg) => /^(update|install)$/.test(arg))} failed:\n${lastLines(output)}`);
}

const lastLines = (output) => output.trim().split('\n').slice(-6).join('\n');
