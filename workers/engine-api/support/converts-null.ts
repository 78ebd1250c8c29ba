import type { ColumnType } from '#model/dataset/dataset.ts';
import type { NullForm } from '../descriptor.ts';

/**
 * True if a null of a column of this type is declared with the form's type. A type of the engine's own (documents)
 * accepts no other type.
 */
export const convertsNull = ({ converts }: NullForm, type: ColumnType): boolean =>
  converts.includes(type.kind) && !(type.kind === 'text' && type.document === true);
