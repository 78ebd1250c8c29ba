import { expect, test } from 'vitest';
import { statementNameProblem } from '#model/statements/statements.ts';
import { nameProblem } from './add-named.tsx';

test('a name that cannot be given has a sentence that says why', () => {
  expect(nameProblem('amount', ['id'])).toBeNull();
  expect(nameProblem('id', ['id'])).toBe('“id” is taken.');
  expect(nameProblem('', ['id'])).toBe('A name is needed here.');
  expect(nameProblem('My column', [])).toBe(
    '“My column” must be a lower-case name of letters, digits and _ (30 at most).',
  );
  expect(nameProblem('look up', [], statementNameProblem)).toMatch(/^“look up” must begin with a letter, .*\)\.$/);
  expect(nameProblem('Look-up', [], statementNameProblem)).toBeNull();
});
