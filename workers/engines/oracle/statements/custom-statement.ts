import oracledb from 'oracledb';
import type { AnsweredRows, CustomStatement, KeptAnswer, StatementPlan } from '#engine-api/statement.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { plainDecimal } from '#model/text/exact-decimal.ts';
import { firstRows, shownRows, templateOf } from '../../shared/custom-statement.ts';
import { groupTables, mostOwnColumns } from '../../shared/user-tables.ts';
import { counted, type SessionState } from '../connection/session-state.ts';
import { descriptor, statementLanguage } from '../descriptor.ts';
import { tableSql } from '../names.ts';
import { answerType } from '../values/column-types.ts';
import { createBinder } from '../values/values.ts';
import { fetchExactly, inexactColumns } from './exact-fetch.ts';
import { fetchLobsAsValues } from './fetching.ts';
import { proveOraclePlans, queryPlanOf } from './query-plan.ts';

interface Call {
  readonly text: string;
  readonly binds: oracledb.BindParameter[];
  readonly literal: () => string;
}

/** A statement of the user's own: `:name` becomes `:1`, `:2`… in the order of the text. */
export function prepareCustomStatement(state: SessionState, plan: StatementPlan): CustomStatement<Call> {
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
  /** `limit`: the most rows that are fetched, after which the driver closes the cursor; {}: all rows. */
  const answered = async (call: Call, most: number, limit: { maxRows?: number }): Promise<KeptAnswer> => {
    const result = await ask(call, { ...exactly!, ...limit }, { ...exactlyAlone!, ...limit });
    return { count: countOf(result), read: () => shown(result, most, limit.maxRows !== undefined) };
  };
  /** `isCut`: up to one row more than `most` was fetched. */
  const shown = (result: oracledb.Result<unknown>, most: number, isCut: boolean): AnsweredRows => {
    const { rows, metaData = [] } = result;
    const isNumber = metaData.map(({ dbType }) => dbType === oracledb.DB_TYPE_NUMBER);
    const inexact = inexactColumns(metaData, state.thin);
    return {
      ...(isCut ? firstRows : shownRows)(
        metaData.map(({ name }) => name),
        ((rows ?? []) as unknown[][])
          .slice(0, most + 1)
          // The driver leaves out the zero before the point.
          .map((row) => row.map((value, c) => (isNumber[c] && value !== null ? plainDecimal(String(value)) : value))),
        most,
        countOf(result),
      ),
      ...(inexact && { inexact }),
      types: metaData.map(answerType),
      declared: metaData.map(({ dbType }) => (dbType === oracledb.DB_TYPE_DATE ? 'DATE' : null)),
    };
  };
  return {
    encode(batch, declared = []) {
      // In a comparison with a TIMESTAMP the server converts a DATE column, and cannot use its index (SQL Language
      // Reference, "Implicit Data Conversion").
      const isDate = (parameter: number): boolean =>
        (declared[parameter] ?? plan.parameters[parameter]!.declared) === 'DATE' &&
        plan.parameters[parameter]!.type.kind === 'timestamp';
      const withValues = () => {
        const literals = binder.literals(batch);
        return template.render((parameter) =>
          isDate(parameter) ? `CAST(${literals[parameter]!} AS DATE)` : literals[parameter]!,
        );
      };
      if (plan.method === 'literal') return { text: withValues(), binds: [], literal: withValues };
      const binds = binder
        .flat(batch, template.places)
        .map((bind, nth) => (isDate(template.places[nth]!) ? { ...bind, type: oracledb.DB_TYPE_DATE } : bind));
      return { text, binds, literal: withValues };
    },
    async run(call) {
      return countOf(await ask(call, options, alone));
    },
    answer: (call, most) => answered(call, most, {}),
    show: async (call, most) => (await answered(call, most, { maxRows: most + 1 })).read(),
    queryPlan: ({ text: own, binds, literal }) =>
      queryPlanOf(state, { text: own, binds, literal, isRead: plan.isRead }),
    explain: (call) =>
      counted(state, async () => {
        await proveOraclePlans(connection);
        await connection.execute(`EXPLAIN PLAN FOR ${call.literal()}`);
        const { rows } = await connection.execute('SELECT plan_table_output FROM TABLE(DBMS_XPLAN.DISPLAY())', [], {
          outFormat: oracledb.OUT_FORMAT_ARRAY,
        });
        return ((rows ?? []) as unknown[][]).map(([line]) => String(line ?? '')).join('\n');
      }),
  };
}

/** The driver has no number for PL/SQL and DDL. */
const countOf = ({ rows, rowsAffected }: oracledb.Result<unknown>): number | null =>
  rows?.length ?? rowsAffected ?? null;

/** Lists tables and views of the user, without Dyno's. */
export async function userTables({ connection }: SessionState): Promise<readonly UserTable[]> {
  const { rows } = await connection.execute(
    `SELECT table_name, column_name FROM user_tab_columns WHERE table_name NOT LIKE 'DYNO\\_%' ESCAPE '\\'
      ORDER BY table_name, column_id FETCH FIRST ${mostOwnColumns} ROWS ONLY`,
    [],
    { outFormat: oracledb.OUT_FORMAT_ARRAY },
  );
  return groupTables(((rows ?? []) as unknown[][]).map((names) => [null, ...names]));
}
