import type { Connection } from 'tedious';
import { decodeColumn } from '#contract/decode.ts';
import type { OwnStatement, StatementPlan } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import type { OwnTable, ShownRows } from '#contract/statements.ts';
import { supportOf } from '#contract/support-of.ts';
import { shownRows, shownText, templateOf } from '../own-statement.ts';
import { groupTables, mostOwnColumns } from '../own-tables.ts';
import { descriptor, statementLanguage } from './descriptor.ts';
import { isRounded, withExactValues } from './exact-values.ts';
import { schemaName, tableSql } from './names.ts';
import type { SessionContext } from './operations.ts';
import { batchBody, execute, query, rpcRequest, send, sqlBatch } from './request.ts';
import { executeHead, executeSqlHead, parameters } from './rpc.ts';
import { declarations } from './statements.ts';
import { wireType } from './tds.ts';
import { literal } from './values.ts';

interface Call {
  readonly type: number;
  readonly body: Buffer;
  readonly literal: () => string;
}

/** A statement of the user's own: `:name` becomes `@P0`, `@P1`…, declared as its parameter is. */
export async function prepareOwn(session: SessionContext, plan: StatementPlan): Promise<OwnStatement> {
  supportOf(descriptor, 'statement', plan.method);
  const { connection, collation } = session;
  const template = templateOf(plan, statementLanguage, tableSql);
  const used = [...new Set(template.places)];
  const types = used.map((parameter) => plan.parameters[parameter]!.type);
  const sql = template.render((parameter) => `@P${used.indexOf(parameter)}`);
  const declared = declarations(types, 1);
  const head =
    plan.method === 'prepared'
      ? executeHead(await session.prepared(sql, declared))
      : executeSqlHead(sql, declared, collation);
  const wires = types.map((type) => wireType(type, collation));
  const show = async (call: unknown, most: number): Promise<ShownRows> => {
    const { type, body } = call as Call;
    const { names, rows, count } = await withExactValues(connection, () => received(connection, type, body, most));
    const shown = shownRows(
      names,
      rows.map((row) => row.map((value) => (isRounded(value) ? value.shown : value))),
      most,
      count,
    );
    if (!rows[0]?.some(isRounded)) return shown;
    return { ...shown, first: rows[0].map((value) => shownText(isRounded(value) ? value.exact : value)) };
  };
  return {
    encode(batch): Call {
      const withValues = () =>
        template.render((parameter) => {
          const { type } = plan.parameters[parameter]!;
          return literal(decodeColumn(batch.columns[parameter]!, type, 1)[0]!, type);
        });
      if (plan.method === 'literal') return { type: sqlBatch, body: batchBody(withValues()), literal: withValues };
      const columns = used.map((parameter, i) => ({
        column: batch.columns[parameter]!,
        type: types[i]!,
        wire: wires[i]!,
        nullWire: wires[i]!,
      }));
      return { type: rpcRequest, body: parameters(head, columns, 1), literal: withValues };
    },
    run: (call) => send(connection, (call as Call).type, (call as Call).body),
    first: (call) => show(call, 1),
    show,
    async explain(call) {
      const text = (call as Call).literal();
      // It has to be alone in its batch; what follows is compiled and not run.
      await execute(connection, 'SET SHOWPLAN_TEXT ON');
      try {
        const { rows } = await received(connection, sqlBatch, batchBody(text), mostPlanLines);
        if (rows.length === 0)
          throw new DynoError('unsupported', 'SQL Server has no plan for a statement of this kind.');
        return rows.map(([line]) => String(line)).join('\n');
      } finally {
        await execute(connection, 'SET SHOWPLAN_TEXT OFF');
      }
    },
  };
}

const mostPlanLines = 10_000;

interface Cell {
  readonly metadata: { readonly colName: string };
  readonly value: unknown;
}

async function received(connection: Connection, type: number, body: Buffer, most: number) {
  const rows: unknown[][] = [];
  let names: readonly string[] = [];
  const count = await send(connection, type, body, (request) => {
    request.on('columnMetadata', (columns: unknown) => {
      names = (columns as readonly { readonly colName: string }[]).map(({ colName }) => colName);
    });
    request.on('row', (cells: readonly Cell[]) => {
      if (rows.length < most) rows.push(cells.map(({ value }) => value));
    });
  });
  return { names, rows, count };
}

/** Tables and views of the database, without Dyno's. */
export async function ownTables(connection: Connection): Promise<readonly OwnTable[]> {
  const rows = await query<Record<'schema_name' | 'table_name' | 'column_name', string>>(
    connection,
    `SELECT TOP ${mostOwnColumns} TABLE_SCHEMA AS schema_name, TABLE_NAME AS table_name, COLUMN_NAME AS column_name
       FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA <> '${schemaName}' AND TABLE_SCHEMA <> 'sys'
      ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  );
  return groupTables(
    rows.map((row) => ({
      schema: row.schema_name === 'dbo' ? null : row.schema_name,
      name: row.table_name,
      column: row.column_name,
    })),
  );
}
