import oracledb from 'oracledb';
import type { OwnStatement, StatementPlan } from '#contract/engine.ts';
import { plainDecimal } from '#contract/exact-decimal.ts';
import type { OwnTable, ShownRows } from '#contract/statements.ts';
import { supportOf } from '#contract/support-of.ts';
import { shownRows, templateOf } from '../own-statement.ts';
import { groupTables, mostOwnColumns } from '../own-tables.ts';
import { descriptor, statementLanguage } from './descriptor.ts';
import { fetchExactly, inexactColumns } from './exact-fetch.ts';
import { fetchLobsAsValues } from './fetching.ts';
import { tableSql } from './names.ts';
import { counted, type SessionState } from './session-state.ts';
import { createBinder } from './values.ts';

interface Call {
  readonly text: string;
  readonly binds: oracledb.BindParameter[];
  readonly literal: () => string;
}

/** A statement of the user's own: `:name` becomes `:1`, `:2`… in the order of the text. */
export function prepareOwn(state: SessionState, plan: StatementPlan): OwnStatement {
  supportOf(descriptor, 'statement', plan.method);
  const { connection, dialect } = state;
  const template = templateOf(plan, statementLanguage, tableSql);
  const binder = createBinder(
    plan.parameters.map(({ type }) => type),
    dialect,
  );
  const text = template.render((_, nth) => `:${nth + 1}`);
  const options: oracledb.ExecuteOptions = {
    keepInStmtCache: plan.method === 'prepared',
    outFormat: oracledb.OUT_FORMAT_ARRAY,
    fetchTypeHandler: fetchLobsAsValues,
  };
  const alone = { ...options, autoCommit: !plan.isRead };
  const [exactly, exactlyAlone] = [options, alone].map((one) => ({ ...one, fetchTypeHandler: fetchExactly }));
  const ask = ({ text: own, binds }: Call, within: oracledb.ExecuteOptions, without: oracledb.ExecuteOptions) =>
    counted(state, () => connection.execute(own, binds, state.inTransaction ? within : without));
  const show = async (call: unknown, most: number): Promise<ShownRows> => {
    const { rows, rowsAffected, metaData = [] } = await ask(call as Call, exactly!, exactlyAlone!);
    const isNumber = metaData.map(({ dbType }) => dbType === oracledb.DB_TYPE_NUMBER);
    const inexact = inexactColumns(metaData, state.thin);
    return {
      ...shownRows(
        metaData.map(({ name }) => name),
        ((rows ?? []) as unknown[][])
          .slice(0, most)
          // The driver leaves out the zero before the point.
          .map((row) => row.map((value, c) => (isNumber[c] && value !== null ? plainDecimal(String(value)) : value))),
        most,
        rows?.length ?? rowsAffected ?? 0,
      ),
      ...(inexact && { inexact }),
    };
  };
  return {
    encode(batch): Call {
      const withValues = () => {
        const literals = binder.literals(batch);
        return template.render((parameter) => literals[parameter]!);
      };
      return plan.method === 'literal'
        ? { text: withValues(), binds: [], literal: withValues }
        : { text, binds: binder.flat(batch, template.places), literal: withValues };
    },
    async run(call) {
      const { rows, rowsAffected } = await ask(call as Call, options, alone);
      return rows?.length ?? rowsAffected ?? 0;
    },
    first: (call) => show(call, 1),
    show,
    explain: (call) =>
      counted(state, async () => {
        await connection.execute(`EXPLAIN PLAN FOR ${(call as Call).literal()}`);
        const { rows } = await connection.execute('SELECT plan_table_output FROM TABLE(DBMS_XPLAN.DISPLAY())', [], {
          outFormat: oracledb.OUT_FORMAT_ARRAY,
        });
        return ((rows ?? []) as unknown[][]).map(([line]) => String(line ?? '')).join('\n');
      }),
  };
}

/** Tables and views of the user, without Dyno's. */
export async function ownTables({ connection }: SessionState): Promise<readonly OwnTable[]> {
  const { rows } = await connection.execute(
    `SELECT table_name, column_name FROM user_tab_columns WHERE table_name NOT LIKE 'DYNO\\_%' ESCAPE '\\'
      ORDER BY table_name, column_id FETCH FIRST ${mostOwnColumns} ROWS ONLY`,
    [],
    { outFormat: oracledb.OUT_FORMAT_ARRAY },
  );
  return groupTables(
    ((rows ?? []) as unknown[][]).map(([name, column]) => ({
      schema: null,
      name: String(name),
      column: String(column),
    })),
  );
}
