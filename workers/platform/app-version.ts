import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './paths.ts';

/** The version in the package.json of a folder. Throws where there is none. */
export function versionIn(folder: string): string {
  return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version: string }).version;
}

/** Dyno's own version. */
export const appVersion = versionIn(projectRoot);
