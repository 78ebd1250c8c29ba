import type { DatabaseSync } from 'node:sqlite';
import { type AskedTable, type TableFacts, typeWords } from '#engine-api/table-facts.ts';
import { distinctAlone } from '../../shared/import-tables/statistics.ts';
import { isOurs, quote } from '../tables.ts';

type Row = Readonly<Record<string, unknown>>;

/** Definitions of the user's tables, and the statistics of ANALYZE in sqlite_stat1, without reading their rows. */
export function readTableFacts(database: DatabaseSync, asked: readonly AskedTable[]): readonly TableFacts[] {
  const read = (sql: string, ...values: string[]): readonly Row[] => database.prepare(sql).all(...values) as Row[];
  const hasStatistics = read("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'").length > 0;
  return read(
    "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
  )
    .filter(({ name, sql }) => !isOurs(String(name), String(sql)))
    .filter(({ name }) => asked.length === 0 || asked.some((one) => one.name === name))
    .map(({ name }) => factsOf(read, String(name), hasStatistics));
}

function factsOf(
  read: (sql: string, ...values: string[]) => readonly Row[],
  name: string,
  hasStatistics: boolean,
): TableFacts {
  const statistics = hasStatistics ? read('SELECT idx, stat FROM sqlite_stat1 WHERE tbl = ?', name) : [];
  const counts = new Map(statistics.map(({ idx, stat }) => [String(idx), String(stat).split(' ').map(Number)]));
  const [counted] = [...counts.values()].map(([rows]) => rows ?? 0);
  const rows = counted ?? Number(read(`SELECT count(*) AS n FROM ${quote(name)}`)[0]?.n ?? 0);
  const columns = read('SELECT * FROM pragma_table_xinfo(?) ORDER BY cid', name);
  const indexes = read('SELECT * FROM pragma_index_list(?) ORDER BY name', name).map((index) => ({
    ...index,
    parts: read('SELECT * FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno', String(index.name)),
  })) as readonly (Row & { readonly parts: readonly Row[] })[];
  const keys = Map.groupBy(read('SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq', name), ({ id }) => id);
  const key = columns.filter(({ pk }) => Number(pk) > 0).toSorted((a, b) => Number(a.pk) - Number(b.pk));
  const distinctOf = (column: string): number | null => {
    const own = indexes.find(({ parts }) => parts[0]?.name === column);
    const each = own && counts.get(String(own.name))?.[1];
    return each ? Math.max(1, Math.round(rows / each)) : null;
  };
  return {
    schema: null,
    name,
    rows,
    columns: columns.map((column) => {
      const distinct = distinctOf(String(column.name));
      return {
        name: String(column.name),
        ...typeWords(String(column.type)),
        isNullable: Number(column.notnull) === 0 && Number(column.pk) === 0,
        isCounted: false,
        isComputed: Number(column.hidden) > 1,
        isArray: false,
        labels: null,
        statistics: distinct === null ? null : distinctAlone(distinct),
      };
    }),
    key: key.map((column) => String(column.name)),
    foreignKeys: [...keys.values()].map((parts) => ({
      columns: parts.map(({ from }) => String(from)),
      schema: null,
      table: String(parts[0]!.table),
      referred: parts.flatMap(({ to }) => (to === null ? [] : [String(to)])),
    })),
    indexes: indexes
      .filter(({ origin }) => origin !== 'pk')
      .map(({ name: index, unique, partial, parts }) => {
        const isPlain = Number(partial) === 0 && parts.every((part) => part.name !== null);
        return {
          name: String(index),
          parts: parts.map(({ name: column, desc }) => ({
            column: String(column),
            ...(Number(desc) === 1 && { desc: true as const }),
          })),
          include: [],
          where: null,
          unique: Number(unique) === 1,
          kind: isPlain ? ('btree' as const) : null,
          method: Number(partial) === 1 ? 'partial' : 'expression',
          visible: true,
        };
      }),
    joint: [],
    notes: [
      hasStatistics
        ? `SQLite keeps the number of different values of indexed columns of ${name} alone: other columns have the values of their definition.`
        : `There are no statistics of ${name}: run ANALYZE. Its columns have the values of their definition.`,
    ],
  };
}
