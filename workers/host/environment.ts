import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, type as osType, release, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '#contract/journal.ts';
import { projectRoot } from './paths.ts';

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
};

export const appVersion = manifest.version;

/** The parts of process.versions that change what is measured. */
export function runtimeVersions(): Readonly<Record<string, string>> {
  const { node, v8, electron, openssl, sqlite } = process.versions;
  return Object.fromEntries(
    Object.entries({ node, v8, electron, openssl, sqlite }).filter((entry): entry is [string, string] => !!entry[1]),
  );
}

/** What runs the workers and on what; for the journal's header. */
export function describeEnvironment(): Environment {
  const processors = cpus();
  return {
    app: appVersion,
    runtime: runtimeVersions(),
    drivers: installedVersions(),
    os: `${osType()} ${release()} ${process.arch}`,
    cpu: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryBytes: totalmem(),
  };
}

/** Versions as installed (not as asked for) of every run-time dependency. */
function installedVersions(): Readonly<Record<string, string>> {
  const versions: Record<string, string> = {};
  for (const name of Object.keys(manifest.dependencies)) {
    try {
      const text = readFileSync(join(projectRoot, 'node_modules', ...name.split('/'), 'package.json'), 'utf8');
      versions[name] = (JSON.parse(text) as { version: string }).version;
    } catch {
      versions[name] = 'not installed';
    }
  }
  return versions;
}

/** Whether an optional package (a platform's binaries) can be loaded. */
export function resolvePackage(name: string): string | null {
  try {
    return createRequire(join(projectRoot, 'package.json')).resolve(name);
  } catch {
    return null;
  }
}
