import pg from 'pg';
import type { Caller } from '#engine-api/operation.ts';
import type { AnsweredRows, CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import { DynoError } from '#model/error.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { AnswerType, UserTable } from '#model/statements/statements.ts';
import { shownRows, templateOf } from '../../shared/custom-statement.ts';
import { promised } from '../../shared/promised.ts';
import { groupTables, mostOwnColumns } from '../../shared/user-tables.ts';
import type { Connected } from '../connection/connect.ts';
import { descriptor, statementLanguage } from '../descriptor.ts';
import { toError } from '../errors.ts';
import { schemaName, tableSql } from '../names.ts';
import { flatRows, literal, type ParameterValue } from '../values/values.ts';
import { bindRows } from '../wire/bind-rows.ts';
import { CallRequest } from '../wire/call-request.ts';
import type { LeanPath } from '../wire/lean-path.ts';
import { executeUnnamed, simpleQuery } from '../wire/messages.ts';
import { type AnswerColumn, ParseRequest, query, send } from '../wire/requests.ts';
import { parseStatement } from './operations.ts';
import { explaining, provePostgresPlans, queryPlanOf } from './query-plan.ts';

interface Call {
  readonly text: string;
  /** Null: the values are in the text. */
  readonly batch: Batch | null;
  /** The values for the driver. Null: they are made only if the driver is used after all. */
  readonly values: ParameterValue[] | null;
  /** The call's messages on the lean path. */
  readonly messages: Uint8Array | null;
}

/** A statement of the user's own: `:name` becomes `$n`, whose type the server derives from its place. */
export async function prepareCustomStatement(
  { client, lean }: Connected,
  plan: StatementPlan,
): Promise<CustomStatement<Call>> {
  supportOf(descriptor, 'statement', plan.method);
  const template = templateOf(plan, await languageOf(client), tableSql);
  const types = plan.parameters.map(({ type }) => type);
  // The server counts parameters up to the highest number, so those that the text leaves out are not sent.
  const used = [...new Set(template.places)];
  const text = template.render((parameter) => `$${used.indexOf(parameter) + 1}`);
  const parsed = plan.method === 'prepared' ? await parseStatement(client, text) : null;
  const bind = lean && parsed && bindRows(parsed.name, types, used);
  if (plan.method === 'literal') await refuseSeveral(client, text);
  const encode = (batch: Batch): Call => {
    if (plan.method === 'literal') {
      const all = flatRows(batch, types);
      const written = template.render((parameter) => literal(all[parameter]!));
      return { text: written, batch: null, values: null, messages: lean && simpleQuery(written) };
    }
    if (bind) return { text, batch, values: null, messages: bind(batch) };
    const values = valuesOf(batch);
    return { text, batch, values, messages: lean && executeUnnamed(text, values) };
  };
  const valuesOf = (batch: Batch): ParameterValue[] => {
    const all = flatRows(batch, types);
    return used.map((parameter) => all[parameter]!);
  };
  const valuesIn = ({ batch, values }: Call) => values ?? (batch && valuesOf(batch));
  const ask = (asked: string, values: ParameterValue[] | null, name?: string) =>
    // The extended protocol also takes a statement without parameters, and only one.
    query(client, {
      text: asked,
      ...(name !== undefined && { name }),
      rowMode: 'array',
      ...(values && { values, queryMode: 'extended' }),
    });
  return {
    encode,
    ...(lean ? startedBy(lean) : { run: async (call) => touchedBy(await ask(call.text, call.values, parsed?.name)) }),
    async answer(call, most) {
      const { messages } = call;
      if (!lean || !messages) {
        const whole = await ask(call.text, call.values, parsed?.name);
        return { count: touchedBy(whole), read: () => shown(whole, most) };
      }
      const { promise, resolve, reject } = Promise.withResolvers<number | null>();
      const request = new CallRequest(messages, { answered: resolve, failed: reject }, null, most);
      lean.send(request);
      const count = await promise;
      const fields = request.columns ?? parsed?.columns ?? [];
      return { count, read: () => shownText(fields, request.rowsAsText(), most, count) };
    },
    async show(call, most) {
      const values = valuesIn(call) ?? [];
      const config = { text: call.text, ...(parsed && { name: parsed.name }), values, queryMode: 'extended' };
      const answer = await query(client, { ...config, rowMode: 'array' }, most + 1);
      return { ...shown(answer, most), ...(answer.rows.length > most && { count: most, hasMore: true }) };
    },
    queryPlan: (call) =>
      queryPlanOf(client, { text: call.text, name: parsed?.name, values: valuesIn(call), isRead: plan.isRead }),
    async explain(call) {
      // A statement that cannot be explained would end its transaction.
      await client.query('SAVEPOINT dyno_explain');
      try {
        await provePostgresPlans(client);
        const planned = { text: call.text, name: parsed?.name, values: valuesIn(call) };
        const { rows } = await client.query<[string]>({
          ...(await explaining(client, 'EXPLAIN (FORMAT TEXT)', planned)),
          rowMode: 'array',
        });
        return rows.map(([line]) => line).join('\n');
      } catch (error) {
        await client.query('ROLLBACK TO SAVEPOINT dyno_explain');
        if (toError(error).kind === 'syntax')
          throw new DynoError('unsupported', 'PostgreSQL has no plan for a statement of this kind.');
        throw error;
      }
    },
  };
}

/** The functions that send calls on the lean path, where each call has its own messages. */
const startedBy = (lean: LeanPath): Pick<CustomStatement<Call>, 'run' | 'start'> => {
  const start = ({ messages }: Call, caller: Caller<number | null>) => lean.send(new CallRequest(messages!, caller));
  return { start, run: promised(start) };
};

/**
 * The language of the session. Before 9.1 a backslash was an escape within '…', and a setting can still make it one.
 */
/** The language of a session's texts: a setting of the server gives backslashes a meaning. */
export async function languageOf(client: pg.Client): Promise<StatementLanguage> {
  const { rows } = await client.query<{ standard_conforming_strings: string }>('SHOW standard_conforming_strings');
  if (rows[0]?.standard_conforming_strings !== 'off') return statementLanguage;
  return { ...statementLanguage, quoting: [...(statementLanguage.quoting ?? []), 'textBackslash'] };
}

const touchedBy = ({ rowCount, rows }: pg.QueryArrayResult): number | null =>
  rowCount ?? (rows.length > 0 ? rows.length : null);

const shown = (answer: pg.QueryArrayResult, most: number): AnsweredRows =>
  shownText(answer.fields, answer.rows, most, touchedBy(answer));

const shownText = (
  fields: readonly AnswerColumn[],
  rows: readonly (readonly unknown[])[],
  most: number,
  count: number | null,
): AnsweredRows => ({
  ...shownRows(
    fields.map(({ name }) => name),
    rows,
    most,
    count,
  ),
  types: fields.map(({ dataTypeID }) => answerTypes.get(dataTypeID) ?? 'text'),
});

const { INT2, INT4, INT8, OID, NUMERIC, FLOAT8, BOOL } = pg.types.builtins;
/**
 * The types that literals write without quotes. Every other value is sent as text: the server derives the type of a
 * parameter from its place, like that of a literal in quotes.
 */
const answerTypes: ReadonlyMap<number, AnswerType> = new Map([
  [INT2, 'integer'],
  [INT4, 'integer'],
  [INT8, 'integer'],
  [OID, 'integer'],
  [NUMERIC, 'decimal'],
  [FLOAT8, 'float'],
  [BOOL, 'boolean'],
]);

/**
 * The simple protocol would run several statements, and the extended one refuses them. So the server itself takes the
 * text apart by its own settings (standard_conforming_strings), whatever Dyno has found. Its other objections to
 * parameters in this text do not concern literals.
 */
async function refuseSeveral(client: pg.Client, text: string): Promise<void> {
  const refused = await send(client, new ParseRequest('', text)).then(
    () => null,
    (error: unknown) => error,
  );
  if (refused instanceof pg.DatabaseError && refused.code === syntaxError && refused.routine === 'exec_parse_message')
    throw new DynoError('badInput', `The text is more than one statement: ${refused.message}.`, {
      hint: 'Make a statement of each; as steps of a transaction they are committed together.',
    });
  if (refused !== null && !(refused instanceof pg.DatabaseError)) throw refused;
}

const syntaxError = '42601';

/** Lists tables and views that the user may read, without the system's and Dyno's. */
export async function userTables(client: pg.Client): Promise<readonly UserTable[]> {
  const { rows } = await client.query<{ schema: string | null; name: string; column: string }>(
    `SELECT CASE WHEN pg_table_is_visible(c.oid) THEN NULL ELSE n.nspname END AS schema, c.relname AS name, a.attname AS column
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND a.attnum > 0 AND NOT a.attisdropped
        AND n.nspname NOT IN ('pg_catalog', 'information_schema', $1) AND n.nspname !~ '^pg_'
        AND has_table_privilege(c.oid, 'SELECT')
      ORDER BY n.nspname, c.relname, a.attnum LIMIT $2`,
    [schemaName, mostOwnColumns],
  );
  return groupTables(rows.map(({ schema, name, column }) => [schema, name, column]));
}
