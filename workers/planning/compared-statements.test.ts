import { expect, test } from 'vitest';
import { descriptor } from '#engines/sqlite/descriptor.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { comparedStatements } from './compared-statements.ts';
import { planExperiment } from './plan-experiment.ts';

/** The draws for which a changed text is compared. Null: it is not compared. */
function drawsFor(equal: string): number | null {
  const { plan, diagnostics } = planExperiment(
    parseFile(`
dyno: 1
name: Rewrite
question: Is the rewrite faster?
dataset: { rows: 1000, key: id, columns: { id: { type: sequence } } }
workload: { operation: statement }
statements: { find: { text: 'SELECT id FROM {table} WHERE id >= :id LIMIT 5', parameters: { id: { type: key } } } }
factors:
  text:
    as it is: {}
    rewritten: { statements: { find: { text: 'SELECT id FROM {table} WHERE id > :id - 1 LIMIT 5' } } }
targets: [sqlite]
${equal}
`),
    { catalog: [descriptor] },
  );
  const changed = plan?.variants[1];
  if (!plan || !changed) throw new Error(JSON.stringify(diagnostics));
  return (
    comparedStatements(plan, changed, { target: 'sqlite', engine: 'sqlite' }, descriptor.statements!)?.draws ?? null
  );
}

test.each([
  ['', 100],
  ['equal: { keepRows: true }', 100],
  ['equal: { draws: 7 }', 7],
  ['equal: { draws: 0 }', null],
  ['equal: false', null],
])('a text that a level changes is compared with the draws of “%s”', (equal, draws) => {
  expect(drawsFor(equal)).toBe(draws);
});
