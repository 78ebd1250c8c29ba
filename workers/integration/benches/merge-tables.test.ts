import { expect, test } from 'vitest';
import { markdownTable } from '#cli/file-format/markdown.ts';
import { mergeTables } from './merge-tables.fixture.ts';

const rates = (...rows: string[][]) => markdownTable(['calls', 'a second'], rows);
const prices = (...rows: string[][]) => markdownTable(['part', 'price'], rows);

test('rows that are measured anew take the place of the old ones, and others stay', () => {
  const old = `${rates(['read | one', '10'], ['write', '20'])}\n\n${prices(['split', '1 %'])}`;
  const fresh = rates(['write', '25'], ['scan', '5'], ['read | one', '11']);
  expect(mergeTables(`\n${old}\n\n`, fresh)).toBe(
    `${rates(['read | one', '11'], ['write', '25'], ['scan', '5'])}\n\n${prices(['split', '1 %'])}`,
  );
});

test('a table that was not there comes last', () => {
  const old = rates(['read', '10']);
  expect(mergeTables(old, prices(['split', '2 %']))).toBe(`${old}\n\n${prices(['split', '2 %'])}`);
  expect(mergeTables('\n', old)).toBe(old);
});
