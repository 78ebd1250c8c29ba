import { DynoError } from '../error.ts';
import type { ReferenceSpec } from './column-specs.ts';

/** The keys that a reference draws from: those of the named table, otherwise its own rows and key (withReferences). */
export function referredKey({ rows, key, position, seed }: ReferenceSpec) {
  if (rows === undefined || key === undefined) throw new DynoError('internal', 'A reference leads to no table.');
  return { rows, key, position, seed };
}
