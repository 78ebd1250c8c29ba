import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, type Node, Pair, parseDocument } from 'yaml';
import { DynoError } from '#model/error.ts';
import type { Fix } from '#model/text/diagnostic.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
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
  const document = source.document.clone() as Document;
  return change(document, path, value) ? rewritten(source, document, String(path[0])) : source;
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
  const written = scalarText(value, node.type);
  if (written === null) return null;
  const result = readYaml(text.slice(0, start) + written + text.slice(end));
  return result.errors.length === 0 && result.document.getIn(path) === value ? result : null;
}

function scalarText(value: unknown, type: string | undefined): string | null {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return String(value);
  if (typeof value !== 'string' || value.includes('\n') || value.length > 200) return null;
  return type === 'PLAIN' && /^[A-Za-z][\w.-]*( [\w.-]+)*$/.test(value) ? value : JSON.stringify(value);
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
  document.setIn(path, updated(document, document.getIn(path, true), value, path.length));
  return true;
}

/** A node for `value` that keeps the comments and unchanged parts of the node it replaces. */
function updated(document: Document, old: unknown, value: unknown, depth: number): Node {
  if (isScalar(old) && (typeof value !== 'object' || value === null)) {
    old.value = value;
    delete old.source;
    if (!(typeof value === 'string' && value.includes('\n'))) delete old.type;
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
    if (!isCollection(inner)) return;
    const values = isMap(inner) ? inner.items.map((pair) => pair.value) : inner.items;
    for (const item of values) style(item, level + 1);
    const singles = values.every((item) => isScalar(item) && !String(item.value).includes('\n'));
    if (singles && values.length > 0 && (isSeq(inner) || level >= 2)) inner.flow = true;
  };
  style(node, depth);
  return node;
}

/**
 * The old text with the new section of one top-level key; a new text where the two differ too much for that. Either is
 * in the file's own style, so that an edit does not reformat it.
 */
function rewritten({ text, document: old }: YamlSource, document: Document, key: string): YamlSource {
  const indent = /^[A-Za-z_][^\n]*:[^\S\n]*\n( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
  const indentSeq = !/^[A-Za-z_][^\n]*:[^\S\n]*\n- /m.test(text);
  const padded = document.toString({ lineWidth: 0, indent: Math.min(8, Math.max(2, indent)), indentSeq });
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
  const [before, after] = [section(text, old, key), section(padded, written, key)];
  if (before || after) {
    const head = before ? text.slice(0, before.start) : text.replace(/\n*$/, '\n');
    const tail = before ? text.slice(before.end) : '\n';
    const result = read(after ? head + unpadded(after.start, after.end) + tail : head + tail.replace(/^\r?\n/, ''));
    const same = JSON.stringify(result.value) === JSON.stringify(document.toJS({ maxAliasCount: -1 }));
    if (result.errors.length === 0 && same) return result;
  }
  return read(unpadded(0, padded.length));
}

/**
 * The part of a text from a top-level key to the end of its value, including its comments; null: it has no such part.
 */
function section(
  text: string,
  { contents }: Document,
  key: string,
): { readonly start: number; readonly end: number } | null {
  if (!isMap(contents) || contents.flow) return null;
  const at = contents.items.findIndex((pair) => String(pair.key) === key);
  const starts = contents.items.map((pair) => (isScalar(pair.key) ? pair.key.range?.[0] : undefined));
  const start = starts[at];
  const next = starts[at + 1];
  if (start === undefined) return null;
  // Blank lines and comments at the left margin before the next key belong to that key.
  const body = text.slice(start, next ?? text.length);
  const tail = /(?:\r?\n(?:#[^\n]*|[^\S\n]*))*$/.exec(body)?.[0] ?? '';
  return { start, end: start + body.length - tail.length };
}

const badPath = (path: Path, why: string): DynoError =>
  new DynoError('badInput', `Nothing can be set at \`${formatPath(path)}\`: ${why}.`, {
    hint: 'Paths follow the experiment file: dataset.rows, factors.method[0], measure.repeats.',
  });
