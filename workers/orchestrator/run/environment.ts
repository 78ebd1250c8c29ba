import { cpus, type as osType, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { catalog } from '#engines/catalog.ts';
import { appVersion, versionIn } from '#platform/app-version.ts';
import { nodeVersions } from '#platform/node-program.ts';
import { projectRoot } from '#platform/paths.ts';
import type { Environment } from '#protocol/journal.ts';

/** Node options of the workers that change what is measured. */
export function runtimeVersions(): Readonly<Record<string, string>> {
  const { node, v8, openssl, sqlite } = nodeVersions();
  return Object.fromEntries(
    Object.entries({ node, v8, openssl, sqlite }).filter((entry): entry is [string, string] => !!entry[1]),
  );
}

/** The runtime of this process: "node 24.21.0", "electron 42.0.0". */
const hostVersion = ({ electron, node } = process.versions): string =>
  electron === undefined ? `node ${node}` : `electron ${electron}`;

/** The runtime, drivers and machine of the workers, for the journal's header. */
export function environmentOf(): Environment {
  const processors = cpus();
  return {
    app: appVersion,
    runtime: runtimeVersions(),
    host: hostVersion(),
    drivers: driverVersions(),
    os: `${osType()} ${release()} ${process.arch}`,
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
  };
}

/** Installed (not requested) versions of the engines' drivers, by their packages. */
export function driverVersions(): Readonly<Record<string, string>> {
  const packages = catalog.flatMap(({ descriptor }) => descriptor.driverPackage ?? []);
  return Object.fromEntries(packages.map((name) => [name, installedVersion(name)]));
}

function installedVersion(name: string): string {
  try {
    return versionIn(join(projectRoot, 'node_modules', ...name.split('/')));
  } catch {
    return 'not installed';
  }
}
