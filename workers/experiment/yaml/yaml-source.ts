import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Pair,
  parseDocument,
} from 'yaml';
import { formatCount } from '#model/format/format.ts';
import type { Diagnostic, Problem } from '#model/text/diagnostic.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';

/** A parsed YAML text of limited size: its plain value, and the position of each part. */
interface YamlSource {
  readonly document: Document;
  /** Plain data without cycles, at most {@link maxDepth} deep; undefined where `diagnostics` has an error. */
  readonly value: unknown;
  readonly diagnostics: readonly Diagnostic[];
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

/** Parses YAML 1.2. Never throws: all problems of the text become diagnostics, in the order of the file. */
export function readYaml(text: string): YamlSource {
  const lines = new LineCounter();
  if (text.length > maxTextLength) {
    const message = `The file has ${formatCount(text.length)} characters; an experiment may have ${formatCount(maxTextLength)} at most.`;
    return unreadable(message, notData);
  }
  const bracket = tooManyBrackets(text);
  if (bracket) return unreadable(tooDeep, null);
  if (tooManyTokens(text)) return unreadable(tooManyValues, notData);
  let document: Document.Parsed;
  try {
    document = parseDocument(text, { ...parseOptions, lineCounter: lines });
  } catch (thrown) {
    // The parser recurses once per level; only extreme nesting exceeds its stack.
    return unreadable(
      thrown instanceof RangeError ? tooDeep : `The file cannot be read as YAML: ${String(thrown)}`,
      null,
    );
  }
  const range = (start: number, end: number) => {
    const from = lines.linePos(start);
    const to = lines.linePos(Math.max(start, end));
    return {
      line: Math.max(1, from.line),
      column: Math.max(1, from.col),
      endLine: Math.max(1, to.line),
      endColumn: Math.max(1, to.col),
    };
  };
  const diagnostics: Diagnostic[] = [];
  for (const error of document.errors.slice(0, maxDiagnostics))
    diagnostics.push({
      severity: 'error',
      ...range(error.pos[0], error.pos[1]),
      path: '',
      ...yamlProblemText(error.code, error.message),
    });
  if (diagnostics.length === 0) {
    for (const found of structureProblems(document.contents, [], []))
      if (
        diagnostics.push({
          severity: 'error',
          ...range(found.start, found.end),
          path: formatPath(found.path),
          message: found.message,
          suggestion: null,
        }) >= maxDiagnostics
      )
        break;
  }
  const size = diagnostics.length > 0 ? null : sizeOf(document.contents, new Map());
  const tooLarge = size && sizeText(size);
  if (tooLarge)
    diagnostics.push({ severity: 'error', ...range(0, 0), path: '', message: tooLarge, suggestion: notData });
  const read = diagnostics.length > 0 ? null : toPlain(document);
  if (read && 'message' in read)
    diagnostics.push({ severity: 'error', ...range(0, 0), path: '', message: read.message, suggestion: null });
  const locate = (problem: Problem): Diagnostic => {
    const [start, end] = offsets(document.contents, problem);
    const { severity = 'error', message, suggestion, fix } = problem;
    return { severity, ...range(start, end), path: formatPath(problem.path), message, suggestion, ...(fix && { fix }) };
  };
  return { document, value: read && 'value' in read ? read.value : undefined, diagnostics, locate };
}

const notData = 'Is this an experiment file? Data does not belong into it.';
const tooManyValues = `The file has more than ${formatCount(maxValues)} values, those repeated by aliases (*name) included; an experiment has a few hundred.`;
const tooDeep = `The file is nested more than ${maxDepth} levels deep; an experiment needs six.`;

function unreadable(message: string, suggestion: string | null): YamlSource {
  const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
  return {
    document: parseDocument(''),
    value: undefined,
    diagnostics: [{ severity: 'error', ...place, path: '', message, suggestion }],
    locate: (problem) => ({ severity: 'error', ...problem, ...place, path: formatPath(problem.path) }),
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

interface Located {
  readonly start: number;
  readonly end: number;
  readonly path: Path;
  readonly message: string;
}

/** Reports duplicate and reserved keys, unknown tags, values that contain themselves, and excessive nesting. */
function* structureProblems(node: unknown, path: Path, anchors: readonly string[]): Generator<Located> {
  if (!isNode(node)) return;
  const [start, end] = node.range ?? [0, 0];
  if (isAlias(node)) {
    if (anchors.includes(node.source))
      yield { start, end, path, message: `\`*${node.source}\` stands inside the value it refers to.` };
    return;
  }
  const within = node.anchor ? [...anchors, node.anchor] : anchors;
  if (path.length > maxDepth) {
    yield { start, end: start + 1, path: [], message: tooDeep };
    return;
  }
  if (node.tag && !node.tag.startsWith('tag:yaml.org,2002:'))
    yield { start, end, path, message: `The tag ${node.tag} has no meaning here; leave it out.` };
  if (isSeq(node))
    for (const [index, item] of node.items.entries()) yield* structureProblems(item, [...path, index], within);
  if (!isMap(node)) return;
  const seen = new Set<string>();
  for (const pair of node.items) {
    const key = keyOf(pair);
    const [keyStart, keyEnd] = isNode(pair.key) ? (pair.key.range ?? [start, end]) : [start, end];
    const at = { start: keyStart, end: keyEnd, path: [...path, key] };
    if (seen.has(key))
      yield { ...at, message: `The key \`${key}\` is written twice in the same place; keep one of them.` };
    if (reservedKeys.has(key)) yield { ...at, message: `\`${key}\` cannot be used as a name.` };
    seen.add(key);
    yield* structureProblems(pair.value, at.path, within);
  }
}

const keyOf = (pair: Pair): string => String(isScalar(pair.key) ? pair.key.value : pair.key);

interface Size {
  readonly values: number;
  readonly characters: number;
  readonly levels: number;
  /** Written in the file. */
  readonly aliases: number;
}

/** The size of a node with its aliases followed. `anchored`: sizes of what stands before it, by anchor. */
function sizeOf(node: unknown, anchored: Map<string, Size>): Size {
  if (isAlias(node)) return { ...(anchored.get(node.source) ?? { values: 1, characters: 0, levels: 0 }), aliases: 1 };
  let values = 1;
  let characters = isScalar(node) ? String(node.value).length : 0;
  let levels = 0;
  let aliases = 0;
  const add = (item: unknown) => {
    const size = sizeOf(item, anchored);
    values += size.values;
    characters += size.characters;
    levels = Math.max(levels, size.levels + 1);
    aliases += size.aliases;
  };
  if (isSeq(node)) for (const item of node.items) add(item);
  if (isMap(node))
    for (const pair of node.items) {
      characters += keyOf(pair).length;
      add(pair.value);
    }
  const size = { values, characters, levels, aliases };
  if (isNode(node) && node.anchor) anchored.set(node.anchor, size);
  return size;
}

/** The limit that the text exceeds; null if it exceeds none. */
function sizeText({ values, characters, levels, aliases }: Size): string | null {
  if (aliases > maxAliases) return `The file has more than ${formatCount(maxAliases)} aliases (*name).`;
  if (levels > maxDepth) return tooDeep;
  if (values > maxValues) return tooManyValues;
  return characters > maxTextLength
    ? `The file has more than ${formatCount(maxTextLength)} characters, those repeated by aliases (*name) included.`
    : null;
}

function toPlain(document: Document): { readonly value: unknown } | { readonly message: string } {
  try {
    // sizeOf has counted how far aliases multiply the file.
    return { value: document.toJS({ maxAliasCount: -1 }) };
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    return { message: `An alias (*name) in this file cannot be resolved: ${why}` };
  }
}

/** Source offsets of a path; of its nearest existing parent where the path itself is not in the file. */
function offsets(contents: unknown, problem: Problem): readonly [number, number] {
  let node: unknown = contents;
  let place: readonly [number, number] = [0, 0];
  for (const [depth, step] of problem.path.entries()) {
    if (isAlias(node)) break;
    let key: unknown = null;
    if (isMap(node)) {
      const pair = node.items.find((item) => keyOf(item) === String(step));
      if (!pair) break;
      key = pair.key;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      if (node === undefined) break;
    } else break;
    const last = depth === problem.path.length - 1;
    // A problem is shown at a key rather than at the whole block of its value.
    const showKey =
      isNode(key) &&
      (!(isScalar(node) || isAlias(node)) || node.range?.[0] === node.range?.[1] || (last && problem.at === 'key'));
    const chosen = showKey ? key : node;
    if (isNode(chosen) && chosen.range)
      place = [chosen.range[0], isScalar(chosen) || isAlias(chosen) ? chosen.range[1] : chosen.range[0] + 1];
  }
  return place;
}

/** The library's syntax errors in plainer words, where the originals require knowledge of YAML's grammar. */
function yamlProblemText(
  code: string,
  message: string,
): { readonly message: string; readonly suggestion: string | null } {
  switch (code) {
    case 'TAB_AS_INDENT':
      return {
        message: 'Lines are indented with spaces in YAML, never with tabs.',
        suggestion: 'Replace the tab by two spaces.',
      };
    case 'MULTIPLE_DOCS':
      return {
        message: 'The file holds more than one YAML document (a line ---).',
        suggestion: 'Save each experiment in a file of its own.',
      };
    case 'NON_STRING_KEY':
      return { message: 'A key must be a plain word.', suggestion: 'Put text with brackets or braces into quotes.' };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        message: 'Nested mappings do not fit on one line like this.',
        suggestion: 'Is there a second ": " in the value? Put the value into quotes.',
      };
    default:
      if (message.startsWith('Maximum call stack')) return { message: tooDeep, suggestion: null };
      return { message: `This is not valid YAML: ${message.slice(0, maxMessageLength)}`, suggestion: null };
  }
}
