import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { folderBytes } from '../../setup/registry-package.mjs';
import { mustRun } from '../tools.mjs';

const architectures = { x64: 'amd64', arm64: 'arm64' };

/**
 * The libraries that Electron loads (dpkg-shlibdeps names the same), by the names of Debian 12 and of Debian 13 and
 * Ubuntu 24.04.
 */
const depends = [
  'libc6',
  'libgtk-3-0 | libgtk-3-0t64',
  'libnss3',
  'libgbm1',
  'libasound2 | libasound2t64',
  'libx11-xcb1',
];

/** The control file (deb-control(5)). Desktop entries, MIME types and icons are registered by dpkg's triggers. */
export const controlFile = ({ version, description, arch, installedBytes }) => `Package: dyno
Version: ${version.replace('-', '~')}
Architecture: ${architectures[arch]}
Maintainer: The Dyno contributors <dyno@localhost>
Installed-Size: ${Math.ceil(installedBytes / 1024)}
Depends: ${depends.join(', ')}
Recommends: xdg-utils, libsecret-1-0
Section: database
Priority: optional
Description: benchmark of database engines, side by side
${wrapped(description)
  .map((line) => ` ${line}`)
  .join('\n')}
`;

/** Lines of at most 78 characters. */
const wrapped = (text) => text.match(/\S.{0,77}(?=\s|$)/g) ?? [];

/** Makes a .deb of the folder above `tree`; `quick` does not compress it. */
export async function makeDeb({ tree, file, version, description, arch, quick }) {
  const folder = dirname(tree);
  const sandbox = join(tree, 'lib/dyno/chrome-sandbox');
  await mkdir(join(folder, 'DEBIAN'));
  try {
    const control = controlFile({ version, description, arch, installedBytes: folderBytes(tree) });
    await writeFile(join(folder, 'DEBIAN/control'), control);
    // Chromium's sandbox needs this helper where the system denies user namespaces to ordinary programs.
    await chmod(sandbox, 0o4755);
    await mustRun('dpkg-deb', [
      '--root-owner-group',
      ...(quick ? ['-Znone'] : ['-Zzstd', '-z9']),
      '--build',
      folder,
      file,
    ]);
  } finally {
    await chmod(sandbox, 0o755);
    await rm(join(folder, 'DEBIAN'), { recursive: true, force: true });
  }
}
