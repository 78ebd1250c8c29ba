import type { Connection } from 'tedious';
import type { Operation } from '#engine-api/operation.ts';
import type { ColumnType, TablePlan } from '#model/dataset/dataset.ts';
import { commitsTurns } from '../../shared/loop-commit.ts';
import { quote, sentColumns, tableSql } from '../names.ts';
import { maxBytes } from '../values/values.ts';
import { rpcRequest, send } from '../wire/request.ts';
import { executeSqlHead, parameters } from '../wire/rpc.ts';
import { type Collation, wireType } from '../wire/tds.ts';

const counter = { kind: 'bigint' } as const;

/**
 * A WHILE loop with one INSERT a turn and random rows that the server makes, which shows the server's speed without a
 * client. It runs in one transaction, or each INSERT commits by itself (option loopCommit). NOCOUNT saves a message a
 * turn, unless option loopCounts asks for it; XACT_ABORT lets a cancelled transaction leave nothing behind. Both end
 * with the batch.
 */
export function serverLoopSql(table: TablePlan): string {
  const columns = sentColumns(table).map((c) => table.columns[c]!);
  const [begin, commit] = commitsTurns(table.options) ? ['', ''] : ['BEGIN TRANSACTION;\n', 'COMMIT TRANSACTION;\n'];
  return `SET NOCOUNT ${table.options.loopCounts === true ? 'OFF' : 'ON'};
SET XACT_ABORT ON;
DECLARE @turn bigint = 0;
${begin}WHILE @turn < @P0
BEGIN
  INSERT INTO ${tableSql(table)} (${columns.map(({ name }) => quote(name)).join(', ')}) VALUES (${columns.map(({ type }) => randomSql(type)).join(', ')});
  SET @turn += 1;
END;
${commit}SET NOCOUNT OFF;
SELECT @turn AS turns;`;
}

export function serverLoop(connection: Connection, table: TablePlan, collation: Collation): Operation<Buffer> {
  const head = executeSqlHead(serverLoopSql(table), '@P0 bigint', collation);
  const wire = wireType(counter, collation);
  return {
    encode: (batch) => {
      const column = { kind: 'number', values: Float64Array.of(batch.rows), nulls: null } as const;
      return parameters(head, [{ column, type: counter, wire, nullWire: wire }], 1);
    },
    async run(call) {
      let turns = 0;
      await send(connection, rpcRequest, call, (request) =>
        request.on('row', (columns: readonly { readonly value: unknown }[]) => {
          turns = Number(columns[0]?.value);
        }),
      );
      return turns;
    },
  };
}

/** The 36 random characters of a NEWID. */
const randomText = (length: number): string =>
  length <= 36
    ? `LEFT(CAST(NEWID() AS varchar(36)), ${Math.max(1, length)})`
    : `LEFT(REPLICATE(CAST(CAST(NEWID() AS varchar(36)) AS varchar(max)), ${Math.ceil(length / 36)}), ${length})`;

/** A random value of a type. Only NEWID is new for every column and turn. */
function randomSql(type: ColumnType): string {
  const random = 'ABS(CAST(CAST(NEWID() AS binary(8)) AS bigint) % 9007199254740991)';
  switch (type.kind) {
    case 'uuid':
      return 'NEWID()';
    case 'bigint':
      return random;
    case 'text':
      return randomText(type.maxLength);
    case 'decimal':
      return `CAST(${random} % ${10 ** type.precision} AS decimal(38, ${type.scale})) / ${10 ** type.scale}`;
    case 'timestamp':
      return `DATEADD(second, ${random} % 172800000, CAST('2020-01-01' AS datetime2(6)))`;
    case 'boolean':
      return `CAST(${random} % 2 AS bit)`;
    case 'bytes':
      return `CAST(${randomText(type.maxLength)} AS varbinary(${type.maxLength > maxBytes ? 'max' : Math.max(1, type.maxLength)}))`;
  }
}
