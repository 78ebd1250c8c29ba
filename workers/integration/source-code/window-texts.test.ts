import { parseSync } from 'rolldown/utils';
import { expect, test } from 'vitest';
import { sourceFiles } from './source-files.fixture.ts';

/** A node of the syntax tree (ESTree). */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly [field: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const childrenOf = (node: Node): readonly Node[] => Object.values(node).flat().filter(isNode);

/** Attributes of elements and components that nobody reads: ids, looks, and roles. */
const unread =
  /^(className|style|id|key|kind|icon|role|type|href|tone|placement|d|points|viewBox|transform|locale|dateTime|data-.*|aria-(hidden|current|live|labelledby|controls))$/;

/** Attributes and properties that hold words. */
const read = /^(label|title|aria-label|placeholder|about|subtitle|text|note|hint|empty|message|description)$/;

/** A text of a node: that of a literal, or of a template with an x for each value. */
function textOf(node: Node): string | null {
  if (node.type === 'JSXText') return String(node.value);
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null;
  if (node.type !== 'TemplateLiteral') return null;
  return (node.quasis as readonly { readonly value: { readonly cooked: string } }[])
    .map(({ value }) => value.cooked)
    .join('\0');
}

const hasLetters = (text: string): boolean => /\p{L}/u.test(text);

/** "Add a target", "Rows": neither a key such as `measure.until` or `new_column`, nor SQL. */
const isEnglish = (text: string): boolean =>
  (/^[\p{Lu}“][\p{L}’]/u.test(text.trim()) || /\p{Ll}[.,;:)]? [\p{L}(“]/u.test(text)) && !isCode(text);

/** A text of several words that begins like a sentence: no key, no style and no query looks like that. */
const isSentence = (text: string): boolean =>
  /^[\p{Lu}“].*\p{L}.* .*\p{L}/su.test(text.trim()) && /\p{Ll}{3}/u.test(text) && !isCode(text);

const isCode = (text: string): boolean =>
  /^\s*(SELECT|INSERT|UPDATE|DELETE)\b/.test(text) || /^[a-z][^\s]*[_.-][^\s]*$/.test(text);

/** What an expression may become: both branches of a condition, all parts of a list. */
function resultsOf(node: Node): readonly Node[] {
  const of = (...fields: readonly string[]) =>
    fields.flatMap((field) => [node[field]].flat().filter(isNode).flatMap(resultsOf));
  switch (node.type) {
    case 'ConditionalExpression':
      return of('consequent', 'alternate');
    case 'LogicalExpression':
      return node.operator === '&&' ? of('right') : of('left', 'right');
    case 'ArrayExpression':
      return of('elements');
    case 'TSAsExpression':
    case 'ParenthesizedExpression':
    case 'JSXExpressionContainer':
      return of('expression');
    case 'TemplateLiteral':
      return [node, ...of('expressions')];
    default:
      return textOf(node) === null ? [] : [node];
  }
}

/** The texts that a node of the window's code shows to the user. */
function shownBy(node: Node): readonly Node[] {
  if (node.type === 'JSXElement' || node.type === 'JSXFragment')
    return (node.children as readonly Node[])
      .filter(({ type }) => type === 'JSXText' || type === 'JSXExpressionContainer')
      .flatMap(resultsOf)
      .filter((one) => hasLetters(textOf(one)!));
  const name = node.type === 'JSXAttribute' ? (node.name as Node).name : node.computed ? null : keyOf(node);
  if (typeof name === 'string' && isNode(node.value))
    return resultsOf(node.value).filter((one) => {
      const text = textOf(one)!;
      if (node.type === 'JSXAttribute' && unread.test(name)) return false;
      if (node.type === 'JSXAttribute' && read.test(name)) return hasLetters(text) && !isCode(text);
      return (node.type === 'JSXAttribute' || read.test(name)) && isEnglish(text);
    });
  const text = textOf(node);
  return text !== null && isSentence(text) ? [node] : [];
}

const keyOf = ({ type, key }: Node): unknown => (type === 'Property' && isNode(key) ? (key.name ?? key.value) : null);

/** What holds no text that is shown: types, modules, and errors of programming. */
const isSilent = (node: Node): boolean =>
  /^(TS(?!As|Satisfies|NonNull)|Import|Export(All|Named.*source))/.test(node.type) ||
  (node.type === 'NewExpression' && /^(Range|Type)?Error$/.test(String((node.callee as Node).name)));

const textsOf = (node: Node): readonly Node[] =>
  isSilent(node) ? [] : [...shownBy(node), ...childrenOf(node).flatMap(textsOf)];

const shownTexts = (path: string, text: string): readonly string[] => {
  const { program } = parseSync(path, text, { lang: path.endsWith('x') ? 'tsx' : 'ts' });
  const found = new Map(textsOf(program as unknown as Node).map((node) => [node.start, textOf(node)!]));
  return [...found.values()].map((one) => `${path}: ${one.trim()}`);
};

test('every text of the window stands in the text.ts of its folder', () => {
  const files = sourceFiles('.ts', '.tsx').filter(
    ({ path, isTest }) => path.startsWith('renderer/') && !isTest && !/^renderer\/(dev\/|[^/]+\/text\.ts$)/.test(path),
  );
  expect(files.length).toBeGreaterThan(200);
  expect(files.flatMap(({ path, text }) => shownTexts(path, text))).toEqual([]);
});

test.each([
  ['<p>Run again</p>', 'Run again'],
  ['<p>{done ? "done" : count}</p>', 'done'],
  ['<Panel label="Targets" />', 'Targets'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the code of a template
  ['<Tab note={`${count} rows`} />', '\0 rows'],
  ['[{ id: "open", label: "Open" }]', 'Open'],
  ['attempt("Could not save", save)', 'Could not save'],
])('%s shows a text', (code, text) => {
  expect(shownTexts('made-up.tsx', code)).toEqual([`made-up.tsx: ${text}`]);
});

test.each([
  '<p className="muted wrap">{texts.runs.title}</p>',
  '<Icon name="check" />',
  '<Field code="measure.until" />',
  'goTo({ page: "runs" })',
])('%s shows none', (code) => {
  expect(shownTexts('made-up.tsx', code)).toEqual([]);
});
