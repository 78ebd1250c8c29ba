import { parseDocument, stringify } from 'yaml';
import { isMapping } from '#model/is-mapping.ts';
import { formatPath, type Path } from '#model/text/path-text.ts';
import { isText, type Mapping, placesIn, withChange } from '../schema/changes.ts';
import { flowPadding } from './flow-padding.ts';

/** A line of a place before or after a change; same: the change leaves it. */
export interface DiffLine {
  readonly kind: 'same' | 'old' | 'new';
  readonly text: string;
}

/** A place of the file that a change sets, with its lines. */
interface PlaceDiff {
  readonly path: Path;
  /** The path as a file's messages name it. */
  readonly place: string;
  readonly lines: readonly DiffLine[];
}

/** The places that a change sets in a file, each with its lines before and after; unchanged places are left out. */
export function changeDiff(file: Mapping, change: Mapping): readonly PlaceDiff[] {
  const changed = withChange(file, change);
  return placesIn(change).flatMap((path) => {
    const [before, after] = [linesOf(valueAt(file, path)), linesOf(valueAt(changed, path))];
    const lines = diffOf(before, after);
    return lines.every(({ kind }) => kind === 'same') ? [] : [{ path, place: formatPath(path), lines }];
  });
}

/** The value at a path; of a text for one engine, the text that the engine has. */
function valueAt(file: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key, depth) => {
    if (!isText(path.slice(0, depth))) return isMapping(value) ? value[key] : undefined;
    return isMapping(value) ? (value[key] ?? value.default) : value;
  }, file);
}

/** The lines of a text, the items of a list, or the value as YAML on one line. */
function linesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (typeof value === 'string') return value.trimEnd().split('\n');
  return Array.isArray(value) ? value.map(onOneLine) : [onOneLine(value)];
}

/** The value as files have it: `{ columns: [a, b] }`. */
function onOneLine(value: unknown): string {
  const text = stringify(value, { collectionStyle: 'flow', lineWidth: 0, flowCollectionPadding: true }).trim();
  const cuts = flowPadding(text, parseDocument(text), { lists: true, mappings: false });
  return cuts.reduceRight((left, [at, length]) => left.slice(0, at) + left.slice(at + length), text);
}

/** Above this product of lines, the whole text counts as replaced. */
const mostCompared = 250_000;

/** The shortest difference of two lists of lines: the old lines of a place stand before its new ones. */
function diffOf(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const as = (kind: DiffLine['kind'], lines: readonly string[]) => lines.map((text): DiffLine => ({ kind, text }));
  if (before.length * after.length > mostCompared) return [...as('old', before), ...as('new', after)];
  // common[i][j]: the length of the longest common part of the lines from i and from j on.
  const common = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i]![j] =
        before[i] === after[j] ? common[i + 1]![j + 1]! + 1 : Math.max(common[i + 1]![j]!, common[i]![j + 1]!);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ kind: 'same', text: before[i]! });
      i++;
      j++;
    } else if (j === after.length || (i < before.length && common[i + 1]![j]! >= common[i]![j + 1]!))
      lines.push({ kind: 'old', text: before[i++]! });
    else lines.push({ kind: 'new', text: after[j++]! });
  }
  return lines;
}
