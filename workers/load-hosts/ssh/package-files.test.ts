import { expect, test } from 'vitest';
import { packageFiles, withDependencies } from './package-files.ts';

test('an agent gets the drivers of its engines, with all that they depend on, and no others', () => {
  const files = packageFiles(['postgres']);
  expect(files).toEqual(
    expect.arrayContaining(['package.json', 'workers', 'node_modules/pg', 'node_modules/pg-protocol']),
  );
  expect(files.filter((path) => /ravendb|mongodb|tedious|typescript|electron/.test(path))).toEqual([]);
});

test('dependencies are found where Node would find them', () => {
  const packages = {
    'node_modules/a': { dependencies: { b: '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/b': {},
    'node_modules/c': { dependencies: { a: '1' } },
  };
  expect(withDependencies(packages, ['a'])).toEqual(['node_modules/a', 'node_modules/c']);
  expect(withDependencies(packages, ['b'])).toEqual(['node_modules/b']);
});
