import { expect, it } from 'vitest';
import { parseFile } from '#rules/parsed-file.ts';
import { mixFor } from './statement-mix.ts';

const { experiment } = parseFile(`dyno: 1
name: Captured
question: Which type has a captured value?
workload: { operation: statement, method: bind }
statements:
  pick: { text: SELECT id FROM orders }
  touch: { text: 'UPDATE orders SET n = n WHERE id = :id AND code = :code' }
transactions:
  open:
    parameters:
      id: { type: captured, from: pick, column: id }
      code: { type: captured, from: pick, column: code, as: text }
    steps: [pick, touch]
targets: [sqlite]
`);

it.each([
  [{ language: 'sql', answersOwnTypes: true } as const, 'own'],
  [{ language: 'sql' } as const, 'integer'],
])('a captured value without `as` has the type of the answer where answers have one: %o', (language, usual) => {
  const choice = { target: 'x', engine: 'x' };
  const { items } = mixFor(experiment!, choice, language, new Map([['open', 1]]), new Map());
  expect(items[0]?.transaction?.specs).toMatchObject({ id: { as: usual }, code: { as: 'text' } });
});
