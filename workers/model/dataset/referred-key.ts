import { DynoError } from '../error.ts';
import type { ReferenceSpec } from './column-specs.ts';

/** The keys that a column refers to: where it names a table they are that table's (withReferences). */
export function referredKey({ rows, key, position, seed }: ReferenceSpec) {
  if (rows === undefined || key === undefined) throw new DynoError('internal', 'A reference leads to no table.');
  return { rows, key, position, seed };
}
