import * as v from 'valibot';
import { fileKey } from '../file-key.ts';
import { integer } from '../numbers.ts';
import type { Options } from '../settings/options.ts';
import { exactInteger, identifier } from './column-parts.ts';
import { columnSchema } from './column-specs.ts';
import { type IndexPlan, indexSchema } from './indexes.ts';

/** The most rows of a table. */
export const mostRows = 10_000_000_000;

/** The most columns of a table; every server allows as many. */
export const mostColumns = 1_000;

/** The kinds of files that tables are filled from. */
const fileFormats = ['csv', 'ndjson', 'parquet'] as const;
/** A kind of file that tables are filled from. */
export type FileFormat = (typeof fileFormats)[number];

const fromFile = v.strictObject({
  file: fileKey(v.pipe(v.string(), v.minLength(1), v.maxLength(1_000)), {
    label: 'File',
    help: 'Path of the file, relative to the experiment’s folder: CSV with a header line, NDJSON with one object a line, or Parquet. CSV and NDJSON may be compressed (.gz, .zst).',
    first: 'rows.csv',
  }),
  format: v.optional(
    fileKey(v.picklist(fileFormats), {
      label: 'Format',
      help: 'The format of the file. Default: by the ending of its name (.csv, .tsv, .ndjson, .jsonl, .parquet).',
    }),
  ),
  encoding: v.optional(
    fileKey(v.picklist(['utf-8', 'utf-16le', 'windows-1252']), {
      label: 'Encoding',
      help: 'The encoding of a CSV or NDJSON file. Default: UTF-16 if a byte order mark says so, otherwise UTF-8.',
    }),
  ),
  nullAs: v.optional(
    fileKey(v.nullable(v.pipe(v.string(), v.maxLength(60))), {
      label: 'Null as',
      help: 'The unquoted field of a CSV file that stands for null. Default: the empty field; `""` is an empty text. null: no field stands for null.',
    }),
  ),
});
/** The file that fills a table. */
export type FromFile = v.InferOutput<typeof fromFile>;

/** The keys of the dataset and of each of `tables`: rows, seed, key, columns and indexes. */
export const tableEntries = {
  from: v.optional(
    fileKey(fromFile, {
      label: 'Rows from a file',
      help: 'The file whose rows fill the columns of type `file`. Fewer `rows` than the file has: the first ones. More: the file is repeated, unless a column of the file is the key.',
    }),
  ),
  rows: fileKey(integer(1, mostRows), {
    label: 'Rows',
    help: 'Number of rows that Dyno inserts, or that it loads before the clock starts for reads, updates and deletes.',
  }),
  seed: v.optional(
    fileKey(exactInteger, {
      label: 'Seed',
      help: 'The seed of the row generator: the same seed gives the same rows.',
    }),
    1,
  ),
  key: v.optional(
    fileKey(identifier, {
      label: 'Primary key',
      help: 'The column that is the primary key. Without it the table has no primary key.',
    }),
  ),
  /** Empty: there is no dataset table, and statements use the user's own tables. */
  columns: v.pipe(v.record(identifier, columnSchema), v.maxEntries(mostColumns)),
  indexes: v.optional(
    fileKey(v.pipe(v.array(indexSchema), v.maxLength(32)), {
      label: 'Indexes',
      help: 'Indexes in addition to the primary key. The setting indexCreation decides when they are created.',
    }),
  ),
};

/** The dataset of an experiment: its name, rows, seed, key and columns. */
export const datasetSchema = v.strictObject({
  name: v.optional(
    fileKey(identifier, {
      label: 'Name',
      help: 'The name of the table: custom statements write {orders} for a table named orders, and the names of the tables that Dyno creates contain it. Default: `table`.',
    }),
  ),
  ...tableEntries,
});
/** A valid dataset, with defaults filled in. */
export type Dataset = v.InferOutput<typeof datasetSchema>;

/** A dataset in a run. */
export type FilledDataset = Dataset & {
  /** The path of its file's rows, as the run has stored them for its workers. Absent: no file fills it. */
  readonly stored?: string;
};

/** The type of a column as an engine declares it. Lengths in characters (text) or bytes. */
export type ColumnType =
  | { readonly kind: 'uuid' }
  | { readonly kind: 'bigint' }
  | {
      readonly kind: 'text';
      readonly maxLength: number;
      readonly fixed: boolean;
      readonly ascii: boolean;
      /** Documents in canonical JSON (json-text.ts), in the engine's own type; engines without one store the text. */
      readonly document?: true;
      /** Each value has its own type, in the notation of the engine's answers. Only parameters have this. */
      readonly own?: true;
    }
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number }
  | {
      readonly kind: 'timestamp'; // UTC, microseconds
      /** The values may have up to nine digits of a second. Only parameters have this. */
      readonly nanoseconds?: true;
    }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'bytes'; readonly maxLength: number; readonly fixed: boolean };

/** The type of a parameter of a statement: no column of a dataset is an IEEE double, but an answer may have one. */
export type ParameterType =
  | ColumnType
  | { readonly kind: 'float' }
  /** A decimal of an answer: its values keep the scale of the answer instead of `scale`. */
  | { readonly kind: 'decimal'; readonly precision: number; readonly scale: number; readonly anyScale: true };

/** A parameter of a custom statement, as the engine binds it. */
export interface Parameter {
  readonly name: string;
  readonly type: ParameterType;
  readonly nullable: boolean;
  /** The engine's type to declare, taken from the answer with the values. Absent: the default of its kind. */
  readonly declared?: string;
}

/** A column of a table, as the engine declares it. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
}

/** A foreign key: a column has the values of an earlier table's key. */
export interface ForeignKey {
  /** Index into the table's columns. */
  readonly column: number;
  /** The referenced table's name at the server. */
  readonly table: string;
  /** Name of the referenced key column. */
  readonly key: string;
}

/** A table that Dyno creates, owns and drops. The name is unique to the run and carries Dyno's prefix. */
export interface TablePlan {
  /**
   * `dyno_` + run tag + trial, then a number and the table's name if it has one; engines create it in a schema,
   * directory or database named `dyno`.
   */
  readonly name: string;
  readonly columns: readonly Column[];
  /** Index into `columns` of the primary key, or null without one. */
  readonly key: number | null;
  /** The table has `count` hash partitions by the column `by`; absent: it is not partitioned. */
  readonly partitions?: { readonly count: number; readonly by: number };
  /** The share of each page that inserts fill, in per cent; absent: the engine's own. */
  readonly fillFactor?: number;
  /** Indexes besides the key, present or planned; absent: none. addIndex() creates them, not prepareSchema(). */
  readonly indexes?: readonly IndexPlan[];
  /** Foreign keys for the engine to check, where it supports them; absent: none. */
  readonly foreignKeys?: readonly ForeignKey[];
  /** The engine's own options of the variant by name, with defaults: how to organise the table, bind, send… */
  readonly options: Options;
}

/** Tables by their names in statements. */
export type PlansByName = Readonly<Record<string, TablePlan>>;
