import { type EngineOption, option } from '#engine-api/option.ts';

export const distributions = ['default', 'partitionByKey', 'partitionByColumn', 'replicate'] as const;
const persistences = ['no', 'sync', 'async'] as const;
const evictions = ['none', 'lruCount', 'lruHeap'] as const;
const evictionActions = ['destroy', 'overflow'] as const;

/**
 * The options of tables belong to SQLFire's family (SQL reference, CREATE TABLE); Derby accepts their defaults alone.
 */
export const options: readonly EngineOption[] = [
  option('distribution', 'Distribution', {
    help: 'SQLFire’s family. default: as the server decides for a table without a clause (replicated where it knows no key to partition by, by its table-default-partitioned). partitionByKey: PARTITION BY PRIMARY KEY. partitionByColumn: PARTITION BY COLUMN (the first column without nulls that is neither the key nor what updates change; where there is none, updates are refused). replicate: REPLICATE, every row on every member.',
    choices: distributions,
    defaultValue: 'default',
  }),
  option('buckets', 'Buckets', {
    help: 'SQLFire’s family: BUCKETS of a partitioned table. 0: the server’s default (113).',
    min: 0,
    max: 32_766,
    defaultValue: 0,
  }),
  option('redundancy', 'Redundant copies', {
    help: 'SQLFire’s family: REDUNDANCY of a partitioned table. Each copy needs one more member.',
    min: 0,
    max: 3,
    defaultValue: 0,
  }),
  option('colocateWith', 'Colocate with', {
    help: 'SQLFire’s family: an existing partitioned table, as schema.table. Rows with the same partitioning value are stored in the same member as its rows. Empty: none. Needs partitionByKey or partitionByColumn.',
    defaultValue: '',
  }),
  option('persistent', 'Persistent', {
    help: 'SQLFire’s family: sync and async also write rows to a disk store. With sync a call waits until its row is handed to the operating system, which writes to the disk later (gemfire.syncWrites is off by default); async queues it. no: memory only.',
    choices: persistences,
    defaultValue: 'no',
  }),
  option('eviction', 'Eviction', {
    help: 'SQLFire’s family: lruCount keeps at most evictionCount rows (per member, or per bucket) in memory, lruHeap as many as fit under the server’s eviction-heap-percentage. A heap percentage has to be set at the server, or it evicts nothing.',
    choices: evictions,
    defaultValue: 'none',
  }),
  option('evictionCount', 'Rows kept by lruCount', {
    help: 'Only for eviction: lruCount.',
    min: 1,
    max: 2_000_000_000,
    defaultValue: 100_000,
  }),
  option('evictionAction', 'Evicted rows are', {
    help: 'overflow: written to disk, and still found. destroy: gone from memory, and so from a table that is not persistent: verification then finds fewer rows than were stored, and says so.',
    choices: evictionActions,
    defaultValue: 'overflow',
  }),
];
