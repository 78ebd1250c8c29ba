import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** The path of an optional package (a platform's binaries); null where it is not installed. */
export function resolvePackage(name: string): string | null {
  try {
    return createRequire(join(projectRoot, 'package.json')).resolve(name);
  } catch {
    return null;
  }
}
