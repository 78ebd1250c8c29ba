import { type Document, isAlias, isCollection, isMap, isScalar, isSeq, type Node, Pair } from 'yaml';
import { DynoError } from '#model/error.ts';
import type { Fix } from '#model/text/diagnostic.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import { unpadFlow } from './unpad-flow.ts';
import { readYaml } from './yaml-source.ts';

/**
 * The text with one value changed: set (numbers, text, yes/no, lists, mappings), or removed where `value` is undefined.
 * Creates missing mappings of the path; the position after the last one appends to a list. Everything else stays as it
 * is. Throws DynoError('badInput') if the text is not YAML or the path is invalid.
 */
export function setIn(text: string, path: Path, value: unknown): string {
  const document = editable(text);
  if (path.length === 0) throw badPath(path, 'it is empty');
  if (value !== undefined) {
    const quick = replaceScalar(text, document, path, value);
    if (quick !== null) return quick;
  }
  if (!change(document, path, value)) return text;
  const whole = inStyleOf(text, document);
  const result = withSection(text, whole, String(path[0])) ?? whole;
  return text.includes('\r\n') ? result.replaceAll(/\r?\n/g, '\r\n') : result;
}

/** The text with a key of the mapping at `path` renamed. Throws DynoError('badInput') where the key is missing. */
export function renameKey(text: string, path: Path, old: string, name: string): string {
  const map = editable(text).getIn(path, true);
  const key = isMap(map) ? map.items.find((pair) => String(pair.key) === old)?.key : undefined;
  if (!isScalar(key) || !key.range) throw badPath([...path, old], 'there is no such key');
  return text.slice(0, key.range[0]) + name + text.slice(key.range[1]);
}

/** The text after a problem's fix. Throws as setIn does. */
export function applyFix(text: string, fix: Fix): string {
  if (fix.kind === 'several') return fix.fixes.reduce(applyFix, text);
  if (fix.kind === 'set') return setIn(text, fix.path, fix.value);
  return renameKey(text, fix.path.slice(0, -1), String(fix.path.at(-1)), fix.name);
}

function editable(text: string): Document {
  const { document, diagnostics } = readYaml(text);
  const first = diagnostics[0];
  if (!first) return document;
  throw new DynoError('badInput', `The experiment file cannot be changed: line ${first.line}: ${first.message}`, {
    hint: 'Correct the YAML text first; then it can be edited by form or --set again.',
  });
}

/** Replaces one single-line value in place and keeps every space around it; null where that is not possible. */
function replaceScalar(text: string, document: Document, path: Path, value: unknown): string | null {
  const node = document.getIn(path, true);
  if (!isScalar(node) || !node.range || node.tag || node.anchor || node.type?.startsWith('BLOCK')) return null;
  const [start, end] = node.range;
  if (start === end || text.slice(start, end).includes('\n')) return null;
  const written = scalarText(value, node.type);
  if (written === null) return null;
  const result = text.slice(0, start) + written + text.slice(end);
  const back = readYaml(result);
  return back.diagnostics.length === 0 && back.document.getIn(path) === value ? result : null;
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

/** Writes the document in the file's own style, so that an edit does not reformat it. */
function inStyleOf(text: string, document: Document): string {
  const indent = /^[A-Za-z_][^\n]*:[^\S\n]*\n( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
  const indentSeq = !/^[A-Za-z_][^\n]*:[^\S\n]*\n- /m.test(text);
  const written = document.toString({ lineWidth: 0, indent: Math.min(8, Math.max(2, indent)), indentSeq });
  return unpadFlow(written, {
    lists: !/[:-] \[ /.test(text),
    mappings: /[:-] \{[^\s}]/.test(text) && !/[:-] \{ /.test(text),
  });
}

/** The old text with the new section of one top-level key; null where the texts differ too much for that. */
function withSection(text: string, whole: string, key: string): string | null {
  const [before, after] = [section(text, key), section(whole, key)];
  if (!before && !after) return null;
  const head = before ? text.slice(0, before.start) : text.replace(/\n*$/, '\n');
  const tail = before ? text.slice(before.end) : '\n';
  const result = after ? head + whole.slice(after.start, after.end) + tail : head + tail.replace(/^\r?\n/, '');
  const same = (a: string) => JSON.stringify(readYaml(a).value);
  return readYaml(result).diagnostics.length === 0 && same(result) === same(whole) ? result : null;
}

/**
 * The part of a text from a top-level key to the end of its value, including its comments; null: it has no such part.
 */
function section(text: string, key: string): { readonly start: number; readonly end: number } | null {
  const { contents } = readYaml(text).document;
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
