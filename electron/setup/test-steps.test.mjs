import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './project.mjs';
import { add, namesOf, playwrightNames, tableOfNotRun, vitestNames } from './test-steps.mjs';

const of = (fullName, status, failureMessages = []) => ({ fullName, status, failureMessages });

it('names the tests that failed, and those that passed only when they were tried again', () => {
  const vitest = vitestNames({
    testResults: [
      {
        name: join(root, 'workers/a.test.ts'),
        status: 'failed',
        assertionResults: [
          of('a fails', 'failed', ['no', 'not again']),
          of('b wavers', 'passed', ['Error: late\n    at a.test.ts:3:1']),
          of('c', 'passed'),
        ],
      },
      { name: join(root, 'workers/b.test.ts'), status: 'failed', assertionResults: [] },
    ],
  });
  const playwright = playwrightNames({
    suites: [
      {
        specs: [{ file: 'a.e2e.ts', line: 3, title: 'opens', tests: [{ status: 'unexpected', results: [{}] }] }],
        suites: [
          {
            specs: [
              {
                file: 'a.e2e.ts',
                line: 9,
                title: 'closes',
                tests: [{ status: 'flaky', results: [{ error: { message: '\u001b[31mshut\u001b[39m' } }, {}] }],
              },
              { file: 'a.e2e.ts', line: 12, title: 'stays', tests: [{ status: 'expected', results: [{}] }] },
            ],
          },
        ],
      },
    ],
  });
  const sum = add(add({}, { passed: 2, failed: 2, ...vitest }), { passed: 2, failed: 1, ...playwright });
  expect(sum).toMatchObject({ passed: 4, failed: 3, skipped: 0 });
  expect(namesOf(sum)).toEqual([
    'Failed:',
    '  workers/a.test.ts › a fails\n    no\n    not again',
    '  workers/b.test.ts',
    '  e2e/a.e2e.ts:3 › opens',
    'Passed only when tried again:',
    '  workers/a.test.ts › b wavers\n    Error: late\n    at a.test.ts:3:1',
    '  e2e/a.e2e.ts:9 › closes\n    shut',
  ]);
  expect(namesOf(add({}, { passed: 1 }))).toEqual([]);
});

it('closes with a table of what was not run, why, and which command adds it', () => {
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
