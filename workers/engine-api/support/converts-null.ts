import type { ColumnType } from '#model/dataset/dataset.ts';
import type { NullForm } from '../descriptor.ts';

/**
 * Whether a null of a column of this type is declared so. What the engine has a type of its own for, documents, takes
 * no other.
 */
export const convertsNull = ({ converts }: NullForm, type: ColumnType): boolean =>
  converts.includes(type.kind) && !(type.kind === 'text' && type.document === true);
