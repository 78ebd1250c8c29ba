import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/paths.ts';
import { journalVersion } from '#protocol/journal.ts';

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { readonly version: string };

/** What coordinator and agents have in common: Dyno's version, and that of the records that workers fill. */
export const loadHostVersion = `${version} (records ${journalVersion})`;
