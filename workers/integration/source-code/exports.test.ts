import { expect, test } from 'vitest';
import { importsOf, type SourceFile, sourceFiles } from './source-files.fixture.ts';

/** The names that a file exports. */
const exportsOf = ({ text }: SourceFile): readonly string[] =>
  [...text.matchAll(/^export (?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm)].map(
    ([, name = '']) => name,
  );

/** True if a file that imports from another one imports this name of it, or all of it. */
function uses(user: SourceFile, path: string, name: string): boolean {
  const base = path.slice(path.lastIndexOf('/') + 1);
  const statements = user.text.matchAll(/\b(?:import|export)\b([^;'"]*?)\(?\s*'([^']*)'/g);
  return [...statements].some(([, names = '', from = '']) => {
    if (!from.endsWith(base)) return false;
    return !names.includes('{') || new RegExp(`\\b${name}\\b`).test(names);
  });
}

/**
 * True for exports that are used without their name: engines are loaded by id, and the compiler writes the type of a
 * store into the declarations of its users.
 */
const isUsedUnnamed = (path: string, name: string): boolean =>
  /^workers\/engines\/\w+\/engine\.ts$/.test(path) || `${path} ${name}` === 'renderer/state/store.ts Store';

test('every export is used by another file', () => {
  const files = sourceFiles('.ts', '.tsx', '.mjs');
  const users = new Map<string, SourceFile[]>();
  for (const file of files) for (const path of importsOf(file)) users.set(path, [...(users.get(path) ?? []), file]);
  const unused = files.flatMap((file) =>
    exportsOf(file)
      .filter((name) => !isUsedUnnamed(file.path, name))
      .filter((name) => !(users.get(file.path) ?? []).some((user) => uses(user, file.path, name)))
      .map((name) => `${file.path}: ${name}`),
  );
  expect(files.flatMap(exportsOf).length).toBeGreaterThan(3_000);
  expect(unused).toEqual([]);
});
