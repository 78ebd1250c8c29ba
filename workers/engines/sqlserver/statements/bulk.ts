import type { Connection } from 'tedious';
import type { Operation } from '#engine-api/operation.ts';
import type { Batch } from '#model/batch/batch.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { rowType, type Server } from '../connection/server.ts';
import { quote, sentColumns, tableSql } from '../names.ts';
import { columnTypeSql } from '../values/values.ts';
import { batchBody, bulkLoad, send, sqlBatch } from '../wire/request.ts';
import { rowsOf } from '../wire/rpc.ts';
import { type Collation, roomFor, shortName, wireType } from '../wire/tds.ts';

const rowToken = 0xd1;
const metadataToken = 0x81;
/** A final DONE without a count ([MS-TDS] 2.2.7.6). */
const done = Buffer.alloc(13);
done[0] = 0xfd;

const nullableFlag = 1;
const updateableFlag = 4;

interface BulkCall {
  readonly statement: Buffer;
  readonly data: Buffer;
}

/** The text of `INSERT BULK` for a load. T-SQL's manual does not describe it: it opens a bulk load message. */
export function insertBulkSql(table: TablePlan, options: BulkOptions, rows: number): string {
  const columns = sentColumns(table).map((c) => {
    const { name, type } = table.columns[c]!;
    return `${quote(name)} ${columnTypeSql(rowType(type, options.server))}`;
  });
  const hints = [
    ...(options.checkConstraints && table.foreignKeys?.length ? ['CHECK_CONSTRAINTS'] : []),
    ...(options.tableLock ? ['TABLOCK'] : []),
    ...(options.batchHint ? [`ROWS_PER_BATCH = ${rows}`] : []),
  ];
  return `INSERT BULK ${tableSql(table)} (${columns.join(', ')})${hints.length > 0 ? ` WITH (${hints.join(', ')})` : ''}`;
}

interface BulkOptions {
  /** True if the server checks constraints; otherwise foreign keys stay untrusted. */
  readonly checkConstraints: boolean;
  readonly tableLock: boolean;
  readonly batchHint: boolean;
  readonly server: Server;
}

/** COLMETADATA of the rows to come (2.2.7.4). */
function metadata(table: TablePlan, collation: Collation, server: Server): Buffer {
  const sent = sentColumns(table);
  const head = Buffer.alloc(3);
  head[0] = metadataToken;
  head.writeUInt16LE(sent.length, 1);
  const columns = sent.map((c) => {
    const { name, type, nullable } = table.columns[c]!;
    const flags = Buffer.alloc(6); // user type 0, flags
    flags.writeUInt16LE(updateableFlag | (nullable ? nullableFlag : 0), 4);
    return Buffer.concat([flags, wireType(rowType(type, server), collation).info, shortName(name)]);
  });
  return Buffer.concat([head, ...columns]);
}

/** A bulk load sends one INSERT BULK and one message of rows for each call, so two round trips, as in every client. */
export function bulkInsert(
  connection: Connection,
  table: TablePlan,
  options: BulkOptions,
  collation: Collation,
): Operation<BulkCall> {
  const head = metadata(table, collation, options.server);
  const sent = sentColumns(table);
  const statements = new Map<number, Buffer>();
  const statementFor = (rows: number): Buffer => {
    const made = statements.get(rows) ?? batchBody(insertBulkSql(table, options, rows));
    statements.set(rows, made);
    return made;
  };
  return {
    encode: (batch) => ({ statement: statementFor(batch.rows), data: rowData(batch) }),
    async run({ statement, data }) {
      await send(connection, sqlBatch, statement);
      return send(connection, bulkLoad, data);
    },
  };

  function rowData(batch: Batch): Buffer {
    const columns = sent.map((c) => {
      const type = rowType(table.columns[c]!.type, options.server);
      return { column: batch.columns[c]!, type, wire: wireType(type, collation) };
    });
    const room = columns.reduce(
      (sum, { column, type }) => sum + roomFor(column, type, batch.rows),
      batch.rows + done.length,
    );
    return Buffer.concat([head, rowsOf(columns, batch.rows, rowToken, room, done)]);
  }
}
