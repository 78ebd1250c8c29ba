import { isMapping } from '#model/is-mapping.ts';
import type { Path } from '#model/text/path-text.ts';

/** Keys with values as a file has them. */
export type Mapping = Readonly<Record<string, unknown>>;

/** The value at a path of mappings; undefined: there is none. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((here, key) => (isMapping(here) ? here[key] : undefined), value);

/** The parts below these are replaced as a whole. Null matches any key. */
const wholes = [
  ['dataset', 'columns'],
  ['tables', null, 'columns'],
  ['statements', null, 'parameters'],
  ['transactions', null, 'parameters'],
  ['scenarios', null, 'parameters'],
  ['factors'],
  ['checks'],
] as const;

/** A trial ends by one thing, so that another end takes the place of the file's. */
const isWhole = (path: Path): boolean =>
  path.join('.') === 'measure.until' ||
  wholes.some(
    (above) => path.length === above.length + 1 && above.every((key, depth) => key === null || path[depth] === key),
  );

/** True for a text of a statement: one for all engines, or one per engine. */
export const isText = ([section, name, key, ...below]: Path): boolean =>
  section === 'setup' || section === 'teardown'
    ? name !== undefined && key === undefined
    : section === 'statements' && key === 'text' && below.length === 0;

/**
 * A file's data with a change of it, which has the keys of the file: a mapping is merged key by key, a list or a single
 * value is replaced. Columns, parameters, factors and checks are replaced as a whole. Where a statement has one text,
 * and the change has texts per engine, the engines without one keep the statement's own; `setup` and
 * `teardown` likewise.
 */
export function withChange(base: Mapping, change: Mapping, path: Path = []): Mapping {
  const changed = Object.entries(change).map(([key, value]) => {
    const below = [...path, key];
    const old = isText(below) && typeof base[key] === 'string' ? { default: base[key] } : base[key];
    return [
      key,
      isMapping(value) && isMapping(old) && !isWhole(below) ? withChange(old, value, below) : value,
    ] as const;
  });
  return { ...base, ...Object.fromEntries(changed) };
}

/**
 * The number of steps of a path that lead into a change. The whole length: the change sets the value at the path, or
 * replaces a list or a part around it.
 */
export function depthIn(change: unknown, path: Path): number {
  let here = change;
  for (const [depth, key] of path.entries()) {
    if (Array.isArray(here)) return path.length;
    if (!isMapping(here) || !Object.hasOwn(here, key)) return depth;
    if (isWhole(path.slice(0, depth + 1))) return path.length;
    here = here[key];
  }
  return path.length;
}

/** The places that a change sets: paths of single values, lists, and parts that are replaced as a whole. */
export function placesIn(change: Mapping, path: Path = []): readonly Path[] {
  return Object.entries(change).flatMap(([key, value]) => {
    const below = [...path, key];
    return isMapping(value) && !isWhole(below) ? placesIn(value, below) : [below];
  });
}
