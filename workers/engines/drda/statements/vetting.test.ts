import { expect, test } from 'vitest';
import { vet } from './vetting.ts';

const routine = (word: string) =>
  `CREATE PROCEDURE P(A VARCHAR(9)) LANGUAGE JAVA PARAMETER STYLE JAVA ${word} NAME 'java.lang.System.load'`;

test.each([
  'EXTERNAL',
  'external',
  'DYNAMIC RESULT SETS 0EXTERNAL',
  'DYNAMIC RESULT SETS 1.5external',
  '/* a */EXTERNAL/* b */',
  '-- a\nEXTERNAL--b\n',
  '"x"EXTERNAL',
  "'x'External",
  '\\u0045XTERNAL',
  '\\uu0045xternal',
  'ＥＸＴＥＲＮＡＬ',
  ')EXTERNAL',
  '\u00a0EXTERNAL',
])('a routine of Java’s is refused where its word is written as %s', (word) => {
  expect(() => vet(routine(word))).toThrow(/EXTERNAL reaches beyond tables/);
});

test.each(['CREATE DIſKSTORE a', 'CREATE 0DISKSTORE a', 'CREATE DıSKSTORE a', 'ALTER TABLE t SET 1GATEWAYSENDER (x)'])(
  '%s is refused',
  (text) => {
    expect(() => vet(text)).toThrow(/reaches beyond tables/);
  },
);

test.each([
  'CREATE TABLE t (external_id INTEGER, is_external CHAR(1))',
  'SELECT external FROM t',
  'CREATE INDEX i ON t (a)',
])('%s is taken', (text) => {
  expect(() => vet(text)).not.toThrow();
});
