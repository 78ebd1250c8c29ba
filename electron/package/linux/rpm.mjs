import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mustRun } from '../tools.mjs';

const architectures = { x64: 'x86_64', arm64: 'aarch64' };

/** Libraries by their sonames, because the distributions name the packages differently. */
const libraries = ['libgtk-3.so.0', 'libgbm.so.1', 'libasound.so.2', 'libX11-xcb.so.1'];
const requires = [...libraries.map((name) => `${name}()(64bit)`), 'libnss3.so()(64bit)'];

/** The spec file: it packs a finished tree, so nothing is stripped, scanned or compiled. */
export const specFile = ({ version, description, tree }) => `%global __os_install_post %{nil}
%global debug_package %{nil}
%global _build_id_links none
%define _binary_payload w9.zstdio

Name: dyno
Version: ${version.replace('-', '~')}
Release: 1
Summary: Benchmark of database engines, side by side
License: MIT
Group: Applications/Databases
Requires: ${requires.join(', ')}
AutoReqProv: no

%description
${description}

%install
mkdir -p %{buildroot}
cp -a "${tree}" %{buildroot}/usr

%files
%defattr(-, root, root, -)
/usr/bin/dyno
/usr/lib/dyno
%attr(4755, root, root) /usr/lib/dyno/chrome-sandbox
/usr/share/applications/dyno.desktop
/usr/share/mime/packages/dyno.xml
/usr/share/icons/hicolor/*/apps/dyno.*
/usr/share/doc/dyno
`;

/** Makes a .rpm of the tree. It has no scriptlets: the systems' file triggers register desktop entry and MIME types. */
export async function makeRpm({ tree, file, version, description, arch }) {
  const work = await mkdtemp(join(dirname(dirname(tree)), 'rpm-'));
  try {
    await writeFile(join(work, 'dyno.spec'), specFile({ version, description, tree }));
    const target = `${architectures[arch]}-none-linux`;
    await mustRun('rpmbuild', ['-bb', join(work, 'dyno.spec'), '--target', target, '--define', `_topdir ${work}`]);
    const folder = join(work, 'RPMS', architectures[arch]);
    const [made] = await readdir(folder);
    await mkdir(dirname(file), { recursive: true });
    await rename(join(folder, made), file);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
