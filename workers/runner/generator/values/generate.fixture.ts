import * as v from 'valibot';
import { decodeColumn, type Value } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { type Column, type Dataset, datasetSchema } from '#model/dataset/dataset.ts';
import { createGenerator } from '../generator.ts';

type Specs = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const datasetOf = (columns: Specs, seed: number): Dataset => v.parse(datasetSchema, { rows: 1_000_000, seed, columns });

/** The columns as engines see them. */
export const columnsOf = (columns: Specs): readonly Column[] => tableColumns(datasetOf(columns, 1));

/** Generates columns of a file, by name: the values of their first rows, or of the given rows. */
export function generate(columns: Specs, rows: number | Float64Array, seed = 42): Readonly<Record<string, Value[]>> {
  const dataset = datasetOf(columns, seed);
  const generator = createGenerator(dataset);
  const batch = typeof rows === 'number' ? generator.fill(0, rows, null) : generator.pick(rows);
  return Object.fromEntries(
    tableColumns(dataset).map(({ name, type }, c) => [name, decodeColumn(batch.columns[c]!, type, batch.rows)]),
  );
}

/** The values of one column. */
export const valuesOfColumn = (spec: Specs[string], rows: number, seed?: number): Value[] =>
  generate({ x: spec }, rows, seed).x!;
