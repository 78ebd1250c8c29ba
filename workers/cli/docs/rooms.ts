import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { code, markdownTable } from '../file-format/markdown.ts';

/** The project's folder. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** A folder of code with a separate TypeScript project. */
interface Room {
  readonly content: string;
  /** Names of the folders of `workers/` that it may import. */
  readonly imports: readonly string[];
  /** Its sub-folders in layers: each imports only those of earlier layers. */
  readonly folders?: readonly (readonly string[])[];
  /** The only files of a sub-folder that others may import; the last layer may import all files. */
  readonly doors?: Readonly<Record<string, readonly string[]>>;
}

/** The table of rooms.json, by the path of each room. */
export const rooms: Readonly<Record<string, Room>> = JSON.parse(readFileSync(join(root, 'rooms.json'), 'utf8'));

const nameOf = (path: string): string => path.replace('workers/', '');

/** The blocks of docs/architecture.md that list the rooms. */
export const roomBlocks: Readonly<Record<string, () => string>> = {
  rooms: () =>
    markdownTable(
      ['folder', 'content', 'may import'],
      Object.entries(rooms).map(([path, { content, imports }]) => [
        code(nameOf(path)),
        content,
        imports.map(code).join(', ') || '–',
      ]),
    ),
  'sub-folders': () =>
    markdownTable(
      ['folder', 'sub-folders'],
      Object.entries(rooms).flatMap(([path, { folders }]) =>
        folders === undefined ? [] : [[code(nameOf(path)), folders.map((layer) => layer.join(', ')).join(' · ')]],
      ),
    ),
};

const inWorkers = Object.keys(rooms).filter((path) => path.startsWith('workers/'));

/** The references of each project, by the path of its file: the compiler refuses imports of other projects. */
export const references: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(rooms).map(([path, { imports }]) => [
      `${path}/tsconfig.json`,
      imports.map((name) => relative(path, `workers/${name}`)),
    ]),
  ),
  'workers/tsconfig.json': inWorkers.map(nameOf),
  'renderer/tsconfig.tests.json': [
    '.',
    ...(rooms.renderer?.imports ?? []).map((name) => `../workers/${name}`),
    '../workers',
  ],
};

/** The text of a project's file with these references, formatted like Biome's output. */
export function withReferences(text: string, paths: readonly string[]): string {
  const items = paths.map((path) => `{ "path": "${path.replaceAll('\\', '/')}" }`);
  const line = `  "references": [${items.join(', ')}]`;
  const lines = line.length <= 120 ? line : `  "references": [\n    ${items.join(',\n    ')}\n  ]`;
  return text.replace(/ {2}"references": \[[^\]]*\]/, lines);
}
