import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = new URL('./', import.meta.url);
const modules = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) =>
    name.endsWith('.mjs') &&
    !name.endsWith('.test.mjs') &&
    /^export /m.test(readFileSync(new URL(name, folder), 'utf8')),
);

// `npm test` sets npm_node_execpath to the Node of the user, which may be as old as 20.
test('the set-up is loaded by the Node that started the tests', async () => {
  expect(modules.length).toBeGreaterThan(10);
  const imports = modules.map((name) => `await import(${JSON.stringify(new URL(name, folder).href)});`);
  const node = process.env.npm_node_execpath ?? process.execPath;
  const { stderr } = await promisify(execFile)(node, ['--input-type=module', '--eval', imports.join('\n')]);
  expect(stderr).toBe('');
});
