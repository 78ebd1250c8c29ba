import { DOMImplementation, type Element, XMLSerializer } from '@xmldom/xmldom';
import { printable } from '#model/text/printable.ts';
import type { TestCase, TestReport, TestSuite } from './test-suite.ts';

/**
 * Writes JUnit XML, with the elements and attributes that Jenkins, GitLab and the actions of GitHub read alike: a test
 * case fails with `failure`, could not be measured with `error`, and is open with `skipped`. The library writes the
 * XML, and throws for text that XML cannot hold.
 */
export function junitXml(report: TestReport): string {
  const document = new DOMImplementation().createDocument(null, 'testsuites');
  const root = document.documentElement!;
  const write: Write = (parent, name, attributes, text) => {
    parent.appendChild(document.createTextNode('\n'));
    const element = document.createElement(name);
    parent.appendChild(element);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, xmlText(String(value)));
    if (text !== undefined) element.appendChild(document.createTextNode(xmlText(text)));
    return element;
  };
  const cases = report.suites.flatMap((suite) => suite.cases);
  for (const [key, value] of Object.entries({ name: report.name, ...countsOf(cases) }))
    root.setAttribute(key, xmlText(String(value)));
  for (const suite of report.suites) addSuite(write, root, report, suite);
  root.appendChild(document.createTextNode('\n'));
  const xml = new XMLSerializer().serializeToString(document, { requireWellFormed: true });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${xml}\n`;
}

type Write = (
  parent: Element,
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
) => Element;

function addSuite(write: Write, root: Element, { name, startedAt, properties }: TestReport, suite: TestSuite): void {
  const element = write(root, 'testsuite', {
    name: `${name}: ${suite.name}`,
    ...countsOf(suite.cases),
    // The schema of the format has no time zone, so that the time is UTC.
    timestamp: startedAt.slice(0, 19),
  });
  const list = write(element, 'properties', {});
  for (const [key, value] of Object.entries(properties)) write(list, 'property', { name: key, value });
  for (const one of suite.cases) addCase(write, element, `${className(name)}.${className(suite.name)}`, one);
  if (suite.notes.length > 0) write(element, 'system-out', {}, suite.notes.join('\n'));
}

function addCase(write: Write, suite: Element, classname: string, one: TestCase): void {
  const element = write(suite, 'testcase', { classname, name: one.name, time: one.seconds.toFixed(3) });
  const { message, details } = one;
  // GitLab shows the text of this element, and Jenkins its attribute.
  const text = [message, ...details].filter((line) => line !== '').join('\n');
  if (one.outcome === 'passed') {
    if (text !== '') write(element, 'system-out', {}, text);
  } else write(element, elementOf[one.outcome], { message }, text);
}

const elementOf = { failed: 'failure', error: 'error', skipped: 'skipped' } as const;

/** Jenkins ends a package at each full stop of a class name. */
const className = (text: string): string => text.replaceAll('.', '_');

function countsOf(cases: readonly TestCase[]) {
  const count = (outcome: TestCase['outcome']) => cases.filter((one) => one.outcome === outcome).length;
  return {
    tests: cases.length,
    failures: count('failed'),
    errors: count('error'),
    skipped: count('skipped'),
    time: cases.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  };
}

/** Text without the characters that XML 1.0 cannot hold: control characters, lone surrogates and two non-characters. */
const xmlText = (text: string): string =>
  printable(text)
    .toWellFormed()
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd');
