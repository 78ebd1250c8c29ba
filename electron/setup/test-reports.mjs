import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from './project.mjs';

/**
 * The results of a runner's JSON report, in one form for Vitest and Playwright: `{ file, name, status: 'passed' |
 * 'failed' | 'skipped', messages }`, with the message of each failed try. A file that failed as a whole is one failed
 * test without a name.
 */
export function testsOfVitest(report) {
  return (report?.testResults ?? []).flatMap(({ name: path, status, message, assertionResults }) => {
    const file = relative(root, path);
    const tests = assertionResults.map((one) => ({
      file,
      name: one.fullName,
      status: one.status === 'passed' || one.status === 'failed' ? one.status : 'skipped',
      messages: one.failureMessages ?? [],
    }));
    const failedAsFile = status === 'failed' && !tests.some((test) => test.status === 'failed');
    return failedAsFile ? [...tests, { file, name: '', status: 'failed', messages: [message] }] : tests;
  });
}

export function testsOfPlaywright(report) {
  const specs = (suites = []) => suites.flatMap((suite) => [...(suite.specs ?? []), ...specs(suite.suites)]);
  const statuses = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' };
  return specs(report?.suites).flatMap(({ file, line, title, tests }) =>
    tests.map(({ status, results }) => ({
      file: `e2e/${file}`,
      name: `line ${line}, ${title}`,
      status: statuses[status],
      messages: results.flatMap(({ error }) => (error ? [error.message] : [])),
    })),
  );
}

/** Files with a failed test, each once. */
export const failedFiles = (tests) => [
  ...new Set(tests.filter(({ status }) => status === 'failed').map(({ file }) => file)),
];

/**
 * The tests of a first run, with those of the files that ran again in their place. A test that failed first keeps the
 * messages of its failure, so that it is named even though it then passed; so does the first test of a file that failed
 * as a whole.
 */
export function withSecondRun(first, second) {
  const again = new Set(second.map(({ file }) => file));
  const before = new Map(first.map((test) => [nameOf(test), test.messages]));
  const files = new Set();
  return [
    ...first.filter(({ file }) => !again.has(file)),
    ...second.map((test) => {
      const ofFile = files.has(test.file) ? [] : (before.get(test.file) ?? []);
      files.add(test.file);
      const own = test.name === '' ? [] : (before.get(nameOf(test)) ?? []);
      return { ...test, messages: [...ofFile, ...own, ...test.messages] };
    }),
  ];
}

/** Counts of tests, with the names of failed tests and of tests that passed only on the second try. */
export function countsOf(tests) {
  const count = (wanted) => tests.filter(({ status }) => status === wanted).length;
  return {
    passed: count('passed'),
    failed: count('failed'),
    skipped: count('skipped'),
    failures: tests.filter(({ status }) => status === 'failed').map(nameWithReasons),
    retried: tests.filter(({ status, messages }) => status === 'passed' && messages.length > 0).map(nameWithReasons),
  };
}

const nameOf = ({ file, name }) => (name === '' ? file : `${file} › ${name}`);

/** The name, followed by the first lines of each failure. */
function nameWithReasons(test) {
  const lines = test.messages.flatMap((message = '') =>
    stripVTControlCharacters(message)
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .slice(0, 3),
  );
  return [nameOf(test), ...lines].join('\n    ');
}
