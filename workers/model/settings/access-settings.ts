import * as v from 'valibot';
import { decimal, integer } from '../numbers.ts';
import { columnName, defineSetting, whereUsed } from './setting.ts';
import { keyDistributions } from './vocabulary.ts';

/** Settings that choose the rows of a call and the read method. */
export const accessSettings = {
  keyDistribution: defineSetting({
    schema: v.picklist(keyDistributions),
    default: 'uniform',
    label: 'Key distribution',
    help: 'Distribution of the keys that calls read, update or delete. hotspot: 80 % of the calls use 20 % of the keys. latest: a Zipf distribution in which the newest row is the most frequent; custom statements also choose from the rows that they have inserted.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => !['insert', 'copy', 'scan'].includes(operation),
  }),
  workingSet: defineSetting({
    schema: decimal(0.000_001, 1),
    default: 1,
    label: 'Working set',
    help: 'Share of the rows that calls use. These rows were loaded first and are stored together if keys ascend. For ranges over a column, it is the lowest share of its values. 1: all rows.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => !['insert', 'copy', 'scan', 'delete'].includes(operation),
  }),
  fetchSize: defineSetting({
    schema: integer(1, 1_000_000),
    default: 1_000,
    label: 'Fetch size',
    help: 'Number of rows that a cursor fetches per round trip in ranges, scans and copies, or the number of rows to buffer if the protocol streams. If the engine returns an answer as a whole, only the default is supported.',
    scope: 'call',
    appliesTo: whereUsed,
    asks: ({ operation }) => ['readRange', 'scan', 'copy'].includes(operation),
  }),
  rangeRows: defineSetting({
    schema: integer(1, 10_000_000),
    default: 100,
    label: 'Rows per range',
    help: 'Number of rows that one range read returns.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => operation === 'readRange',
  }),
  rangeColumn: defineSetting({
    schema: columnName,
    default: '',
    label: 'Range column',
    help: 'Column of numbers or times for range reads. A range has a lower bound (inclusive) and an upper bound (exclusive) that about `rangeRows` rows match. Empty: a range begins at a key and ends after `rangeRows` rows.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => operation === 'readRange',
  }),
  copyFrom: defineSetting({
    schema: v.pipe(v.string(), v.maxLength(120)),
    default: '',
    label: 'Copy from',
    help: 'For copy: the target from which rows are read. Dyno loads the rows there before the clock starts. Empty: rows are read from a second table of the same target.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => operation === 'copy',
  }),
  orderBy: defineSetting({
    schema: columnName,
    default: '',
    label: 'Sort column',
    help: 'Column by which a scan sorts all rows (ORDER BY). The engine decides the order of nulls and of texts that its collation treats as equal. Empty: the scan is not sorted.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => operation === 'scan',
  }),
  sortMemoryKb: defineSetting({
    schema: integer(0, 2_000_000_000),
    default: 0,
    unit: 'KB',
    label: 'Sort memory',
    words: { 0: 'the server’s own' },
    help: 'Memory that a session may use for a sort before it writes temporary files, in KB of 1,024 bytes. 0: the server’s own setting.',
    scope: 'session',
    appliesTo: ({ isSorted }) => isSorted,
  }),
};
