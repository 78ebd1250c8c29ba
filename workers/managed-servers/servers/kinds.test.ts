import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { catalog } from '#engines/catalog.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { kindOf, kinds, requireKind } from './kinds.ts';

it('every kind serves the built-in target of its name, of the engine that it says', () => {
  const targets = catalog.flatMap(({ descriptor: { id, builtIn } }) => builtIn.map(({ target }) => [target, id]));
  for (const { id, engine } of kinds) expect(targets).toContainEqual([id, engine]);
  expect(new Set(kinds.map(({ id }) => id)).size).toBe(kinds.length);
});

it('every built-in target of a server has a kind', () => {
  const served = catalog
    .filter(({ descriptor }) => !descriptor.inProcess && !descriptor.reference)
    .flatMap(({ descriptor: { id, builtIn } }) => builtIn.map(({ target }) => [target, id]));
  expect(served.map(([target]) => [target, kindOf(target)?.engine])).toEqual(served);
});

it('finds a kind by its engine, and names them all for a name that is none', () => {
  expect(requireKind('postgres').id).toBe('embedded-postgres');
  expect(() => requireKind('access')).toThrow('access');
});

it('loads no driver with the list of kinds: the shell imports it', async () => {
  const script = `
    const loaded = [];
    require('node:module').registerHooks({
      resolve(name, context, next) {
        const found = next(name, context);
        if (found.url.includes('/node_modules/')) loaded.push(name);
        return found;
      },
    });
    import(${JSON.stringify(new URL('kinds.ts', import.meta.url).href)}).then(() => console.log(JSON.stringify(loaded)));`;
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { env: childEnvironment() });
  expect(JSON.parse(stdout)).toEqual([]);
});
