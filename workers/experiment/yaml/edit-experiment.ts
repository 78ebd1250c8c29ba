import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  type Node,
  Pair,
  parseDocument,
  type Scalar,
} from 'yaml';
import { DynoError } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';
import { shapeOf } from '#model/shape.ts';
import type { Fix } from '#model/text/diagnostic.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import { experimentSchema } from '../schema/experiment.ts';
import { flowPadding } from './flow-padding.ts';
import { readYaml, type YamlSource } from './yaml-source.ts';

/**
 * The file with one value changed: set (numbers, text, yes/no, lists, mappings), or removed where `value` is undefined.
 * Creates missing mappings of the path; the position after the last one appends to a list. Everything else stays as it
 * is. Throws DynoError('badInput') if the text is not YAML or the path is invalid.
 */
export function setIn(source: YamlSource, path: Path, value: unknown): YamlSource {
  requireYaml(source);
  if (path.length === 0) throw badPath(path, 'it is empty');
  const quick = value === undefined ? null : replaceScalar(source, path, value);
  if (quick) return quick;
  const parts = partsOf(source, path, value);
  if (parts) return parts.reduce((made, [key, item]) => setIn(made, [...path, key], item), source);
  const document = source.document.clone() as Document;
  if (!change(document, path, value)) return source;
  putInOrder(document, path);
  return rewritten(source, document, path, isLong(value));
}

/** The entries of a mapping that differ from the file, if the others can stay as they are. Null if they cannot. */
function partsOf({ document }: YamlSource, path: Path, value: unknown): readonly (readonly [string, unknown])[] | null {
  const node = document.getIn(path, true);
  if (!isMap(node) || !isMapping(value)) return null;
  const old = node.toJS(document, { maxAliasCount: -1 }) as Readonly<Record<string, unknown>>;
  const wanted = Object.keys(value).filter((key) => value[key] !== undefined);
  const kept = Object.keys(old).filter((key) => wanted.includes(key));
  const added = wanted.filter((key) => !Object.hasOwn(old, key));
  if (kept.length === 0 || [...kept, ...added].some((key, i) => key !== wanted[i])) return null;
  return [
    ...wanted
      .filter((key) => JSON.stringify(value[key]) !== JSON.stringify(old[key]))
      .map((key) => [key, value[key]] as const),
    ...Object.keys(old)
      .filter((key) => !wanted.includes(key))
      .map((key) => [key, undefined] as const),
  ];
}

/** The order of the sections in a file. */
const sectionOrder = Object.keys(shapeOf(experimentSchema).entries ?? {});

/** Moves a new section behind those that precede it in the reference of the file. */
function putInOrder({ contents }: Document, [key]: Path): void {
  if (!isMap(contents)) return;
  const { items } = contents;
  const rank = (one: unknown): number => sectionOrder.indexOf(String(one));
  const last = items.at(-1);
  if (items.length < 2 || String(last?.key) !== key || rank(key) < 0) return;
  // A section that was in the file before stays where it is.
  if (isScalar(last?.key) && last.key.range) return;
  const before = items.findLastIndex((pair) => pair !== last && rank(pair.key) < rank(key) && rank(pair.key) >= 0);
  if (before >= 0) items.splice(before + 1, 0, items.pop()!);
}

/** The file with a key of the mapping at `path` renamed. Throws DynoError('badInput') where the key is missing. */
export function renameKey(source: YamlSource, path: Path, old: string, name: string): YamlSource {
  requireYaml(source);
  const map = source.document.getIn(path, true);
  const key = isMap(map) ? map.items.find((pair) => String(pair.key) === old)?.key : undefined;
  if (!isScalar(key) || !key.range) throw badPath([...path, old], 'there is no such key');
  return readYaml(source.text.slice(0, key.range[0]) + name + source.text.slice(key.range[1]));
}

/** The file after a problem's fix. Throws as setIn does. */
export function applyFix(source: YamlSource, fix: Fix): YamlSource {
  if (fix.kind === 'several') return fix.fixes.reduce(applyFix, source);
  if (fix.kind === 'set') return setIn(source, fix.path, fix.value);
  return renameKey(source, fix.path.slice(0, -1), String(fix.path.at(-1)), fix.name);
}

function requireYaml({ errors: [first] }: YamlSource): void {
  if (!first) return;
  throw new DynoError('badInput', `The experiment file cannot be changed: line ${first.line}: ${first.message}`, {
    hint: 'Correct the YAML text first; then it can be edited by form or --set again.',
  });
}

/** Replaces one single-line value in place and keeps every space around it; null where that is not possible. */
function replaceScalar({ text, document }: YamlSource, path: Path, value: unknown): YamlSource | null {
  const node = document.getIn(path, true);
  if (!isScalar(node) || !node.range || node.tag || node.anchor || node.type?.startsWith('BLOCK')) return null;
  const [start, end] = node.range;
  if (start === end || text.slice(start, end).includes('\n')) return null;
  if (isLong(value) && end - start <= mostColumns) return null;
  for (const written of scalarTexts(value, node.type)) {
    const result = readYaml(text.slice(0, start) + written + text.slice(end));
    if (result.errors.length === 0 && result.document.getIn(path) === value) return result;
  }
  return null;
}

/** The notations of a value, the most readable one first. A reader must confirm that they mean the value. */
function scalarTexts(value: unknown, type: string | undefined): readonly string[] {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return [String(value)];
  if (typeof value !== 'string' || value.includes('\n')) return [];
  const plain = type === 'PLAIN' && /^[A-Za-z][\x20-\x7e]*(?<! )$/.test(value) ? [value] : [];
  const single =
    (type === 'QUOTE_SINGLE' || value.includes('"')) && /^[\x20-\x7e]*$/.test(value)
      ? [`'${value.replaceAll("'", "''")}'`]
      : [];
  return [...plain, ...single, JSON.stringify(value)];
}

/** The longest line of a text that stays on one line. */
const mostColumns = 120;

/** True if a value has a text that needs several lines. */
const isLong = (value: unknown): boolean =>
  typeof value === 'string'
    ? value.includes('\n') || value.length > mostColumns
    : typeof value === 'object' && value !== null && Object.values(value).some(isLong);

/** Writes a long text as a block: with its own lines, or folded if it has one line. */
function blockOf(node: Scalar): void {
  if (isLong(node.value)) node.type = String(node.value).includes('\n') ? 'BLOCK_LITERAL' : 'BLOCK_FOLDED';
}

/** Returns whether the document changed. */
function change(document: Document, path: Path, value: unknown): boolean {
  for (let depth = 0; depth < path.length; depth++) {
    const above = path.slice(0, depth);
    const node = depth === 0 ? document.contents : document.getIn(above, true);
    const step = path[depth]!;
    if (node === undefined || node === null || (isScalar(node) && node.value === null)) {
      if (value === undefined) return false;
      // The path does not exist below this key: the rest becomes one new value.
      const rest = path
        .slice(depth)
        .reduceRight<unknown>((inner, key) => (typeof key === 'number' ? [inner] : { [key]: inner }), value);
      if (path.slice(depth).some((key) => typeof key === 'number' && key > 0))
        throw badPath(path, 'the list it points into has no such position');
      if (depth === 0) document.contents = newNode(document, rest, 0);
      else document.setIn(above, newNode(document, rest, depth));
      return true;
    }
    if (isAlias(node))
      throw badPath(path, `\`${formatPath(above)}\` refers to another place (*${node.source}); change it there`);
    if (!isCollection(node)) throw badPath(path, `\`${formatPath(above)}\` is a single value`);
    if (isSeq(node) && !(typeof step === 'number' && step >= 0 && step <= node.items.length))
      throw badPath(path, `\`${formatPath(above)}\` is a list of ${node.items.length}; write a position in brackets`);
  }
  if (value === undefined) return document.deleteIn(path);
  // A block cannot stand in a mapping of one line.
  for (let depth = 0; isLong(value) && depth < path.length; depth++) {
    const around = depth === 0 ? document.contents : document.getIn(path.slice(0, depth), true);
    if (isCollection(around)) around.flow = false;
  }
  document.setIn(path, updated(document, document.getIn(path, true), value, path.length));
  return true;
}

/** A node for `value` that keeps the comments and unchanged parts of the node it replaces. */
function updated(document: Document, old: unknown, value: unknown, depth: number): Node {
  if (isScalar(old) && (typeof value !== 'object' || value === null)) {
    old.value = value;
    delete old.source;
    delete old.type;
    blockOf(old);
    return old;
  }
  if (isSeq(old) && Array.isArray(value)) {
    const spare = old.items.filter((item) => isScalar(item));
    old.items = value.map((item: unknown) => {
      const same = spare.findIndex((candidate) => candidate.value === item);
      return same >= 0 ? spare.splice(same, 1)[0]! : newNode(document, item, depth + 1);
    });
    return old;
  }
  if (isMap(old) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    old.items = Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .map(([key, item]) => {
        const pair = old.items.find((candidate) => String(candidate.key) === key);
        if (!pair) return new Pair(document.createNode(key), newNode(document, item, depth + 1));
        pair.value = updated(document, pair.value, item, depth + 1);
        return pair;
      });
    // Otherwise a blank line between two entries would begin the block.
    const first = old.items[0]?.key;
    if (isScalar(first)) first.spaceBefore = false;
    return old;
  }
  const node = newNode(document, value, depth);
  if (isScalar(old) || isCollection(old)) {
    if (old.comment) node.comment = old.comment;
    if (old.commentBefore) node.commentBefore = old.commentBefore;
  }
  return node;
}

/** Lists of single values and small mappings below the second level have one line, as in most files. */
function newNode(document: Document, value: unknown, depth: number): Node {
  const node = document.createNode(value, { aliasDuplicateObjects: false }) as Node;
  const style = (inner: unknown, level: number): void => {
    if (isScalar(inner)) blockOf(inner);
    if (!isCollection(inner)) return;
    const values = isMap(inner) ? inner.items.map((pair) => pair.value) : inner.items;
    for (const item of values) style(item, level + 1);
    const singles = values.every((item) => isScalar(item) && !isLong(item.value)) && !inner.has('text');
    if (singles && values.length > 0 && (isSeq(inner) || level >= 2)) inner.flow = true;
  };
  style(node, depth);
  return node;
}

/**
 * The old text with the new text of the changed entry, or of the smallest mapping around it for which that is possible;
 * a new text where the two differ too much. All are in the file's own style, so that an edit does not reformat it.
 */
function rewritten(
  { text, document: old }: YamlSource,
  document: Document,
  path: Path,
  hasLongText: boolean,
): YamlSource {
  const indent = /^[A-Za-z_][^\n]*:[^\S\n]*\n( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
  const indentSeq = !/^[A-Za-z_][^\n]*:[^\S\n]*\n- /m.test(text);
  const lineWidth = hasLongText ? mostColumns : 0;
  const padded = document.toString({ lineWidth, indent: Math.min(8, Math.max(2, indent)), indentSeq });
  const written = parseDocument(padded);
  const cuts = flowPadding(padded, written, {
    lists: !/[:-] \[ /.test(text),
    mappings: /[:-] \{[^\s}]/.test(text) && !/[:-] \{ /.test(text),
  });
  const unpadded = (start: number, end: number): string => {
    const inside = cuts.filter(([at]) => at >= start && at < end);
    const starts = [start, ...inside.map(([at, length]) => at + length)];
    return starts.map((from, i) => padded.slice(from, inside[i]?.[0] ?? end)).join('');
  };
  const read = (made: string) => readYaml(text.includes('\r\n') ? made.replaceAll(/\r?\n/g, '\r\n') : made);
  const wanted = JSON.stringify(document.toJS({ maxAliasCount: -1 }));
  for (let depth = path.length; depth > 0; depth--) {
    const at = path.slice(0, depth);
    const after = entryAt(padded, written, at);
    const made = withEntry(text, old, at, after && { ...after, text: unpadded(after.start, after.end) });
    if (made === null) continue;
    const result = read(made);
    if (result.errors.length === 0 && JSON.stringify(result.value) === wanted) return result;
  }
  return read(unpadded(0, padded.length));
}

/** The place of an entry of a mapping in block style: its key, its value and the comments inside it. */
interface Entry {
  readonly start: number;
  readonly end: number;
  /** The number of characters before the key. */
  readonly column: number;
  /** The key before it in the mapping. */
  readonly previous: string | null;
}

/** The place of the entry at a path. Null where a mapping on the way is missing, or is not in block style. */
function entryAt(text: string, { contents }: Document, path: Path): Entry | null {
  let node: unknown = contents;
  let end = text.length;
  let found: Entry | null = null;
  for (const step of path) {
    if (!isMap(node) || node.flow) return null;
    const index = node.items.findIndex((pair) => String(pair.key) === step);
    const { items } = node;
    const startOf = (at: number): number | undefined => {
      const key = items[at]?.key;
      return isScalar(key) ? key.range?.[0] : undefined;
    };
    const start = startOf(index);
    if (index < 0 || start === undefined) return null;
    const column = start - (text.lastIndexOf('\n', start - 1) + 1);
    const body = text.slice(start, startOf(index + 1) ?? end);
    // Blank lines, and comments that are not indented further than the key, belong to the next key.
    const tail = new RegExp(`(?:\\r?\\n(?:[^\\S\\n]{0,${column}}#[^\\n]*|[^\\S\\n]*))*$`).exec(body)?.[0] ?? '';
    end = start + body.length - tail.length;
    found = { start, end, column, previous: index > 0 ? String(node.items[index - 1]?.key) : null };
    node = node.items[index]?.value;
  }
  return found;
}

const blankLine = /\n[^\S\n]*\r?\n/;

/** The text with a new, another or no entry at a path. Null if the place of the entry is not in block style. */
function withEntry(
  text: string,
  document: Document,
  path: Path,
  entry: (Entry & { readonly text: string }) | null,
): string | null {
  const old = entryAt(text, document, path);
  if (old && entry)
    return old.column === entry.column ? text.slice(0, old.start) + entry.text + text.slice(old.end) : null;
  if (old) return withoutEntry(text, old);
  if (!entry || entry.previous === null) return null;
  const before = entryAt(text, document, [...path.slice(0, -1), entry.previous]);
  if (!before || before.column !== entry.column) return null;
  const [head, tail] = [text.slice(0, before.end), text.slice(before.end)];
  // A new section of several lines is separated as the sections around it are.
  const gap = /^(?:\r?\n[^\S\n]*)+/.exec(tail)?.[0] ?? '';
  const around = gap.length < tail.length ? gap : /(?:\n[^\S\n]*)+$/.exec(text.slice(0, before.start))?.[0];
  const isApart = path.length === 1 && entry.text.includes('\n') && blankLine.test(around ?? '');
  return `${head}${isApart ? '\n' : ''}\n${' '.repeat(entry.column)}${entry.text}${tail === '' ? '\n' : tail}`;
}

/** The text without an entry, and without the comment that stands directly above it. */
function withoutEntry(text: string, { start, end, column, previous }: Entry): string | null {
  const above = text.slice(0, start - column);
  if (text.slice(start - column, start).trim() !== '') return null;
  const comment =
    previous === null ? '' : (new RegExp(`(?:(?<![^\\n])[^\\S\\n]{${column}}#[^\\n]*\\n)+$`).exec(above)?.[0] ?? '');
  const head = above.slice(0, above.length - comment.length);
  const tail = text.slice(end).replace(/^\r?\n/, '');
  // One of two blank lines goes.
  return /(?:^|\n)[^\S\n]*\r?\n$/.test(head) ? head + tail.replace(/^[^\S\n]*\r?\n/, '') : head + tail;
}

const badPath = (path: Path, why: string): DynoError =>
  new DynoError('badInput', `Nothing can be set at \`${formatPath(path)}\`: ${why}.`, {
    hint: 'Paths follow the experiment file: dataset.rows, factors.method[0], measure.repeats.',
  });
