import type { Connection } from 'tedious';
import { decodeColumn } from '#contract/decode.ts';
import type { OwnStatement, StatementPlan } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import type { OwnTable, ShownRows } from '#contract/statements.ts';
import { supportOf } from '#contract/support-of.ts';
import { shownRows, templateOf } from '../own-statement.ts';
import { groupTables, mostOwnColumns } from '../own-tables.ts';
import { descriptor, statementLanguage } from './descriptor.ts';
import { schemaName, tableSql } from './names.ts';
import type { SessionContext } from './operations.ts';
import { ask, batchBody, execute, query, rpcRequest, sqlBatch } from './request.ts';
import { executeHead, executeSqlHead, parameters } from './rpc.ts';
import { declarations } from './statements.ts';
import { wireType } from './tds.ts';
import { literalAnywhere } from './values.ts';

interface Call {
  readonly type: number;
  readonly body: Buffer;
  readonly literal: () => string;
}

/** A statement of the user's own: `:name` becomes `@P0`, `@P1`…, declared as its parameter is. */
export async function prepareOwn(session: SessionContext, plan: StatementPlan): Promise<OwnStatement<Call>> {
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
  const show = async ({ type, body }: Call, most: number): Promise<ShownRows> => {
    const { names, rows, count } = await received(connection, type, body, most);
    return shownRows(names, rows, most, count);
  };
  return {
    encode(batch) {
      const withValues = () =>
        template.render((parameter) => {
          const { type } = plan.parameters[parameter]!;
          return literalAnywhere(decodeColumn(batch.columns[parameter]!, type, 1)[0]!, type);
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
    async run({ type, body }) {
      let returned: number | null = null;
      const told = await ask(connection, type, body, (request) => {
        request.on('columnMetadata', () => {
          returned ??= 0;
        });
        request.on('row', () => {
          returned = (returned ?? 0) + 1;
        });
      });
      return told ?? returned;
    },
    first: (call) => show(call, 1),
    show,
    async explain(call) {
      const text = call.literal();
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
  let returned: number | null = null;
  const told = await ask(connection, type, body, (request) => {
    request.on('columnMetadata', (columns: unknown) => {
      returned ??= 0;
      names = (columns as readonly { readonly colName: string }[]).map(({ colName }) => colName);
    });
    request.on('row', (cells: readonly Cell[]) => {
      returned = (returned ?? 0) + 1;
      if (rows.length < most) rows.push(cells.map(({ value }) => value));
    });
  });
  return { names, rows, count: told ?? returned };
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
