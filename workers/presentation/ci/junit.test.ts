import { DOMParser, type Element } from '@xmldom/xmldom';
import { expect, it } from 'vitest';
import { junitXml } from './junit.ts';
import type { TestCase, TestReport } from './test-suite.ts';

const caseOf = (name: string, more: Partial<TestCase> = {}): TestCase => ({
  ...{ name, outcome: 'passed', message: '', details: [], seconds: 1.5, path: [] },
  ...more,
});

const reportOf = (name: string, cases: readonly TestCase[], notes: readonly string[] = []): TestReport => ({
  name,
  startedAt: '2026-11-20T08:00:00.000Z',
  properties: { run: 'r1' },
  suites: [{ name: 'trials', cases, notes }],
});

/** The elements of an XML text by name. An error of the parser ends the test; U+FFFD, of which it warns, is allowed. */
function parsed(xml: string): (name: string) => readonly Element[] {
  const parser = new DOMParser({
    onError: (level, message) => {
      if (level !== 'warning') throw new Error(`${level}: ${message}`);
    },
  });
  const document = parser.parseFromString(xml, 'text/xml');
  return (name) => [...document.getElementsByTagName(name)];
}

it('writes the elements that CI systems read, with their counts', () => {
  const cases = [
    caseOf('bind on a', { details: ['10k rows/s'] }),
    caseOf('bulk on a', { outcome: 'failed', message: 'Slower.', details: ['before 2, after 1'] }),
    caseOf('bulk on b', { outcome: 'error', message: 'It went away.' }),
    caseOf('bulk on c', { outcome: 'skipped', message: 'c has no bulk loader.', seconds: 0 }),
  ];
  expect(junitXml(reportOf('Insert 1.5', cases, ['Data: good.']))).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="Insert 1.5" tests="4" failures="1" errors="1" skipped="1" time="4.500">
<testsuite name="Insert 1.5: trials" tests="4" failures="1" errors="1" skipped="1" time="4.500" timestamp="2026-11-20T08:00:00">
<properties>
<property name="run" value="r1"/></properties>
<testcase classname="Insert 1_5.trials" name="bind on a" time="1.500">
<system-out>10k rows/s</system-out></testcase>
<testcase classname="Insert 1_5.trials" name="bulk on a" time="1.500">
<failure message="Slower.">Slower.
before 2, after 1</failure></testcase>
<testcase classname="Insert 1_5.trials" name="bulk on b" time="1.500">
<error message="It went away.">It went away.</error></testcase>
<testcase classname="Insert 1_5.trials" name="bulk on c" time="0.000">
<skipped message="c has no bulk loader.">c has no bulk loader.</skipped></testcase>
<system-out>Data: good.</system-out></testsuite>
</testsuites>
`);
});

it('stays one document with the same texts, whatever names, messages and servers’ answers hold', () => {
  const hostile = [
    ']]></failure><testcase name="forged"/>',
    '<!--" & \' <!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]> &y;',
    'line\nnext\r\ttab',
    'a\u001b[31mred\u0000\u0008\u000b\u001f\u007f\u0085\u2028',
    'lone \ud800 surrogate, \udc00, \ufffe and \uffff',
    '::error::x',
  ];
  const cases = hostile.map((text, i) =>
    caseOf(`${i} ${text}`, { outcome: i % 2 === 0 ? 'failed' : 'skipped', message: text, details: [text] }),
  );
  const find = parsed(junitXml(reportOf(hostile.join(' '), cases, hostile)));
  expect(find('testcase')).toHaveLength(hostile.length);
  expect([find('failure').length, find('skipped').length]).toEqual([3, 3]);
  const attributes = find('testcase').map((one) => one.getAttribute('name'));
  // Tabs and line ends stay; what XML cannot hold, and what steers a terminal, is replaced.
  expect(attributes.slice(0, 3)).toEqual([`0 ${hostile[0]}`, `1 ${hostile[1]}`, `2 line\nnext\ufffd\ttab`]);
  const all = [...attributes, ...[...find('failure'), ...find('skipped')].map(({ textContent }) => textContent)].join();
  expect(all).toContain('a\ufffd[31mred\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd');
  expect(all).toContain('lone \ufffd surrogate, \ufffd, \ufffd and \ufffd');
  expect(all).not.toMatch(/\p{Cs}/u);
});
