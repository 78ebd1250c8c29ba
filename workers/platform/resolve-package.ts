import { createRequire } from 'node:module';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** Whether an optional package (a platform's binaries) can be loaded. */
export function resolvePackage(name: string): string | null {
  try {
    return createRequire(join(projectRoot, 'package.json')).resolve(name);
  } catch {
    return null;
  }
}
