import type { Connection } from 'tedious';
import type { AnsweredRows, CustomStatement, KeptAnswer, StatementPlan } from '#engine-api/statement.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import { DynoError } from '#model/error.ts';
import { partsOf } from '#model/statements/statement-text.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { shownRows, shownText, templateOf } from '../../shared/custom-statement.ts';
import { groupTables, mostOwnColumns } from '../../shared/user-tables.ts';
import { descriptor, statementLanguage } from '../descriptor.ts';
import { schemaName, tableSql } from '../names.ts';
import { isRounded, withExactValues } from '../values/exact-values.ts';
import { literal, literalAnywhere } from '../values/values.ts';
import type { Calls } from '../wire/calls.ts';
import { ask, batchBody, query, rpcRequest, sqlBatch } from '../wire/request.ts';
import { executeHead, executeSqlHead, parameters } from '../wire/rpc.ts';
import { wireType } from '../wire/tds.ts';
import { type AnswerColumn, answerType, declaredAs, literalType, suits } from './bound-type.ts';
import { withMaxdop } from './maxdop.ts';
import { callsOf, type SessionContext } from './operations.ts';
import { cachedText, compiledOnly, queryPlanOf } from './query-plan.ts';
import { declarations } from './statements.ts';

interface Call {
  readonly type: number;
  /** The bytes of the call, or the body behind its head. */
  readonly body: Buffer;
  /** The declarations of a statement that its first run prepares. Null: the call is complete. */
  readonly preparedAs: string | null;
  readonly literal: () => string;
  /** The text by which the server keeps its plan. */
  readonly cachedAs: () => string;
}

/** A statement of the user's own: `:name` becomes `@P0`, `@P1`…, declared with the parameter's type. */
export async function prepareCustomStatement(
  session: SessionContext,
  plan: StatementPlan,
): Promise<CustomStatement<Call>> {
  const { connection, collation } = session;
  const { used, types, render, written, declaredFor } = customText(plan);
  const sql = render((parameter) => `@P${used.indexOf(parameter)}`);
  const usualTypes = used.map((parameter) => declaredFor(parameter, []));
  const usual = declarations(types, 1, usualTypes);
  const isPrepared = plan.method === 'prepared';
  const calls = callsOf(session, plan.method === 'literal' ? sqlBatch : rpcRequest);
  const heads = await statementHeads(session, calls, sql, usual, isPrepared);
  const wires = types.map((type) => wireType(type, collation));
  const answer = async (call: Call, most: number, isWhole = true): Promise<KeptAnswer> => {
    const body = calls.bodyOf(await heads.whole(call));
    return keptExactly(connection, most, () => received(connection, call.type, body, most, isWhole));
  };
  const { startAsking } = calls;
  const run = async (call: Call) => calls.ask(await heads.whole(call));
  return {
    encode(batch, declared = []) {
      const withValues = () => written(batch, declared);
      if (plan.method === 'literal') {
        const text = withValues();
        const literal = () => text;
        const body = calls.call(calls.head(batchBody(text)));
        return { type: sqlBatch, body, preparedAs: null, literal, cachedAs: literal };
      }
      const columns = used.map((parameter, i) => ({
        column: batch.columns[parameter]!,
        type: types[i]!,
        wire: wires[i]!,
        nullWire: wires[i]!,
      }));
      const own = used.map((parameter) => declaredFor(parameter, declared));
      const isUsual = own.every((one, i) => one === usualTypes[i]);
      const as = isUsual ? usual : declarations(types, 1, own);
      const preparedAs = isPrepared && !isUsual ? as : null;
      const before = preparedAs !== null ? nothing : isUsual ? heads.usual : heads.withText(as);
      const body = parameters(before, columns, 1);
      return {
        type: rpcRequest,
        body: preparedAs === null ? calls.call(body) : body,
        preparedAs,
        literal: withValues,
        cachedAs: () => cachedText(sql, as),
      };
    },
    run,
    ...(startAsking && {
      start(call, caller) {
        if (call.preparedAs === null) startAsking(call.body, caller);
        else run(call).then(caller.answered, caller.failed);
      },
    }),
    answer: (call, most) => answer(call, most),
    show: async (call, most) => (await answer(call, most, false)).read(),
    queryPlan: async (call) =>
      queryPlanOf(connection, {
        type: call.type,
        body: calls.bodyOf(await heads.whole(call)),
        cachedAs: call.cachedAs(),
        literal: call.literal,
        isRead: plan.isRead,
      }),
    explain: (call) => explained(connection, call.literal()),
  };
}

/** A custom text as either driver sends it. Throws the errors of templateOf(). */
export function customText(plan: StatementPlan) {
  supportOf(descriptor, 'statement', plan.method);
  const text = plan.isRead ? withMaxdop(plan.text, plan.options) : plan.text;
  const template = templateOf({ ...plan, text }, statementLanguage, tableSql);
  const used = [...new Set(template.places)];
  const toProcedure = argumentsIn(text);
  const typeOf = (parameter: number) => plan.parameters[parameter]!.type;
  const declaredFor = (parameter: number, declared: readonly (string | null)[]): string | null => {
    const one = declared[parameter] ?? plan.parameters[parameter]!.declared ?? null;
    return one !== null && suits(one, typeOf(parameter)) ? one : null;
  };
  return {
    /** Parameters in the order of their first places, each once. */
    used,
    types: used.map(typeOf),
    /** True by place if the parameter is an argument of EXECUTE. */
    toProcedure,
    render: template.render,
    /** The type of the answer's column from which a value was captured, if it suits the parameter. */
    declaredFor,
    /** The text with the values in it. */
    written: (batch: Batch, declared: readonly (string | null)[]): string =>
      template.render((parameter, nth) => {
        const type = literalType(typeOf(parameter), declaredFor(parameter, declared));
        const value = decodeColumn(batch.columns[parameter]!, type, 1)[0]!;
        return toProcedure[nth] ? literal(value, type).replace(/^\((-.*)\)$/, '$1') : literalAnywhere(value, type);
      }),
  };
}

const nothing = Buffer.alloc(0);

/** The bytes before the parameters of a statement's calls, made once for each combination of declarations. */
async function statementHeads(
  session: SessionContext,
  calls: Calls,
  sql: string,
  usualDeclarations: string,
  isPrepared: boolean,
) {
  const withTexts = new Map<string, Buffer>();
  const ofPrepared = new Map<string, Promise<Buffer>>();
  const withText = (declared: string): Buffer => {
    const head = withTexts.get(declared) ?? calls.head(executeSqlHead(sql, declared, session.collation));
    withTexts.set(declared, head);
    return head;
  };
  const preparedHead = (declared: string): Promise<Buffer> => {
    const head =
      ofPrepared.get(declared) ?? session.prepared(sql, declared).then((handle) => calls.head(executeHead(handle)));
    ofPrepared.set(declared, head);
    return head;
  };
  return {
    /** The head of a call whose parameters are declared as in the experiment. */
    usual: isPrepared ? await preparedHead(usualDeclarations) : withText(usualDeclarations),
    /** The head of a call with the statement's text, and with parameters declared as columns of answers. */
    withText,
    /** The complete call. A statement with unusual declarations is prepared with its first call. */
    whole: async ({ body, preparedAs }: Call): Promise<Buffer> =>
      preparedAs === null ? body : calls.call(Buffer.concat([await preparedHead(preparedAs), body])),
  };
}

interface Received {
  readonly columns: readonly AnswerColumn[];
  readonly rows: readonly (readonly unknown[])[];
  readonly count: number | null;
  /** True: there are more rows, which were not fetched. */
  readonly hasMore?: true;
}

/** The answer of a call with `most` rows of it, and their exact values for later calls. */
export async function keptExactly(
  connection: Connection,
  most: number,
  receive: () => Promise<Received>,
): Promise<KeptAnswer> {
  const received = await withExactValues(connection, receive);
  return { count: received.count, read: () => shownExactly(connection, received, most) };
}

function shownExactly(connection: Connection, { columns, rows, count, hasMore }: Received, most: number): AnsweredRows {
  const shown = {
    ...shownRows(
      columns.map(({ colName }) => colName),
      rows.map((row) => row.map((value) => (isRounded(value) ? value.shown : value))),
      most,
      count,
    ),
    ...(hasMore && { hasMore }),
  };
  const codepage = connection.databaseCollation?.codepage;
  const declared = columns.map((one) => declaredAs(one, codepage));
  const types = columns.map(answerType);
  if (!rows.some((row) => row.some(isRounded))) return { ...shown, declared, types };
  const exact = rows.map((row) => row.map((value) => shownText(isRounded(value) ? value.exact : value)));
  return { ...shown, declared, types, exact };
}

const explained = (connection: Connection, text: string): Promise<string> =>
  compiledOnly(connection, 'SET SHOWPLAN_TEXT', async () => {
    const { rows } = await received(connection, sqlBatch, batchBody(text), mostPlanLines, true);
    if (rows.length === 0) throw new DynoError('unsupported', 'SQL Server has no plan for a statement of this kind.');
    return rows.map(([line]) => String(line)).join('\n');
  });

/**
 * True for each place that is an argument of EXECUTE, which accepts only constants (Transact-SQL Reference, "EXECUTE"):
 * no brackets, and no sign but their own.
 */
function argumentsIn(text: string): readonly boolean[] {
  let code = '';
  return partsOf(text, statementLanguage).flatMap((part) => {
    const isArgument = /\bexec(ute)?\s+[^();]*[\w\]"',=]\s*$/i.test(code);
    code += part.kind === 'code' ? part.text : ' x ';
    return part.kind === 'parameter' ? [isArgument] : [];
  });
}

const mostPlanLines = 10_000;
/** The driver's code for a request that was cancelled. */
const cancelledCode = 'ECANCEL';

interface Cell {
  readonly value: unknown;
}

/** `isWhole`: all rows are fetched; else the server is told to stop after the first ones. */
async function received(
  connection: Connection,
  type: number,
  body: Buffer,
  most: number,
  isWhole: boolean,
): Promise<Received> {
  const rows: unknown[][] = [];
  let columns: readonly AnswerColumn[] = [];
  let returned: number | null = null;
  let isCut = false;
  const told = await ask(connection, type, body, (request) => {
    request.on('columnMetadata', (described: unknown) => {
      returned ??= 0;
      columns = described as readonly AnswerColumn[]; // the driver's other form, by name, needs an option
    });
    request.on('row', (cells: readonly Cell[]) => {
      returned = (returned ?? 0) + 1;
      if (rows.length < most) rows.push(cells.map(({ value }) => value));
      else if (!isWhole && !isCut) {
        isCut = true;
        connection.cancel();
      }
    });
  }).catch((thrown: unknown) => {
    // If the answer ended before the server received the attention, there is no error.
    if (!isCut || (thrown as NodeJS.ErrnoException).code !== cancelledCode) throw thrown;
    return null;
  });
  return isCut ? { columns, rows, count: most, hasMore: true } : { columns, rows, count: told ?? returned };
}

/** Lists tables and views of the database, without Dyno's. */
export async function userTables(connection: Connection): Promise<readonly UserTable[]> {
  const rows = await query<Record<'schema_name' | 'table_name' | 'column_name', string>>(
    connection,
    `SELECT TOP ${mostOwnColumns} TABLE_SCHEMA AS schema_name, TABLE_NAME AS table_name, COLUMN_NAME AS column_name
       FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA <> '${schemaName}' AND TABLE_SCHEMA <> 'sys'
      ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`,
  );
  return groupTables(
    rows.map((row) => [row.schema_name === 'dbo' ? null : row.schema_name, row.table_name, row.column_name]),
  );
}
