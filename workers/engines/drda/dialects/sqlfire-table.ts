import { changedColumn } from '#model/dataset/changed-column.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { Options } from '#model/settings/options.ts';
import { catalogName, quote, schemaName } from '../names.ts';
import { options as allOptions } from '../options.ts';

/** The clauses of CREATE TABLE that say how a table is kept (SQL reference of GemFire XD, "CREATE TABLE"). */
interface TableClauses {
  /** The clauses behind the columns: empty, or with a space in front. */
  readonly sql: string;
  /** The reason, as a sentence, why these options exclude each other. Null: they do not. */
  readonly refusal: string | null;
  /** The option that writes to disk. Null: none does. */
  readonly needsDisk: 'persistent' | 'evictionAction' | null;
}

/** Makes the clauses from the options. Pure. */
export function readTableClauses(table: TablePlan): TableClauses {
  const given = optionsOf(table.options);
  const evicts = given.eviction !== 'none';
  return {
    sql: [
      distribution(table),
      ...partitioning(given, table.partitions?.count ?? Number(given.buckets)),
      eviction(given),
      persistence(given),
    ]
      .filter((clause) => clause !== '')
      .map((clause) => ` ${clause}`)
      .join(''),
    refusal: refusalOf(table),
    needsDisk:
      given.persistent !== 'no'
        ? 'persistent'
        : evicts && given.evictionAction === 'overflow'
          ? 'evictionAction'
          : null,
  };
}

const optionsOf = (given: Options) =>
  Object.fromEntries(allOptions.map(({ name, defaultValue }) => [name, given[name] ?? defaultValue])) as Options;

function distribution(table: TablePlan): string {
  const { distribution: kind } = optionsOf(table.options);
  if (table.partitions)
    return table.key === table.partitions.by
      ? 'PARTITION BY PRIMARY KEY'
      : `PARTITION BY COLUMN (${quote(table.columns[table.partitions.by]!.name)})`;
  if (kind === 'replicate') return 'REPLICATE';
  if (kind === 'partitionByKey') return 'PARTITION BY PRIMARY KEY';
  return kind === 'partitionByColumn' ? `PARTITION BY COLUMN (${quote(partitioningColumn(table) ?? '')})` : '';
}

/**
 * The column by which rows are partitioned: the first one without nulls that is neither the key nor changed by updates,
 * because no row may move to another partition. If there is none, it is the column that updates change, and the server
 * refuses them. Columns with nulls are left out: snappydata-store ends the connection over a literal null.
 */
function partitioningColumn(table: TablePlan): string | null {
  const changed = changedColumn(table);
  const candidates = table.columns.filter(({ nullable }, c) => !nullable && c !== table.key);
  const free = candidates.find((column) => column !== table.columns[changed ?? -1]);
  return (free ?? candidates[0])?.name ?? null;
}

function partitioning({ colocateWith, redundancy }: Options, buckets: number): readonly string[] {
  return [
    colocateWith === '' ? '' : `COLOCATE WITH (${otherTable(String(colocateWith))?.join('.')})`,
    redundancy === 0 ? '' : `REDUNDANCY ${redundancy}`,
    buckets === 0 ? '' : `BUCKETS ${buckets}`,
  ];
}

/** The quoted names of "schema.table", or of a table of Dyno's. Null: the text is neither. */
function otherTable(name: string): readonly string[] | null {
  const parts = /^(?:([a-z_]\w*)\.)?([a-z_]\w*)$/i.exec(name);
  return parts && [quote(parts[1] ?? schemaName), quote(catalogName(parts[2]!))];
}

function eviction({ eviction: kind, evictionCount, evictionAction }: Options): string {
  if (kind === 'none') return '';
  const by = kind === 'lruCount' ? `LRUCOUNT ${evictionCount}` : 'LRUHEAPPERCENT';
  return `EVICTION BY ${by} EVICTACTION ${String(evictionAction).toUpperCase()}`;
}

const persistence = ({ persistent }: Options): string =>
  persistent === 'no' ? '' : `PERSISTENT ${persistent === 'sync' ? 'SYNCHRONOUS' : 'ASYNCHRONOUS'}`;

/**
 * The reason why the server would refuse the table. Its own message describes its inside, or it ends the connection.
 */
function refusalOf(table: TablePlan): string | null {
  const {
    distribution: kind,
    buckets,
    redundancy,
    colocateWith,
    eviction: evicts,
    evictionAction,
  } = optionsOf(table.options);
  const isPartitioned = kind === 'partitionByKey' || kind === 'partitionByColumn' || table.partitions !== undefined;
  if (table.partitions && (kind !== 'default' || buckets !== 0))
    return 'partitions: PARTITION BY PRIMARY KEY with so many BUCKETS; drda.distribution and drda.buckets say something else.';
  const needPartitions = [
    ['buckets', buckets !== 0],
    ['redundancy', redundancy !== 0],
    ['colocateWith', colocateWith !== ''],
  ] as const;
  const odd = isPartitioned ? undefined : needPartitions.find(([, isGiven]) => isGiven);
  if (odd)
    return `drda.${odd[0]} is of partitioned tables: drda.distribution has to be partitionByKey or partitionByColumn.`;
  if (kind === 'partitionByKey' && table.key === null)
    return 'drda.distribution: partitionByKey — the dataset has no key.';
  if (kind === 'partitionByColumn' && partitioningColumn(table) === null)
    return 'drda.distribution: partitionByColumn — the dataset has no column without nulls besides the key.';
  if (colocateWith !== '' && otherTable(String(colocateWith)) === null)
    return `drda.colocateWith: ${colocateWith} — this is no table’s name; it looks like schema.table.`;
  if (evicts !== 'none' && evictionAction === 'destroy' && !isPartitioned)
    return 'drda.evictionAction: destroy — a replicated table evicts to disk only, for its copies are to be alike.';
  return null;
}
