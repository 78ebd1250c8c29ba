import { isMapping } from '#model/is-mapping.ts';
import type { Path } from '#model/text/path-text.ts';
import { depthIn, type Mapping, withChange } from './changes.ts';

/**
 * A size is a set of changes to the file: `published: { dataset: { rows: 500000 } }` under `sizes`; `size: published`
 * chooses it.
 */
export function withSize(experiment: Mapping, name: string): Mapping {
  const size = isMapping(experiment.sizes) ? experiment.sizes[name] : undefined;
  if (!isMapping(size)) return experiment;
  const { note: _, ...change } = size;
  return withChange(experiment, change);
}

/** The file's data in its chosen size. */
export function sized(experiment: unknown): unknown {
  return isMapping(experiment) && typeof experiment.size === 'string'
    ? withSize(experiment, experiment.size)
    : experiment;
}

/** The title of a size; without one, the file itself. */
export const sizeTitle = (size: string | null | undefined): string => size ?? 'as written';

/** The title of the size in which an experiment is run; null: it has no sizes. */
export const chosenSize = ({
  size,
  sizes,
}: {
  readonly size?: string | undefined;
  readonly sizes?: unknown;
}): string | null => (sizes === undefined ? null : sizeTitle(size));

/** The path at which to change a value: within the chosen size, if the size sets it. */
export function placeInSize(experiment: unknown, path: Path): Path {
  if (!isMapping(experiment) || typeof experiment.size !== 'string' || !isMapping(experiment.sizes)) return path;
  return depthIn(experiment.sizes[experiment.size], path) === path.length ? ['sizes', experiment.size, ...path] : path;
}
