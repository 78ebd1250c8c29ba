import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** A file of the project's code. */
export interface SourceFile {
  /** The path from the project's folder. */
  readonly path: string;
  readonly text: string;
  /** True for tests, their fixtures and benchmarks, which may import everything. */
  readonly isTest: boolean;
}

/** Every file of the code with one of these endings. */
export const sourceFiles = (...endings: readonly string[]): readonly SourceFile[] =>
  ['e2e', 'electron', 'renderer', 'workers']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    )
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({
      path,
      text: readFileSync(join(root, path), 'utf8'),
      isTest: /\.(test|fixture|bench)\.\w+$/.test(path),
    }));

/** The project's own files that a file imports, also as types and at run time, as paths from the project's folder. */
export function importsOf({ path, text }: SourceFile): readonly string[] {
  const specifiers = [...text.matchAll(/(?:from|import|import\()\s*'([#.][^'?]+)/g)].map(
    ([, specifier = '']) => specifier,
  );
  return specifiers
    .map((one) => normalize(one.startsWith('#') ? `workers/${one.slice(1)}` : join(dirname(path), one)))
    .filter((imported) => existsSync(join(root, imported)));
}
