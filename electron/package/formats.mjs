import { makeDriver } from './driver-package.mjs';
import { makeSelfExtracting, makeTar } from './linux/archives.mjs';
import { makeDeb } from './linux/deb.mjs';
import { makeRpm } from './linux/rpm.mjs';
import { mustRun } from './tools.mjs';
import { makeZip } from './windows/make-zip.mjs';
import { makeNsis } from './windows/nsis.mjs';

/**
 * The packages by their names on the command line: the system (null: it is without the app, for all systems), the
 * file's name, the program that makes it with its packages by package manager (all others need none), and the function
 * that makes it.
 */
export const formats = {
  deb: {
    platform: 'linux',
    fileName: ({ version, arch }) => `dyno_${version}_${arch === 'x64' ? 'amd64' : arch}.deb`,
    tool: { program: 'dpkg-deb', packages: { 'apt-get': 'dpkg', dnf: 'dpkg' } },
    make: makeDeb,
  },
  rpm: {
    platform: 'linux',
    fileName: ({ version, arch }) => `dyno-${version}-1.${arch === 'x64' ? 'x86_64' : 'aarch64'}.rpm`,
    tool: { program: 'rpmbuild', packages: { 'apt-get': 'rpm', dnf: 'rpm-build', zypper: 'rpm-build' } },
    make: makeRpm,
  },
  tar: {
    platform: 'linux',
    fileName: ({ version, arch }) => `dyno-${version}-linux-${arch}.tar.gz`,
    make: makeTar,
  },
  run: {
    platform: 'linux',
    fileName: ({ version, arch }) => `dyno-${version}-linux-${arch}.run`,
    tool: { program: 'makeself', packages: { 'apt-get': 'makeself', dnf: 'makeself', pacman: 'makeself' } },
    make: makeSelfExtracting,
  },
  zip: {
    platform: 'win32',
    fileName: ({ version, arch }) => `dyno-${version}-windows-${arch}.zip`,
    make: makeZip,
  },
  nsis: {
    platform: 'win32',
    fileName: ({ version, arch }) => `dyno-${version}-windows-${arch}-setup.exe`,
    tool: { program: 'makensis', packages: { 'apt-get': 'nsis', dnf: 'mingw-nsis' } },
    make: makeNsis,
  },
  'mac-zip': {
    platform: 'darwin',
    fileName: ({ version, arch }) => `dyno-${version}-macos-${arch}.zip`,
    tool: { program: 'ditto', packages: {} },
    make: async ({ app, file }) => mustRun('ditto', ['-c', '-k', '--keepParent', `${app}/Dyno.app`, file]),
  },
  driver: {
    platform: null,
    fileName: ({ version }) => `dyno-driver-${version}.tgz`,
    make: makeDriver,
  },
};

const platforms = { linux: 'linux', windows: 'win32', macos: 'darwin' };

/**
 * The formats that words of the command line ask for: names of formats and of systems. Without words: all that can be
 * made on this system. Throws an error that lists the words for any other one.
 */
export function formatsFor(words, host = process.platform) {
  const known = [...Object.keys(formats), ...Object.keys(platforms)];
  const wrong = words.filter((word) => !known.includes(word));
  if (wrong.length > 0) throw new Error(`There is no package “${wrong.join('”, “')}”. Known are: ${known.join(', ')}.`);
  const wanted = new Set(words.length > 0 ? words : defaultWords(host));
  return Object.entries(formats)
    .filter(([name, { platform }]) => wanted.has(name) || [...wanted].some((word) => platforms[word] === platform))
    .map(([name]) => name);
}

/** Linux makes Windows' packages, too; macOS' need macOS. */
const defaultWords = (host) => [
  ...(host === 'darwin' ? ['macos'] : host === 'win32' ? ['windows'] : ['linux', 'windows']),
  'driver',
];
