import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, expect, test } from 'vitest';
import { catalog } from './catalog.ts';

/** Every engine has these files, so that a reader finds the same thing under the same name. */
const common = [
  'catalog-entry.ts',
  'config.ts',
  'conformance.test.ts',
  'descriptor.ts',
  'engine.ts',
  'session.ts',
  'test-server.fixture.ts',
];
const root = import.meta.dirname;

/** The files of this folder that a source file imports, as paths from this folder. */
function importsOf(file: string): readonly string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const specifiers = [...source.matchAll(/(?:from|import|import\()\s*'(\.[^']+)'/g)].map(([, specifier]) => specifier!);
  return specifiers
    .map((specifier) => relative(root, join(root, dirname(file), specifier)))
    .filter((path) => !path.startsWith('..'));
}

describe.each(catalog.map(({ descriptor }) => descriptor.id))('the folder of %s', (id) => {
  const files = readdirSync(join(root, id), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );

  test('has the files that every engine has', () => {
    expect(files).toEqual(expect.arrayContaining(common));
  });

  test('imports no other engine, and outside of tests nothing but itself and shared/', () => {
    const others = catalog.map(({ descriptor }) => descriptor.id).filter((other) => other !== id);
    for (const name of files) {
      const isTest = /\.(test|fixture|bench)\.ts$/.test(name);
      for (const imported of importsOf(join(id, name))) {
        const [folder] = imported.split(sep);
        if (isTest) expect(others, `${name} imports ${imported}`).not.toContain(folder);
        else expect([id, 'shared'], `${name} imports ${imported}`).toContain(folder);
      }
    }
  });
});
