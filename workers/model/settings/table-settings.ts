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
    help: 'native: the engine’s own type. isoText: text like 2024-02-29T12:34:56.000789Z. ticks: whole numbers of µs since 1970.',
    scope: 'table',
    appliesTo: ({ hasTimestamps }) => hasTimestamps,
  }),
  documents: defineSetting({
    schema: v.picklist(['text', 'native']),
    default: 'text',
    label: 'Document storage',
    help: 'text: JSON text with fields in the order of the file. native: the engine’s own type (jsonb, JSON, nested documents), or JSON text if it has none, with fields ordered by length of name, then by name.',
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
    words: { [-1]: 'as the dataset defines' },
    help: 'Share of nulls in the dataset’s columns that have nulls. 0: no nulls. −1: the share that the dataset defines.',
    scope: 'table',
    changesRows: true,
    appliesTo: ({ hasNullableColumns }) => hasNullableColumns,
  }),
  distinctTimes: defineSetting({
    schema: integer(0, 1_000_000_000),
    default: 0,
    label: 'Distinct times',
    words: { 0: 'as the dataset defines' },
    help: 'Number of distinct values in each timestamp column of the dataset’s table, evenly spread over its range. 0: the number that the dataset defines. A range read finds no row if it is narrower than the distance of two values.',
    scope: 'table',
    changesRows: true,
    appliesTo: ({ hasTimestamps }) => hasTimestamps,
  }),
  keyKind: defineSetting({
    schema: v.picklist(keyKinds),
    default: 'inherit',
    label: 'Key type',
    help: 'Type of the values of the key column. inherit: the type that the dataset defines. uuid4: random. uuid7: begins with the time; this does not give an ascending order if an engine compares other bytes first. uuidSequential: ascends in the order in which the target’s engine compares UUIDs; it equals uuid7 if the engine compares the first bytes first. sequence: 1, 2, 3…',
    scope: 'table',
    changesRows: true,
    appliesTo: ({ hasDatasetKey }) => hasDatasetKey,
  }),
  keyCreation: defineSetting({
    schema: v.picklist(builds),
    default: 'beforeLoad',
    label: 'Key creation',
    help: 'Time at which the primary key is created. beforeLoad: before the first row. afterLoad: after the last row; its time counts as part of the insert. none: never; calls then find no row by its key.',
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
    help: 'Time at which the indexes of dataset.indexes and of `tables` are created: before the first row, after the last row (its time counts as part of the insert), or never. With afterLoad, variants that only read and differ in indexes share one load.',
    scope: 'table',
    appliesTo: ({ hasIndexes }) => hasIndexes,
  }),
  fillFactor: defineSetting({
    schema: v.pipe(
      integer(0, 100),
      v.check((percent) => percent === 0 || percent >= 10, 'A page is filled to 10 % at least'),
    ),
    default: 0,
    label: 'Fill factor',
    words: { 0: 'the engine’s own' },
    help: 'The share of each page of a table, in per cent, that inserts fill, so that updates find room in the rest. From 10 to 100; 0: the engine’s own.',
    scope: 'table',
    appliesTo: ({ hasTables }) => hasTables,
  }),
  foreignKeys: defineSetting({
    schema: v.boolean(),
    default: true,
    label: 'Foreign keys',
    help: 'true: columns that refer to one of `tables` are declared as foreign keys, and an engine with foreign keys checks them on every change.',
    scope: 'table',
    appliesTo: ({ hasForeignKeys }) => hasForeignKeys,
  }),
};
