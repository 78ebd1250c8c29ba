import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '#engines/catalog.ts';
import { fileFormatBlocks } from '../file-format/file-format.ts';
import { commandBlocks, findingBlocks } from './command-blocks.ts';
import { engineBlocks } from './engine-blocks.ts';
import { galleryBlocks } from './gallery-blocks.ts';
import { liveSeriesBlocks } from './live-series-blocks.ts';
import { mcpBlocks } from './mcp-blocks.ts';
import { reproducerBlocks } from './reproducer-blocks.ts';
import { references, roomBlocks, root, withReferences } from './rooms.ts';
import { serverBlocks } from './server-blocks.ts';
import { storyBlocks } from './story-blocks.ts';
import { toyEngineBlocks } from './toy-engine-blocks.ts';

const blocks: Readonly<Record<string, () => string>> = {
  ...fileFormatBlocks,
  ...engineBlocks,
  ...galleryBlocks,
  ...commandBlocks,
  ...findingBlocks,
  ...liveSeriesBlocks,
  ...serverBlocks,
  ...storyBlocks,
  ...mcpBlocks,
  ...reproducerBlocks,
  ...roomBlocks,
  ...toyEngineBlocks,
};

interface Generated {
  /** The path from the project's folder. */
  readonly name: string;
  readonly current: string;
  /** The same text with regenerated parts. */
  readonly renewed: string;
}

const read = (name: string): string => readFileSync(join(root, name), 'utf8');

/** TypeScript's project files, before and after adding the references of rooms.json. */
const generatedProjects = (): readonly Generated[] =>
  Object.entries(references).map(([name, paths]) => {
    const current = read(name);
    return { name, current, renewed: withReferences(current, paths) };
  });

/**
 * CONTRIBUTING.md, experiments/README.md, every file of docs/ and every project of TypeScript's, as it is and as it
 * should be: in documents the blocks between `<!-- begin NAME -->` and `<!-- end NAME -->` are generated. Throws for a
 * marker that names no block, and for a block that no document shows.
 */
export function generatedFiles(): readonly Generated[] {
  const shown = new Set<string>();
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  const docs = ['CONTRIBUTING.md', 'experiments/README.md', ...files.map((file) => `docs/${file}`)].map((name) => {
    const current = read(name);
    const complete = name === engineFile ? withAllEngines(current) : current;
    return { name, current, renewed: renew(complete, shown) };
  });
  const missing = Object.keys(blocks).filter((name) => !shown.has(name));
  if (missing.length > 0)
    throw new Error(`No document has the markers <!-- begin ${missing[0]} --> and <!-- end ${missing[0]} -->.`);
  return [...docs, ...generatedProjects()];
}

const engineFile = 'docs/engines.md';

/** The text with a section for every engine without one, to be completed with its gotchas. */
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
