import { Document, isAlias, isMap, isNode, isScalar, isSeq, Lexer, LineCounter, type Pair, parseDocument } from 'yaml';
import { formatCount } from '#model/format/format.ts';
import type { Diagnostic, Problem } from '#model/text/diagnostic.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';

/** A YAML text of limited size that was parsed once: its plain value, and the position of each part. */
export interface YamlSource {
  readonly text: string;
  /** Nobody changes it: an edit works on a clone. */
  readonly document: Document;
  /** Plain data without cycles, at most {@link maxDepth} deep; undefined where there are `errors`. */
  readonly value: unknown;
  /** Problems of the text as YAML, in the order of the file. */
  readonly errors: readonly Diagnostic[];
  locate(problem: Problem): Diagnostic;
}

/** Characters. A typical experiment has a few thousand; the limit keeps a wrong file from blocking the window. */
export const maxTextLength = 300_000;
/** Single values, lists and mappings, each as often as aliases (*name) repeat it. */
export const maxValues = 25_000;
/** No notation of a value has more tokens than these: its key, its marks and its spaces. */
const maxTokens = 8 * maxValues;
/** The parser looks through all of them for each. */
const maxAliases = 1_000;
const maxDepth = 32;
const maxDiagnostics = 20;
const maxMessageLength = 200;
const reservedKeys = new Set(['__proto__', 'constructor', 'prototype']);

const parseOptions = {
  // structureProblems checks duplicates in linear time: the library compares every key with every other one.
  uniqueKeys: false,
  stringKeys: true,
  prettyErrors: false,
  resolveKnownTags: false,
  // 'silent' would also suppress the error about a second document.
  logLevel: 'error',
} as const;

/** Parses YAML 1.2. Never throws: all problems of the text become `errors`, in the order of the file. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  const refused = whyNotParsed(text);
  if (refused) return unreadable(text, refused);
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { ...parseOptions, lineCounter: lines });
  } catch (thrown) {
    // The parser recurses once per level; only extreme nesting exceeds its stack.
    const message = thrown instanceof RangeError ? tooDeep : `The file cannot be read as YAML: ${String(thrown)}`;
    return unreadable(text, { message, suggestion: null });
  }
  const place = (offset: number, from = 0) => {
    const { line, col } = lines.linePos(Math.max(offset, from));
    return [Math.max(1, line), Math.max(1, col)] as const;
  };
  const diagnostic = ({ start, end, path, ...words }: Located): Diagnostic => {
    const [[line, column], [endLine, endColumn]] = [place(start), place(end, start)];
    return { severity: 'error', line, column, endLine, endColumn, path: formatPath(path), ...words };
  };
  const invalid = document.errors.map(
    ({ code, message, pos: [start, end] }): Located => ({ start, end, path: [], ...yamlProblemText(code, message) }),
  );
  const read = invalid.length > 0 ? { problems: invalid } : readDocument(document);
  return {
    text,
    document,
    value: read.problems.length > 0 ? undefined : read.value,
    errors: read.problems.slice(0, maxDiagnostics).map(diagnostic),
    locate: ({ at, ...problem }) => diagnostic({ ...problem, ...placeOf(document.contents, problem.path, at) }),
  };
}

const notData = 'Is this an experiment file? Data does not belong into it.';
const tooManyValues = `The file has more than ${formatCount(maxValues)} values, those repeated by aliases (*name) included; an experiment has a few hundred.`;
const tooDeep = `The file is nested more than ${maxDepth} levels deep; an experiment needs six.`;

type Words = Pick<Problem, 'message' | 'suggestion'>;

/** The reason why a text does not even go to the parser, which would take long or exceed its stack; else null. */
function whyNotParsed(text: string): Words | null {
  const message =
    text.length > maxTextLength
      ? `The file has ${formatCount(text.length)} characters; an experiment may have ${formatCount(maxTextLength)} at most.`
      : tooManyBrackets(text)
        ? tooDeep
        : tooManyTokens(text)
          ? tooManyValues
          : null;
  return message === null ? null : { message, suggestion: message === tooDeep ? null : notData };
}

function unreadable(text: string, words: Words): YamlSource {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    text,
    document: new Document(),
    value: undefined,
    errors: [{ severity: 'error', ...place, path: '', ...words }],
    locate: ({ at: _, ...problem }) => ({ severity: 'error', ...problem, ...place, path: formatPath(problem.path) }),
  };
}

/** Refuses a text with very many brackets before the parser recurses into them. */
function tooManyBrackets(text: string): boolean {
  let brackets = 0;
  let marks = 0;
  let nextMark = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (isBlank(char)) continue;
    brackets = char === '[' || char === '{' ? brackets + 1 : 0;
    // Marks of lists and keys, one blank after each.
    if ((char === '-' || char === '?') && isBlank(text[at + 1] ?? '')) {
      marks = at === nextMark ? marks + 1 : 1;
      nextMark = at + 2;
    }
    if (brackets >= 200 || marks >= 200) return true;
  }
  return false;
}

const isBlank = (char: string): boolean => char === ' ' || char === '\n' || char === '\t' || char === '\r';

/** Counts before the parser makes objects of the text, which takes far longer. */
function tooManyTokens(text: string): boolean {
  let count = 0;
  for (const _ of new Lexer().lex(text)) if (++count > maxTokens) return true;
  return false;
}

/** A problem at offsets of the text. */
type Located = Omit<Problem, 'at'> & { readonly start: number; readonly end: number };

/** The value of a document that the parser has accepted, or its problems: one walk finds them all. */
function readDocument(document: Document): { readonly problems: readonly Located[]; readonly value?: unknown } {
  const problems: Located[] = [];
  const { values, characters, levels, aliases } = inspect(document.contents, { report: (one) => problems.push(one) });
  const whole = (message: string, suggestion: string | null = notData): readonly Located[] => [
    { start: 0, end: 0, path: [], message, suggestion },
  ];
  const tooLarge = [
    { message: `The file has more than ${formatCount(maxAliases)} aliases (*name).`, is: aliases > maxAliases },
    { message: tooDeep, is: levels > maxDepth },
    { message: tooManyValues, is: values > maxValues },
    {
      message: `The file has more than ${formatCount(maxTextLength)} characters, those repeated by aliases (*name) included.`,
      is: characters > maxTextLength,
    },
  ].find(({ is }) => is);
  if (problems.length > 0 || tooLarge) return { problems: problems.length > 0 ? problems : whole(tooLarge!.message) };
  try {
    // The walk has counted how far aliases multiply the file.
    return { problems, value: document.toJS({ maxAliasCount: -1 }) };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { problems: whole(`An alias (*name) in this file cannot be resolved: ${why}`, null) };
  }
}

/** The size of a node with its aliases followed. */
interface Size {
  readonly values: number;
  readonly characters: number;
  readonly levels: number;
  /** Aliases that are written in the file. */
  readonly aliases: number;
}

interface Walk {
  report(problem: Located): void;
  readonly path?: Path;
  /** Anchors of the nodes around this one. */
  readonly within?: readonly string[];
  /** Sizes of the nodes before this one, by anchor. */
  readonly anchored?: Map<string, Size>;
}

/**
 * Walks through a node. Reports duplicate and reserved keys, unknown tags, values that contain themselves, and
 * excessive nesting.
 */
function inspect(node: unknown, { report, path = [], within = [], anchored = new Map() }: Walk): Size {
  const [start, end] = rangeOf(node) ?? [0, 0];
  const wrong = (message: string, [from, to] = [start, end] as readonly number[], at = path) =>
    report({ start: from!, end: to!, path: at, message, suggestion: null });
  if (isAlias(node)) {
    if (within.includes(node.source)) wrong(`\`*${node.source}\` stands inside the value it refers to.`);
    return { ...(anchored.get(node.source) ?? { values: 1, characters: 0, levels: 0 }), aliases: 1 };
  }
  const size = { values: 1, characters: isScalar(node) ? String(node.value).length : 0, levels: 0, aliases: 0 };
  if (path.length > maxDepth) {
    wrong(tooDeep, [start, start + 1], []);
    return size;
  }
  if (isNode(node) && node.tag && !node.tag.startsWith('tag:yaml.org,2002:'))
    wrong(`The tag ${node.tag} has no meaning here; leave it out.`);
  const anchor = isNode(node) && !isAlias(node) ? node.anchor : undefined;
  const around = anchor ? [...within, anchor] : within;
  const add = (item: unknown, step: string | number) => {
    const inner = inspect(item, { report, path: [...path, step], within: around, anchored });
    size.values += inner.values;
    size.characters += inner.characters;
    size.levels = Math.max(size.levels, inner.levels + 1);
    size.aliases += inner.aliases;
  };
  if (isSeq(node)) for (const [index, item] of node.items.entries()) add(item, index);
  const seen = new Set<string>();
  for (const pair of isMap(node) ? node.items : []) {
    const key = keyOf(pair);
    const at = [rangeOf(pair.key) ?? [start, end], [...path, key]] as const;
    if (seen.has(key)) wrong(`The key \`${key}\` is written twice in the same place; keep one of them.`, ...at);
    if (reservedKeys.has(key)) wrong(`\`${key}\` cannot be used as a name.`, ...at);
    seen.add(key);
    size.characters += key.length;
    add(pair.value, key);
  }
  if (anchor) anchored.set(anchor, size);
  return size;
}

const keyOf = (pair: Pair): string => String(isScalar(pair.key) ? pair.key.value : pair.key);

const rangeOf = (node: unknown): readonly [number, number, number] | undefined =>
  (isNode(node) ? node.range : undefined) ?? undefined;

/** The place of a path; of its nearest existing parent where the path itself is not in the file. */
function placeOf(contents: unknown, path: Path, at: Problem['at']): { readonly start: number; readonly end: number } {
  let node: unknown = contents;
  let place = { start: 0, end: 0 };
  for (const [depth, step] of path.entries()) {
    const pair = isMap(node) ? node.items.find((item) => keyOf(item) === String(step)) : undefined;
    const next: unknown = isSeq(node) ? node.items[Number(step)] : pair?.value;
    if (next === undefined) break;
    node = next;
    const isSingle = isScalar(node) || isAlias(node);
    const isLast = depth === path.length - 1;
    // A problem is shown at a key rather than at the whole block of its value.
    const range = rangeOf(node);
    const showKey = pair && (!isSingle || range?.[0] === range?.[1] || (isLast && at === 'key'));
    const chosen = showKey && isNode(pair.key) ? pair.key : node;
    const [start, end] = rangeOf(chosen) ?? [place.start, place.end];
    place = { start, end: isScalar(chosen) || isAlias(chosen) || !isNode(chosen) ? end : start + 1 };
  }
  return place;
}

/** The library's syntax errors in plainer words, where the originals require knowledge of YAML's grammar. */
const plainWords: Readonly<Record<string, Words>> = {
  TAB_AS_INDENT: {
    message: 'Lines are indented with spaces in YAML, never with tabs.',
    suggestion: 'Replace the tab by two spaces.',
  },
  MULTIPLE_DOCS: {
    message: 'The file holds more than one YAML document (a line ---).',
    suggestion: 'Save each experiment in a file of its own.',
  },
  NON_STRING_KEY: {
    message: 'A key must be a plain word.',
    suggestion: 'Put text with brackets or braces into quotes.',
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: 'Nested mappings do not fit on one line like this.',
    suggestion: 'Is there a second ": " in the value? Put the value into quotes.',
  },
};

const yamlProblemText = (code: string, message: string): Words =>
  plainWords[code] ?? {
    message: message.startsWith('Maximum call stack')
      ? tooDeep
      : `This is not valid YAML: ${message.slice(0, maxMessageLength).replace(/[.\s]*$/, '')}.`,
    suggestion: null,
  };
