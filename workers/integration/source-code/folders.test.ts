import { expect, test } from 'vitest';
import { importsOf, sourceFiles } from './source-files.fixture.ts';

/** An import between files of two sibling folders. */
interface Import {
  readonly from: string;
  readonly to: string;
  readonly text: string;
}

/** The imports between the folders within each folder, by the path of that folder. */
function importsBetweenFolders(): ReadonlyMap<string, readonly Import[]> {
  const found = new Map<string, Import[]>();
  for (const file of sourceFiles('.ts', '.tsx', '.mjs').filter(({ isTest }) => !isTest))
    for (const imported of importsOf(file)) {
      const [a, b] = [file.path.split('/'), imported.split('/')];
      const common = a.findIndex((name, i) => name !== b[i]);
      // Files of the parent folder combine its folders, or are shared by them.
      if (common === a.length - 1 || common === b.length - 1) continue;
      const parent = a.slice(0, common).join('/');
      const one = { from: a[common]!, to: b[common]!, text: `${file.path} imports ${imported}` };
      found.set(parent, [...(found.get(parent) ?? []), one]);
    }
  return found;
}

/** The imports on cycles: folders without imports, or without importers, are removed repeatedly. */
function onCycles(imports: readonly Import[]): readonly Import[] {
  const left = imports.filter(
    ({ from, to }) => imports.some((one) => one.from === to) && imports.some((one) => one.to === from),
  );
  return left.length === imports.length ? left : onCycles(left);
}

test('no folder imports a folder beside it that imports it in turn, also by way of others', () => {
  const all = [...importsBetweenFolders().values()];
  expect(all.flat().length).toBeGreaterThan(1_000);
  expect(all.flatMap(onCycles).map(({ text }) => text)).toEqual([]);
});
