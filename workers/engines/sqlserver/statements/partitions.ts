import type { Column, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { bucketColumn, partitionNames, quote } from '../names.ts';

/** The number of partitions for `table: partitioned` if the experiment names none. */
const usualPartitions = 16;

/** The number of partitions of a table; 1: it has none. */
export const partitionsOf = ({ partitions, options }: TablePlan): number =>
  partitions?.count ?? (options.table === 'partitioned' ? usualPartitions : 1);

/** The SQL that spreads a table over partitions. */
interface Partitioning {
  /** The statements that run before CREATE TABLE: the partition function and scheme. */
  readonly before: readonly string[];
  /** The definition of the computed column, or nothing. */
  readonly column: string | null;
  /** The columns of the primary key. */
  readonly key: string;
  /** The clause behind the primary key that names its partition scheme. */
  readonly on: string;
}

/**
 * A uuid is spread by its last six bytes, by which SQL Server orders uuids first; an integer by its remainder, in a
 * computed column that becomes part of the primary key.
 */
export function partitioningOf(table: TablePlan, key: Column | null): Partitioning {
  const { function: functionName, scheme } = partitionNames(table);
  const kind = key?.type.kind;
  if (!key && table.partitions)
    throw new DynoError(
      'unsupported',
      'Dyno’s partitions are of the key’s clustered index: the key is there from the beginning.',
      { hint: 'keyCreation: beforeLoad, or partitions: 1.' },
    );
  if (!key || (kind !== 'uuid' && kind !== 'bigint'))
    throw new DynoError('badInput', 'sqlserver.table: partitioned needs a key of type uuid, sequence or integer.', {
      hint: 'Rows are spread by the key’s last bytes or its remainder. Name such a column as dataset.key.',
    });
  const count = partitionsOf(table);
  const lastBytes = (i: number) =>
    Math.floor(((i + 1) * 2 ** 48) / count)
      .toString(16)
      .padStart(12, '0');
  const boundaries = Array.from({ length: count - 1 }, (_, i) =>
    kind === 'uuid' ? `'00000000-0000-0000-0000-${lastBytes(i)}'` : String(i + 1),
  );
  const [type, by] = kind === 'uuid' ? ['uniqueidentifier', key.name] : ['tinyint', bucketColumn];
  return {
    before: [
      `CREATE PARTITION FUNCTION ${quote(functionName)} (${type}) AS RANGE RIGHT FOR VALUES (${boundaries.join(', ')})`,
      `CREATE PARTITION SCHEME ${quote(scheme)} AS PARTITION ${quote(functionName)} ALL TO ([PRIMARY])`,
    ],
    column: kind === 'uuid' ? null : `${quote(bucketColumn)} AS ${bucketOf(quote(key.name), count)} PERSISTED NOT NULL`,
    key: kind === 'uuid' ? quote(key.name) : `${quote(key.name)}, ${quote(bucketColumn)}`,
    on: ` ON ${quote(scheme)} (${quote(by)})`,
  };
}

/** The bucket of a key's value. Searches name it too, so that they read one partition only. */
export const bucketOf = (key: string, count: number): string => `CAST(ABS(${key} % ${count}) AS tinyint)`;

/** Drops them after the table: they are Dyno's if the table was, and have its unique name. */
export function dropPartitioningSql(table: { readonly name: string }): readonly string[] {
  const { function: functionName, scheme } = partitionNames(table);
  return [
    `IF EXISTS (SELECT 1 FROM sys.partition_schemes WHERE name = N'${scheme}') DROP PARTITION SCHEME ${quote(scheme)}`,
    `IF EXISTS (SELECT 1 FROM sys.partition_functions WHERE name = N'${functionName}') DROP PARTITION FUNCTION ${quote(functionName)}`,
  ];
}
