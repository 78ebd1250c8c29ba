import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { root } from './project.mjs';
import { add, namesOf, tableOfNotRun, unknownParts } from './test-steps.mjs';

it('adds up the steps and names failed tests, and tests that passed only on the second try', () => {
  const sum = add(add({}, { passed: 2, failed: 1, failures: ['a'] }), {
    passed: 2,
    failed: 1,
    failures: ['b'],
    retried: ['c'],
  });
  expect(sum).toMatchObject({ passed: 4, failed: 2, skipped: 0 });
  expect(namesOf(sum)).toEqual(['Failed:', '  a', '  b', 'Passed only when tried again:', '  c']);
  expect(namesOf(add({}, { passed: 1 }))).toEqual([]);
});

it('closes with a table of skipped parts, with reasons and the commands that add them', () => {
  const sum = add(add({}, { skipped: 1, notRun: [{ part: 'mysql', reason: 'No MariaDB.', fix: 'apt\nor URL' }] }), {
    skipped: 1,
    notRun: [{ part: 'e2e', reason: 'No sandbox here.', fix: 'sysctl' }],
  });
  expect(tableOfNotRun(sum)).toEqual([
    'Not run here  Why               Which command adds it',
    'mysql         No MariaDB.       apt',
    '                                or URL',
    'e2e           No sandbox here.  sysctl',
  ]);
  expect(tableOfNotRun(add({}, { passed: 1 }))).toEqual([]);
});

it('knows each part that CI requires, and no other names', () => {
  const [, names = ''] = readFileSync(`${root}/.ci/run`, 'utf8').match(/^DYNO_REQUIRE=(\S+) /m) ?? [];
  expect(names).toContain('postgres');
  expect(unknownParts(names.split(','))).toEqual([]);
  expect(unknownParts(['derby', 'postgres@17', 'noSuchPart'])).toEqual(['derby', 'noSuchPart']);
});
