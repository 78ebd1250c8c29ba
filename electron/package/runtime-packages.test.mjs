import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { bundledPackages, copyPackage, isLicence, isNeeded, runtimePackages } from './runtime-packages.mjs';

const linux = { platform: 'linux', arch: 'x64' };
const lock = {
  packages: {
    '': { dependencies: { driver: '1' }, devDependencies: { tool: '1' } },
    'node_modules/driver': {
      version: '1.0.0',
      dependencies: { shared: '2', '@types/shared': '2' },
      optionalDependencies: { 'native-linux': '1', 'native-windows': '1', absent: '1' },
      peerDependencies: { needed: '*', wished: '*' },
      peerDependenciesMeta: { wished: { optional: true } },
    },
    'node_modules/driver/node_modules/shared': { version: '2.0.0', dependencies: { deep: '1' } },
    'node_modules/shared': { version: '1.0.0' },
    'node_modules/@types/shared': { version: '2.0.0' },
    'node_modules/deep': { version: '1.0.0', dependencies: { driver: '1' } },
    'node_modules/needed': { version: '1.0.0' },
    'node_modules/wished': { version: '1.0.0' },
    'node_modules/native-linux': { version: '1.0.0', os: ['linux'], cpu: ['x64'] },
    'node_modules/native-windows': { version: '1.0.0', os: ['win32'], cpu: ['x64'] },
    'node_modules/tool': { version: '1.0.0', dev: true },
    'node_modules/@page/part': { version: '3.0.0', dev: true, license: 'MIT' },
  },
};

describe('the packages at run time', () => {
  it('are those that dependencies need on the system, each where Node finds it', () => {
    const paths = (system) => runtimePackages(lock, ['driver'], system).map(({ path }) => path);
    const common = ['node_modules/deep', 'node_modules/driver', 'node_modules/driver/node_modules/shared'];
    expect(paths(linux)).toEqual([...common, 'node_modules/native-linux', 'node_modules/needed']);
    expect(paths({ platform: 'win32', arch: 'x64' })).toEqual([
      ...common,
      'node_modules/native-windows',
      'node_modules/needed',
    ]);
  });

  it('include those that were bundled', () => {
    const files = ['/p/node_modules/@page/part/dist/a.js', '/p/node_modules/@page/part/b.js', '/p/renderer/main.tsx'];
    expect(bundledPackages(lock, files)).toEqual([
      { path: 'node_modules/@page/part', name: '@page/part', version: '3.0.0', dev: true, license: 'MIT' },
    ]);
    expect(bundledPackages(lock, ['C:\\p\\node_modules\\driver\\node_modules\\shared\\x.js'])[0]).toMatchObject({
      name: 'shared',
      version: '2.0.0',
    });
  });
});

it('omits files that no program loads, and keeps licences', () => {
  const kept = [
    '',
    '/index.js',
    '/package.json',
    '/LICENSE.md',
    '/lib/docs/schema.js',
    '/native/bin/postgres',
    '/native/lib/libpq.so.5',
    '/build/Release/oracledb-26.0.0-linux-x64.node',
    '/600SemiBold',
    '/600SemiBold/Inter_600SemiBold.ttf',
  ];
  const left = [
    '/index.d.ts',
    '/index.js.map',
    '/README.md',
    '/src/index.ts',
    '/test/index.js',
    '/docs/guide.html',
    '/node_modules/other',
    '/700Bold/Inter_700Bold.ttf',
    '/400Regular/Inter_400Regular.ttf.png',
    '/400Regular_Italic/Inter_400Regular_Italic.ttf',
    '/build/Release/oracledb-26.0.0-darwin-arm64.node',
    '/build/Release/oracledb-26.0.0-win32-x64.node-buildinfo.txt',
  ];
  expect(kept.filter((path) => !isNeeded(path, linux))).toEqual([]);
  expect(left.filter((path) => isNeeded(path, linux))).toEqual([]);
});

it.skipIf(process.platform === 'win32')('makes the links that an install script would have made', () => {
  const folder = temporaryFolder();
  const [source, target] = [join(folder, 'source'), join(folder, 'target')];
  mkdirSync(join(source, 'native/lib'), { recursive: true });
  writeFileSync(join(source, 'native/lib/libx.so.6.2'), 'x');
  const link = { source: 'native/lib/libx.so.6.2', target: 'native/lib/libx.so.6' };
  const gone = { source: 'native/lib/liby.so.1', target: 'native/lib/liby.so' };
  writeFileSync(join(source, 'native/pg-symlinks.json'), JSON.stringify([link, link, gone]));
  copyPackage(source, target, linux);
  expect(readlinkSync(join(target, 'native/lib/libx.so.6'))).toBe('libx.so.6.2');
  expect(readFileSync(join(target, 'native/lib/libx.so.6'), 'utf8')).toBe('x');
});

it('knows licences and notices by their names', () => {
  const yes = ['LICENSE', 'LICENCE.txt', 'license-mit', 'COPYING', 'NOTICE.txt', 'THIRD_PARTY_LICENSES.txt'];
  expect(yes.filter((name) => !isLicence(name))).toEqual([]);
  expect(['licenses.js', 'index.js', 'README.md', 'license-checker.ts'].filter((name) => isLicence(name))).toEqual([]);
});

it('lists the font of the window with its licence, because the window imports its style sheet', () => {
  const main = readFileSync(new URL('../../renderer/main.tsx', import.meta.url), 'utf8');
  const sheet = /import '(@fontsource-variable\/[^']+)'/.exec(main)?.[1];
  const whole = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'));
  const found = bundledPackages(whole, [`/build/node_modules/${sheet}`]);
  expect(found).toMatchObject([{ license: 'OFL-1.1' }]);
  const folder = new URL(`../../${found[0].path}`, import.meta.url);
  expect(readdirSync(folder).filter((name) => isLicence(name))).toEqual(['LICENSE']);
});
