import { expect, it } from 'vitest';
import { formats, formatsFor } from './formats.mjs';
import { controlFile } from './linux/deb.mjs';
import { specFile } from './linux/rpm.mjs';

it('makes on Linux all packages of Linux and Windows, and the driver, unless words name others', () => {
  expect(formatsFor([], 'linux')).toEqual(['deb', 'rpm', 'tar', 'run', 'zip', 'nsis', 'driver']);
  expect(formatsFor([], 'darwin')).toEqual(['mac-zip', 'driver']);
  expect(formatsFor(['windows'], 'linux')).toEqual(['zip', 'nsis']);
  expect(formatsFor(['rpm', 'deb'], 'linux')).toEqual(['deb', 'rpm']);
  expect(() => formatsFor(['snap'], 'linux')).toThrow(/no package “snap”. Known are: deb, rpm/);
});

it('names files as the systems do', () => {
  const about = { version: '0.1.0', arch: 'x64' };
  expect(Object.values(formats).map(({ fileName }) => fileName(about))).toEqual([
    'dyno_0.1.0_amd64.deb',
    'dyno-0.1.0-1.x86_64.rpm',
    'dyno-0.1.0-linux-x64.tar.gz',
    'dyno-0.1.0-linux-x64.run',
    'dyno-0.1.0-windows-x64.zip',
    'dyno-0.1.0-windows-x64-setup.exe',
    'dyno-0.1.0-macos-x64.zip',
    'dyno-driver-0.1.0.tgz',
  ]);
});

it('describes the .deb and the .rpm', () => {
  const about = {
    version: '0.2.0-beta.1',
    description: 'A word '.repeat(30).trim(),
    arch: 'x64',
    installedBytes: 2_050,
  };
  const control = controlFile(about);
  expect(control).toContain('Version: 0.2.0~beta.1\nArchitecture: amd64\n');
  expect(control).toContain('Installed-Size: 3\n');
  // Lines after the first of Description begin with a space (deb-control(5)).
  const [, ...lines] = control.slice(control.indexOf('Description:')).trimEnd().split('\n');
  expect(lines.every((line) => /^ \S.{0,77}$/.test(line))).toBe(true);
  expect(lines.map((line) => line.slice(1)).join(' ')).toBe(about.description);
  const spec = specFile({ ...about, tree: '/a b/usr' });
  expect(spec).toContain('Version: 0.2.0~beta.1\n');
  expect(spec).toContain('cp -a "/a b/usr" %{buildroot}/usr');
});
