import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog } from '#engines/catalog.ts';
import { commandBlocks, findingBlocks } from './command-blocks.ts';
import { engineBlocks } from './engine-blocks.ts';
import { fileFormatBlocks } from './file-format.ts';
import { serverBlocks } from './server-blocks.ts';

/** The project's folder. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

const blocks: Readonly<Record<string, () => string>> = {
  ...fileFormatBlocks,
  ...engineBlocks,
  ...commandBlocks,
  ...findingBlocks,
  ...serverBlocks,
};

interface GeneratedDoc {
  /** Absolute path. */
  readonly path: string;
  readonly name: string;
  readonly current: string;
  /** The same text with every block between `<!-- begin NAME -->` and `<!-- end NAME -->` made anew. */
  readonly renewed: string;
}

/**
 * Every file of docs/ as it is and as it should be. Throws for a marker that names no block, and for a block that no
 * file shows.
 */
export function generatedDocs(): readonly GeneratedDoc[] {
  const folder = join(root, 'docs');
  const shown = new Set<string>();
  const docs = readdirSync(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => {
      const path = join(folder, name);
      const current = readFileSync(path, 'utf8');
      const complete = name === engineFile ? withAllEngines(current) : current;
      return { path, name, current, renewed: renew(complete, shown) };
    });
  const missing = Object.keys(blocks).filter((name) => !shown.has(name));
  if (missing.length > 0)
    throw new Error(`No file of docs/ has the markers <!-- begin ${missing[0]} --> and <!-- end ${missing[0]} -->.`);
  return docs;
}

const engineFile = 'engines.md';

/** The text with a section for every engine that has none yet, for its gotchas to be written into. */
const withAllEngines = (text: string): string =>
  catalog
    .filter(({ descriptor }) => !text.includes(`<!-- begin engine ${descriptor.id} -->`))
    .reduce(
      (all, { descriptor: { id, label } }) =>
        `${all}\n## ${label}\n\n<!-- begin engine ${id} -->\n<!-- end engine ${id} -->\n`,
      text,
    );

const renew = (text: string, shown: Set<string>): string =>
  text.replaceAll(/<!-- begin (.+?) -->\n[\s\S]*?<!-- end \1 -->/g, (_, name: string) => {
    const block = blocks[name];
    if (!block) throw new Error(`There is no generated block “${name}”. There are: ${Object.keys(blocks).join(', ')}.`);
    shown.add(name);
    return `<!-- begin ${name} -->\n\n${block()}\n\n<!-- end ${name} -->`;
  });
