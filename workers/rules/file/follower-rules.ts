import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { madeFrom } from '#model/dataset/columns.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

const numbers: ReadonlySet<ColumnSpec['type']> = new Set(['integer', 'sequence', 'decimal', 'correlated']);
const timestamps: ReadonlySet<ColumnSpec['type']> = new Set(['timestamp', 'delayed']);

/** Checks columns at `path` that derive from others of the row: these exist, have the right type, form no cycle. */
export function checkFollowers(
  names: readonly string[],
  columns: ReadonlyMap<string, ColumnSpec>,
  path: Path,
  report: Report,
): void {
  const inCircles = namesInCircles(columns);
  for (const [name, spec] of columns) {
    if (spec.type !== 'correlated' && spec.type !== 'delayed') continue;
    const error = (key: string, message: string, suggestion: string | null) =>
      report({ path: [...path, name, key], message, suggestion });
    const fitting = spec.type === 'delayed' ? timestamps : numbers;
    const what = spec.type === 'delayed' ? 'a timestamp' : 'a column of numbers';
    const candidates = () =>
      [...columns.keys()].filter((other) => other !== name && fitting.has(columns.get(other)!.type));
    const others = () =>
      candidates().length === 0 ? `There is no other; add ${what}.` : `There are: ${candidates().join(', ')}.`;
    for (const [key, of] of sources(spec)) {
      const source = columns.get(of);
      if (source === undefined && !names.includes(of))
        error(key, `\`${of}\` is not a column of this dataset.`, didYouMean(of, candidates()) ?? others());
      else if (source && !fitting.has(source.type))
        error(key, `\`${name}\` has to follow ${what}, and \`${of}\` is of type ${source.type}.`, others());
      else if (spec.type === 'correlated' && spec.correlation !== undefined && source?.type === 'sequence')
        error(key, `\`${of}\` only ever grows: it has no spread that a correlation could refer to.`, 'Use `noise`.');
    }
    const cycle = inCircles.has(name) ? cycleFrom(name, columns) : null;
    if (cycle) error('of', `The columns follow each other in a circle: ${cycle.join(' → ')}.`, null);
  }
}

const sources = (
  spec: ColumnSpec & { readonly type: 'correlated' | 'delayed' },
): readonly (readonly [string, string])[] =>
  spec.type === 'correlated' && spec.times !== undefined
    ? [
        ['of', spec.of],
        ['times', spec.times],
      ]
    : [['of', spec.of]];

/** The columns that follow each other in a circle. Columns between two circles may be included. */
function namesInCircles(columns: ReadonlyMap<string, ColumnSpec>): ReadonlySet<string> {
  const follows = new Map([...columns].map(([name, spec]) => [name, madeFrom(spec).filter((of) => columns.has(of))]));
  const followers = Map.groupBy(
    [...follows].flatMap(([name, of]) => of.map((source) => ({ source, name }))),
    ({ source }) => source,
  );
  const followedBy = new Map(
    [...follows.keys()].map((name) => [name, (followers.get(name) ?? []).map((one) => one.name)]),
  );
  return withoutEnds(withoutEnds(new Set(columns.keys()), follows, followedBy), followedBy, follows);
}

/** Repeatedly removes the columns from which no remaining column follows. */
function withoutEnds(
  names: ReadonlySet<string>,
  next: ReadonlyMap<string, readonly string[]>,
  previous: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const left = new Set(names);
  const count = new Map([...left].map((name) => [name, next.get(name)!.filter((one) => left.has(one)).length]));
  const ends = [...left].filter((name) => count.get(name) === 0);
  for (let name = ends.pop(); name !== undefined; name = ends.pop()) {
    left.delete(name);
    for (const one of previous.get(name)!) {
      if (!left.has(one)) continue;
      count.set(one, count.get(one)! - 1);
      if (count.get(one) === 0) ends.push(one);
    }
  }
  return left;
}

/** The path from a column back to itself; null where there is no cycle. */
function cycleFrom(start: string, columns: ReadonlyMap<string, ColumnSpec>): readonly string[] | null {
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const spec = columns.get(name);
    for (const next of spec === undefined ? [] : madeFrom(spec)) {
      if (next === start) return [...backTo(start, name, cameFrom), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, name);
      waiting.push(next);
    }
  }
  return null;
}

/** The names on the path from `start` to `name`. `cameFrom`: the name before each name. */
function backTo(start: string, name: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const path = [name];
  for (let at = name; at !== start; path.unshift(at)) at = cameFrom.get(at)!;
  return path;
}
