import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './project.mjs';
import { countsOf, failedFiles, testsOfPlaywright, testsOfVitest, withSecondRun } from './test-reports.mjs';

const of = (fullName, status, failureMessages = []) => ({ fullName, status, failureMessages });
const file = (name, status, ...assertionResults) => ({ name: join(root, name), status, assertionResults });

const vitest = testsOfVitest({
  testResults: [
    file(
      'workers/a.test.ts',
      'failed',
      of('a fails', 'failed', ['no', 'not again']),
      of('b wavers', 'passed', ['Error: late\n    at a.test.ts:3:1']),
      of('c', 'passed'),
      of('d', 'pending'),
    ),
    { ...file('workers/b.test.ts', 'failed'), message: 'SyntaxError: unexpected }' },
    file('workers/c.test.ts', 'passed', of('e', 'passed')),
  ],
});

const playwright = testsOfPlaywright({
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
            { file: 'b.e2e.ts', line: 12, title: 'stays', tests: [{ status: 'expected', results: [{}] }] },
          ],
        },
      ],
    },
  ],
});

it('counts and names failed tests, and tests that passed only on the second try', () => {
  expect(countsOf(vitest)).toEqual({
    passed: 3,
    failed: 2,
    skipped: 1,
    failures: [
      'workers/a.test.ts › a fails\n    no\n    not again',
      'workers/b.test.ts\n    SyntaxError: unexpected }',
    ],
    retried: ['workers/a.test.ts › b wavers\n    Error: late\n    at a.test.ts:3:1'],
  });
  expect(countsOf(playwright)).toEqual({
    passed: 2,
    failed: 1,
    skipped: 0,
    failures: ['e2e/a.e2e.ts › line 3, opens'],
    retried: ['e2e/a.e2e.ts › line 9, closes\n    shut'],
  });
});

it('puts the second run of the files that failed in the place of the first, and keeps why they failed', () => {
  expect(failedFiles(vitest)).toEqual(['workers/a.test.ts', 'workers/b.test.ts']);
  const second = testsOfVitest({
    testResults: [
      file('workers/a.test.ts', 'passed', of('a fails', 'passed'), of('b wavers', 'passed'), of('c', 'passed')),
      file('workers/b.test.ts', 'failed', of('f', 'failed', ['still'])),
    ],
  });
  expect(countsOf(withSecondRun(vitest, second))).toEqual({
    passed: 4,
    failed: 1,
    skipped: 0,
    failures: ['workers/b.test.ts › f\n    SyntaxError: unexpected }\n    still'],
    retried: [
      'workers/a.test.ts › a fails\n    no\n    not again',
      'workers/a.test.ts › b wavers\n    Error: late\n    at a.test.ts:3:1',
    ],
  });
});

it('names a test whose file failed as a whole and passed when it was tried again', () => {
  const second = testsOfVitest({
    testResults: [file('workers/b.test.ts', 'passed', of('f', 'passed'), of('g', 'passed'))],
  });
  expect(countsOf(withSecondRun(vitest, second)).retried).toContain(
    'workers/b.test.ts › f\n    SyntaxError: unexpected }',
  );
});
