/*
 * Private members of tedious that this file uses; driver-privates.test.ts has a contract for each:
 * Connection.makeRequest.
 */
import sql, { type IResult } from 'mssql';
import type { Connection, Request } from 'tedious';
import type { CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import type { AnswerColumn } from '../statements/bound-type.ts';
import { customText, keptExactly, prepareCustomStatement } from '../statements/custom-statement.ts';
import type { SessionContext } from '../statements/operations.ts';
import type { Requests, Statement } from './operations.ts';
import { type MssqlParameter, type MssqlValue, mssqlValues, sqlType } from './values.ts';

interface Call {
  /** The statement with its parameters, or a batch without any. */
  readonly statement: Statement;
  readonly values: readonly MssqlValue[];
  /** The values for Dyno's own questions about the statement, outside of the clock. */
  readonly batch: Batch;
  readonly declared: readonly (string | null)[];
}

/**
 * A custom statement as users of `mssql` send it: literal by batch(), bind by query() with inputs, prepared by a
 * PreparedStatement. Its plan is asked by `own`, without the pool.
 */
export async function prepareMssqlStatement(
  requests: Requests,
  own: SessionContext,
  plan: StatementPlan,
): Promise<CustomStatement<Call>> {
  const { connection } = own;
  const { used, types, toProcedure, render, written, declaredFor } = customText(plan);
  const made = new Map<string, Statement>();
  const statementFor = (declared: readonly (string | null)[]): Statement => {
    const as = used.map((parameter) => declaredFor(parameter, declared));
    const key = JSON.stringify(as);
    let statement = made.get(key);
    if (!statement) {
      const casts = types.map((type, i) => (isText(type) ? null : (as[i] ?? wideDecimal(type))));
      statement = {
        text: render((parameter, nth) => {
          const i = used.indexOf(parameter);
          return casts[i] && !toProcedure[nth] ? `CAST(@P${i} AS ${casts[i]})` : `@P${i}`;
        }),
        parameters: types.map((type, i): MssqlParameter => ({ name: `P${i}`, type: parameterType(type, as[i]!) })),
      };
      made.set(key, statement);
    }
    return statement;
  };
  const result = async ({ statement, values }: Call): Promise<Answer> => {
    if (plan.method === 'prepared') {
      // The types lack its row mode.
      const prepared = Object.assign(await requests.prepared(statement), { arrayRowMode: true });
      return prepared.execute(
        Object.fromEntries(statement.parameters.map(({ name }, i) => [name, values[i]])),
      ) as Promise<Answer>;
    }
    const request = await requests.request();
    request.arrayRowMode = true;
    if (plan.method === 'literal') return request.batch(statement.text) as Promise<Answer>;
    for (const [i, { name, type }] of statement.parameters.entries()) request.input(name, type, values[i]);
    return request.query(statement.text) as Promise<Answer>;
  };
  /** The driver returns whole answers. `limit`: rows beyond it are not counted. */
  const answer = (call: Call, most: number, limit = Number.POSITIVE_INFINITY) =>
    keptExactly(connection, most, async () => {
      const { answer: whole, columns } = await withColumns(connection, () => result(call));
      // FOR JSON and FOR XML arrive as objects, even if rows are asked for as arrays.
      const rows = whole.recordsets
        .flat()
        .map((row: unknown) => (Array.isArray(row) ? row : Object.values(row as object)));
      const isCut = rows.length > limit;
      return {
        columns: whole.recordsets.length > 0 ? columns : [],
        rows,
        ...(isCut ? { count: limit, hasMore: true } : { count: countOf(whole) }),
      };
    });
  if (plan.method === 'prepared') await requests.prepared(statementFor([]));
  const asked = ({ batch, declared }: Call) =>
    prepareCustomStatement(own, plan).then((statement) => ({ statement, call: statement.encode(batch, declared) }));
  return {
    encode(batch, declared = []) {
      if (plan.method === 'literal')
        return { statement: { text: written(batch, declared), parameters: [] }, values: [], batch, declared };
      const values = used.map((parameter, i) => parameterValue(batch, parameter, types[i]!));
      return { statement: statementFor(declared), values, batch, declared };
    },
    run: async (call) => countOf(await result(call)),
    answer: (call, most) => answer(call, most),
    show: async (call, most) => (await answer(call, most, most)).read(),
    async explain(of) {
      const { statement, call } = await asked(of);
      return statement.explain(call);
    },
    async queryPlan(of) {
      const { statement, call } = await asked(of);
      return statement.queryPlan!(call);
    },
  };
}

type Answer = IResult<unknown>;

/**
 * The rows that the server counted, or those that it returned. Null: neither, as for a procedure after SET NOCOUNT ON.
 */
function countOf({ rowsAffected, recordsets }: Answer): number | null {
  if (rowsAffected.length > 0) return rowsAffected.reduce((sum, rows) => sum + rows, 0);
  const all = recordsets as readonly (readonly unknown[])[];
  return all.length > 0 ? all.reduce((sum, rows) => sum + rows.length, 0) : null;
}

/** The digits of a JavaScript number, which this driver sends for a decimal. */
const digitsOfNumber = 15;
const isText = ({ kind }: ParameterType): boolean => kind === 'text';

/** The type to which a longer decimal is cast, because it is sent as text. Null: it is sent as it is. */
const wideDecimal = (type: ParameterType): string | null =>
  type.kind === 'decimal' && type.precision > digitsOfNumber ? `decimal(${type.precision}, ${type.scale})` : null;

/**
 * A text is declared as the column from which it was captured: against nvarchar a varchar column would be converted.
 */
function parameterType(type: ParameterType, declared: string | null) {
  if (wideDecimal(type) !== null) return sql.VarChar(maxDecimalText);
  const [, name, length] = /^(n?(?:var)?char)\((\w+)\)$/.exec(declared ?? '') ?? [];
  if (name === undefined) return sqlType(type);
  const size = length === 'max' ? sql.MAX : Number(length);
  return { varchar: sql.VarChar, char: sql.Char, nvarchar: sql.NVarChar, nchar: sql.NChar }[name]!(size);
}

/** Sign, 38 digits and a point. */
const maxDecimalText = 40;

const parameterValue = (batch: Batch, parameter: number, type: ParameterType): MssqlValue => {
  const column = batch.columns[parameter]!;
  if (wideDecimal(type) === null) return mssqlValues(column, type, 1)[0]!;
  const value = decodeColumn(column, type, 1)[0]!;
  return value === null ? null : String(value);
};

/**
 * The answer of `work`, and the columns of its last result as the connection describes them: those of `mssql` have
 * neither a text's collation nor its length in bytes.
 */
async function withColumns<T>(connection: Connection, work: () => Promise<T>) {
  let columns: readonly AnswerColumn[] = [];
  const { makeRequest } = connection;
  connection.makeRequest = (request: Request, ...rest) => {
    request.on('columnMetadata', (described: unknown) => {
      columns = described as readonly AnswerColumn[];
    });
    return makeRequest.call(connection, request, ...rest);
  };
  try {
    return { answer: await work(), columns };
  } finally {
    connection.makeRequest = makeRequest;
  }
}
