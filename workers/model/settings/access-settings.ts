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
    help: 'Which existing keys are read, updated or deleted. hotspot: 80 % of the calls go to 20 % of the keys. latest: zipf, with the newest row as the most frequent one; custom statements also choose from the rows that they have inserted.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => !['insert', 'copy', 'scan'].includes(operation),
  }),
  workingSet: defineSetting({
    schema: decimal(0.000_001, 1),
    default: 1,
    label: 'Working set',
    help: 'Share of the rows that calls choose from: the rows that were loaded first, which are stored together if keys ascend. For ranges over a column: the lowest share of its values. 1: all rows.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => !['insert', 'copy', 'scan', 'delete'].includes(operation),
  }),
  fetchSize: defineSetting({
    schema: integer(1, 1_000_000),
    default: 1_000,
    label: 'Fetch size',
    help: 'Rows that a cursor fetches at a time for ranges, scans and copies: one round trip each, or the rows buffered ahead where the protocol streams. Where an answer comes as a whole, only the default is possible.',
    scope: 'call',
    appliesTo: whereUsed,
    asks: ({ operation }) => ['readRange', 'scan', 'copy'].includes(operation),
  }),
  rangeRows: defineSetting({
    schema: integer(1, 10_000_000),
    default: 100,
    label: 'Rows per range',
    help: 'Rows that one range read returns.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => operation === 'readRange',
  }),
  rangeColumn: defineSetting({
    schema: columnName,
    default: '',
    label: 'Range column',
    help: 'Column of numbers or times in which a range read asks for all values from a lower bound (inclusive) to an upper bound (exclusive), chosen so that about `rangeRows` rows match. Empty: a range begins at a key and ends after `rangeRows` rows.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => operation === 'readRange',
  }),
  copyFrom: defineSetting({
    schema: v.pipe(v.string(), v.maxLength(120)),
    default: '',
    label: 'Copy from',
    help: 'For copy: the target of this experiment whose rows are read; Dyno loads them there before the clock starts. Empty: a second table of the same target.',
    scope: 'call',
    changesRows: true,
    appliesTo: ({ operation }) => operation === 'copy',
  }),
  orderBy: defineSetting({
    schema: columnName,
    default: '',
    label: 'Sort column',
    help: 'Column by which a scan sorts all rows (ORDER BY); the engine decides the order of nulls, and of texts that its collation treats as equal. Empty: the scan is not sorted.',
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
    help: 'Memory that a session may use for a sort (KB of 1,024 bytes) before it writes temporary files. 0: the server’s own setting.',
    scope: 'session',
    appliesTo: ({ isSorted }) => isSorted,
  }),
};
