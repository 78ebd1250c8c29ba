import { isMapping } from './is-mapping.ts';
import type { Path } from './text/path-text.ts';

/** A single value inside lists and mappings: a text, number, boolean or null. */
export interface Leaf {
  readonly value: unknown;
  readonly path: Path;
  /** The nearest key above; items of a list have the key of the list. Empty: there is none. */
  readonly key: string;
  /** The mapping that has this key. */
  readonly holder: Readonly<Record<string, unknown>>;
}

/** All single values inside a value, in the order of the file. */
export function leavesOf(value: unknown, path: Path = [], key = '', holder: Leaf['holder'] = {}): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown, i) => leavesOf(item, [...path, i], key, holder));
  if (!isMapping(value)) return [{ value, path, key, holder }];
  return Object.entries(value).flatMap(([inner, item]) => leavesOf(item, [...path, inner], inner, value));
}
