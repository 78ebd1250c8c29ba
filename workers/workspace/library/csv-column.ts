import { DynoError } from '#model/error.ts';
import type { ListType, ParameterSpec } from '#model/statements/statements.ts';
import { firstWrong } from '#runner/operations/list-values.ts';
import type { CsvField, CsvRecord } from './csv-records.ts';

type Csv = ParameterSpec & { readonly type: 'csv' };

/** A column of a CSV file. */
interface CsvColumn {
  readonly values: readonly (string | null)[];
  /** The line numbers of the values, from 1. */
  readonly lines: readonly number[];
}

/** The column's values. Throws 'badInput' where the file has no such column. */
export function columnOfFile(
  [head, ...records]: readonly CsvRecord[],
  { file, column, nullAs = '' }: Pick<Csv, 'file' | 'column' | 'nullAs'>,
): CsvColumn {
  const names = (head?.fields ?? []).map(({ text }) => text);
  const index = names.indexOf(column);
  if (index === -1)
    throw new DynoError('badInput', `${file} has no column “${column}”.`, { hint: `It has: ${names.join(', ')}.` });
  const valueIn = (field: CsvField | undefined): string | null =>
    field === undefined || (!field.quoted && field.text === nullAs) ? null : field.text;
  return { values: records.map(({ fields }) => valueIn(fields[index])), lines: records.map(({ line }) => line) };
}

/** The error for the first value without the type; null if all have it. */
export function wrongInFile(
  { values, lines }: CsvColumn,
  { file, column }: Pick<Csv, 'file' | 'column'>,
  as: ListType,
): DynoError | null {
  const wrong = firstWrong(as, values);
  if (wrong === -1) return null;
  const value = values[wrong]!.slice(0, 60);
  return new DynoError('badInput', `${file}, line ${lines[wrong]}, column “${column}”: “${value}” is no ${as}.`, {
    hint:
      value === ''
        ? 'An empty field is null, and `""` an empty text: leave the field empty, or name with `nullAs` the word for null.'
        : 'Correct the value, name with `nullAs` the word for null, or leave out `as`, so that the values are sent as text.',
  });
}
