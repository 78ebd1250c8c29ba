import { isMapping } from '#model/is-mapping.ts';
import type { Path } from '#model/text/path-text.ts';

type Mapping = Readonly<Record<string, unknown>>;

/**
 * A size is a set of changes to the file: `published: { dataset: { rows: 500000 } }` under `sizes`; `size: published`
 * chooses it. Sizes change settings one by one, and replace columns, parameters and factors as a whole.
 */
export function withSize(experiment: Mapping, name: string): Mapping {
  const size = isMapping(experiment.sizes) ? experiment.sizes[name] : undefined;
  if (!isMapping(size)) return experiment;
  const { note: _, ...change } = size;
  return merged(experiment, change, []);
}

/** The file's data in its chosen size. */
export function sized(experiment: unknown): unknown {
  return isMapping(experiment) && typeof experiment.size === 'string'
    ? withSize(experiment, experiment.size)
    : experiment;
}

/** The title of a size; without one, the file itself. */
export const sizeTitle = (size: string | null | undefined): string => size ?? 'as written';

/** The parts below these are replaced as a whole. */
const wholes = [
  ['dataset', 'columns'],
  ['tables', null, 'columns'],
  ['statements', null, 'parameters'],
  ['factors'],
  ['checks'],
] as const;

/** Null matches any key. A trial ends by one thing, so that another end takes the place of the file's. */
const isWhole = (path: Path): boolean =>
  path.join('.') === 'measure.until' ||
  wholes.some(
    (above) => path.length === above.length + 1 && above.every((key, depth) => key === null || path[depth] === key),
  );

function merged(base: Mapping, change: Mapping, path: Path): Mapping {
  const changed = Object.entries(change).map(([key, value]) => {
    const below = [...path, key];
    const old = base[key];
    return [key, isMapping(value) && isMapping(old) && !isWhole(below) ? merged(old, value, below) : value] as const;
  });
  return { ...base, ...Object.fromEntries(changed) };
}

/** The path at which to change a value: within the chosen size, if the size sets it. */
export function placeInSize(experiment: unknown, path: Path): Path {
  if (!isMapping(experiment) || typeof experiment.size !== 'string' || !isMapping(experiment.sizes)) return path;
  let change = experiment.sizes[experiment.size];
  for (const [depth, key] of path.entries()) {
    // A list is replaced as a whole.
    if (Array.isArray(change)) break;
    if (!isMapping(change) || !Object.hasOwn(change, key)) return path;
    if (isWhole(path.slice(0, depth + 1))) break;
    change = change[key];
  }
  return ['sizes', experiment.size, ...path];
}
