import { expect, it } from 'vitest';
import { githubAnnotations } from './github-annotations.ts';
import type { TestCase, TestReport } from './test-suite.ts';

const caseOf = (more: Partial<TestCase>): TestCase => ({
  ...{ name: 'a cell', outcome: 'failed', message: 'Slower.', details: [], seconds: 1, path: ['workload'] },
  ...more,
});

const reportOf = (...cases: readonly TestCase[]): TestReport => ({
  name: 'Insert duel',
  startedAt: '2026-11-20T08:00:00.000Z',
  properties: {},
  suites: [{ name: 'gate', cases, notes: [] }],
});

it('names failed and undecided cases with their place, and nothing else', () => {
  const report = reportOf(
    caseOf({ details: ['before 2', 'after 1'] }),
    caseOf({ outcome: 'error' }),
    caseOf({ outcome: 'skipped', isOpen: true, message: 'Not shown.' }),
    caseOf({ outcome: 'skipped' }),
    caseOf({ outcome: 'passed' }),
  );
  expect(githubAnnotations(report, ([key]) => ({ file: `${key}.yaml`, line: 7 }))).toEqual([
    '::error title=Insert duel%2C gate%3A a cell,file=workload.yaml,line=7::Slower.%0Abefore 2%0Aafter 1',
    '::error title=Insert duel%2C gate%3A a cell,file=workload.yaml,line=7::Slower.',
    '::warning title=Insert duel%2C gate%3A a cell,file=workload.yaml,line=7::Not shown.',
  ]);
  expect(githubAnnotations(report)[0]).toMatch(/^::error title=[^,]*::Slower\./);
});

it('writes one command a line, whatever names and messages hold', () => {
  const hostile = '100 %\n::set-output name=x::y\r\n::error file=/etc/passwd,line=1::z\u2028\u001b[2K,:';
  const [line, ...others] = githubAnnotations(reportOf(caseOf({ name: hostile, message: hostile })), () => ({
    file: hostile,
    line: 1,
  }));
  expect(others).toEqual([]);
  expect(line).not.toMatch(/\p{Cc}|\u2028/u);
  const [, properties = '', message] = /^::error (.*?)::(.*)$/.exec(line ?? '') ?? [];
  expect(properties.split(',').map((one) => one.split('=')[0])).toEqual(['title', 'file', 'line']);
  expect(message).toBe('100 %25 ::set-output name=x::y ::error file=/etc/passwd,line=1::z [2K,:');
});

it('keeps to the number of annotations that GitHub shows, and counts the rest', () => {
  const lines = githubAnnotations(reportOf(...Array.from({ length: 30 }, () => caseOf({}))));
  expect(lines).toHaveLength(10);
  expect(lines.at(-1)).toBe('::error title=Insert duel::21 more, which the summary lists.');
});
