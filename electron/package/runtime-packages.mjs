import { cpSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/**
 * The packages of a lock file that these packages need at run time on a platform, as the lock file's records with their
 * `path` and `name`, sorted by path.
 */
export function runtimePackages(lock, names, { platform, arch }) {
  const found = new Map();
  const visit = (name, from) => {
    const path = resolvedPath(lock.packages, name, from);
    const record = path === null ? null : lock.packages[path];
    if (record === null || found.has(path) || !isFor(record, platform, arch) || onlyBuilds.test(name)) return;
    found.set(path, { ...record, path, name });
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta = {} } = record;
    const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta[peer]?.optional);
    for (const needed of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) visit(needed, path);
  };
  for (const name of names) visit(name, '');
  return [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Dependencies of drivers that no program loads: types, and RavenDB's bundler. */
const onlyBuilds = /^(@types\/.*|undici-types|@rollup\/.*)$/;

/** Finds a package like Node: in the nearest node_modules at or above the requesting package. */
function resolvedPath(packages, name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`;
    if (path in packages) return path;
    if (at === '') return null;
  }
}

const isFor = ({ os, cpu }, platform, arch) => (os?.includes(platform) ?? true) && (cpu?.includes(arch) ?? true);

/** The packages of a lock file whose modules were bundled. */
export function bundledPackages(lock, files) {
  const paths = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file.replaceAll('\\', '/'))?.[0]);
  const relative = new Set(paths.filter(Boolean).map((path) => path.slice(path.indexOf('node_modules/'))));
  return [...relative]
    .filter((path) => path in lock.packages)
    .sort()
    .map((path) => ({ ...lock.packages[path], path, name: nameIn(path) }));
}

const nameIn = (path) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

/** Copies a package from `source`, without nested packages and without files for developers. */
export function copyPackage(source, target, { platform, arch }) {
  cpSync(source, target, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => isNeeded(path.slice(source.length).replaceAll('\\', '/'), { platform, arch }),
  });
  addLinks(target);
}

/**
 * npm's archives hold no links, so PostgreSQL's package lists those of its libraries for its install script, which npm
 * does not run everywhere.
 */
function addLinks(folder) {
  const list = join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    const link = join(folder, target);
    if (existsSync(link) || !existsSync(join(folder, source))) continue;
    symlinkSync(relative(dirname(link), join(folder, source)), link);
  }
}

/** False for files of a package that no program loads: sources, types, source maps, prose, other systems' binaries. */
export function isNeeded(path, { platform, arch }) {
  if (/\/node_modules(\/|$)/.test(path)) return false;
  const name = basename(path);
  if (isLicence(name)) return true;
  if (/\.(map|[cm]?tsx?|flow|md|markdown|tsbuildinfo|a)$/i.test(name)) return false;
  // Reports need two of the eighteen weights of their font.
  if (/^\/[1-9]00[A-Z]/.test(path)) return /^\/(400Regular|600SemiBold)(\/[^/]*\.ttf)?$/.test(path);
  if (/^\/(\.github|examples?|docs?|tests?|__tests__|benchmarks?|coverage)(\/|$)/.test(path)) return false;
  // oracledb has the binaries of all systems in one folder.
  return !/-(darwin|linux|win32)-(x64|arm64)\.node/.test(name) || name.includes(`-${platform}-${arch}.node`);
}

/** True for the names of licences and notices. */
export const isLicence = (name) =>
  /^(licen[cs]es?|copying|notices?|third[_-]party)([-_.].*)?$/i.test(name) && !/\.(map|[cm]?[jt]sx?|json)$/i.test(name);
