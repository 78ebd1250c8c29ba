import * as v from 'valibot';
import { decimal, integer } from '../numbers.ts';
import { type CellFacts, defineSetting } from './setting.ts';
import { builds, keyKinds } from './vocabulary.ts';

const hasKey = (cell: CellFacts): boolean => cell.hasKey;

/** Settings that decide how tables are created, stored and filled. */
export const tableSettings = {
  dates: defineSetting({
    schema: v.picklist(['native', 'isoText', 'ticks']),
    default: 'native',
    label: 'Timestamp storage',
    help: 'native: the engine’s own type. isoText: text like 2024-02-29T12:34:56.000789Z. ticks: whole numbers, µs since 1970.',
    scope: 'table',
    appliesTo: ({ hasTimestamps }) => hasTimestamps,
  }),
  documents: defineSetting({
    schema: v.picklist(['text', 'native']),
    default: 'text',
    label: 'Document storage',
    help: 'text: JSON text, fields in the order of the file. native: the engine’s own type (jsonb, JSON, nested documents), and JSON text where it has none; fields by length of name, then by name.',
    scope: 'table',
    appliesTo: ({ hasNativeDocuments }) => hasNativeDocuments,
  }),
  nullShare: defineSetting({
    schema: v.pipe(
      decimal(-1, 1),
      v.check((share) => share === -1 || share >= 0, 'Between −1 and 0 there is no share'),
    ),
    default: -1,
    label: 'Null share',
    words: { [-1]: 'as the dataset says' },
    help: 'Share of nulls among the values of the columns that hold nulls in the dataset. 0: none. −1: as the dataset says.',
    scope: 'table',
    changesRows: true,
    appliesTo: ({ hasNullableColumns }) => hasNullableColumns,
  }),
  keyKind: defineSetting({
    schema: v.picklist(keyKinds),
    default: 'inherit',
    label: 'Key type',
    help: 'What the column dataset.key holds; inherit: what the dataset says. uuid4: random. uuid7: begins with the time, which gives no order on an engine that compares other bytes first. uuidSequential: ascends as the engine of each target compares uuids; equal to uuid7 where the engine compares the first bytes first. sequence: 1, 2, 3…',
    scope: 'table',
    changesRows: true,
    appliesTo: ({ hasDatasetKey }) => hasDatasetKey,
  }),
  keyCreation: defineSetting({
    schema: v.picklist(builds),
    default: 'beforeLoad',
    label: 'Key creation',
    help: 'beforeLoad: before the first row. afterLoad: after all rows are in; its time counts as a part of inserting them. none: never; no row is found by its key.',
    scope: 'table',
    appliesTo: hasKey,
  }),
  partitions: defineSetting({
    schema: integer(1, 256),
    default: 1,
    label: 'Partitions',
    help: 'Number of partitions over which a hash of its key spreads the table. 1: the table is not partitioned.',
    scope: 'table',
    appliesTo: hasKey,
  }),
  indexCreation: defineSetting({
    schema: v.picklist(builds),
    default: 'beforeLoad',
    label: 'Index creation',
    help: 'When the indexes of dataset.indexes and of `tables` are created: before the first row, after all rows are in (as with the key), or never.',
    scope: 'table',
    appliesTo: ({ hasIndexes }) => hasIndexes,
  }),
  foreignKeys: defineSetting({
    schema: v.boolean(),
    default: true,
    label: 'Foreign keys',
    help: 'Whether columns that refer to one of `tables` are declared as foreign keys, which the engine checks on every change where it supports them.',
    scope: 'table',
    appliesTo: ({ hasForeignKeys }) => hasForeignKeys,
  }),
};
