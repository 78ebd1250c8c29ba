import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { codeBlock } from '../file-format/markdown.ts';

const file = fileURLToPath(new URL('../../engines/conformance/toy/toy-engine.fixture.ts', import.meta.url));

/** The paragraph of the toy engine's source that declares a name. */
function part(name: string): string {
  const declares = new RegExp(`^(?:export )?(?:const|function) ${name}\\b`, 'm');
  const found = readFileSync(file, 'utf8')
    .split('\n\n')
    .find((paragraph) => declares.test(paragraph));
  if (found === undefined) throw new Error(`${file} declares no ${name}.`);
  return codeBlock(found, 'ts');
}

/** The blocks of CONTRIBUTING.md that show the toy engine, each under the name that it declares. */
export const toyEngineBlocks: Readonly<Record<string, () => string>> = Object.fromEntries(
  ['descriptor', 'config', 'rowsOf', 'openSession', 'database', 'engine'].map((name) => [
    `toy engine: ${name}`,
    () => part(name),
  ]),
);
