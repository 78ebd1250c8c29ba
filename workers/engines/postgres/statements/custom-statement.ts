import pg from 'pg';
import type { CustomStatement, StatementPlan } from '#engine-api/statement.ts';
import { supportOf } from '#engine-api/support/support-of.ts';
import type { Batch } from '#model/batch/batch.ts';
import { DynoError } from '#model/error.ts';
import type { UserTable } from '#model/statements/statements.ts';
import { shownRows, templateOf } from '../../shared/custom-statement.ts';
import { groupTables, mostOwnColumns } from '../../shared/user-tables.ts';
import { descriptor, statementLanguage } from '../descriptor.ts';
import { toError } from '../errors.ts';
import { schemaName, tableSql } from '../schema/names.ts';
import { flatRows, literal, type ParameterValue } from '../values/values.ts';
import { executeNamed, executeUnnamed, parseOnly, simpleQuery } from '../wire/messages.ts';
import { MessagesRequest, send } from '../wire/requests.ts';
import { parseStatement } from './operations.ts';

interface Call {
  readonly text: string;
  /** Null: they are in the text. */
  readonly values: ParameterValue[] | null;
  /** The call's messages. */
  readonly messages: Uint8Array;
}

/** A statement of the user's own: `:name` becomes `$n`, whose type the server takes from where it stands. */
export async function prepareCustomStatement(client: pg.Client, plan: StatementPlan): Promise<CustomStatement<Call>> {
  supportOf(descriptor, 'statement', plan.method);
  const template = templateOf(plan, statementLanguage, tableSql);
  const types = plan.parameters.map(({ type }) => type);
  // The server counts parameters from the highest number: those that the text leaves out are not sent.
  const used = [...new Set(template.places)];
  const text = template.render((parameter) => `$${used.indexOf(parameter) + 1}`);
  const parsed = plan.method === 'prepared' ? await parseStatement(client, text) : null;
  if (plan.method === 'literal') await refuseSeveral(client, text);
  const encode = (batch: Batch): Call => {
    const all = flatRows(batch, types);
    if (plan.method === 'literal') {
      const written = template.render((parameter) => literal(all[parameter]!));
      return { text: written, values: null, messages: simpleQuery(written) };
    }
    const values = used.map((parameter) => all[parameter]!);
    return { text, values, messages: parsed ? executeNamed(parsed.name, values) : executeUnnamed(text, values) };
  };
  const ask = ({ text: asked, values }: Pick<Call, 'text' | 'values'>) =>
    // The extended protocol, which takes one statement at a time, without parameters, too.
    client.query({ text: asked, rowMode: 'array', ...(values && { values, queryMode: 'extended' }) });
  return {
    encode,
    async run({ messages }) {
      const request = new MessagesRequest(messages);
      await send(client, request);
      return request.touched;
    },
    async first({ messages }) {
      const request = new MessagesRequest(messages);
      await send(client, request);
      const { columns, first, touched } = request;
      return shownRows(columns ?? parsed?.columns ?? [], first ? [first] : [], 1, touched);
    },
    async show(call, most) {
      const answer = await ask(call);
      return shownRows(
        answer.fields.map((field) => field.name),
        answer.rows,
        most,
        answer.rowCount ?? (answer.rows.length > 0 ? answer.rows.length : null),
      );
    },
    async explain({ text: asked, values }) {
      // What cannot be explained would end the transaction that it is in.
      await client.query('SAVEPOINT dyno_explain');
      try {
        const { rows } = await ask({ text: `EXPLAIN (FORMAT TEXT) ${asked}`, values });
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

/**
 * The simple protocol runs several statements, the extended one refuses them: the server takes the text apart by its
 * own settings (as standard_conforming_strings), whatever we have found. What else it has against parameters in this
 * text is nothing against literals.
 */
async function refuseSeveral(client: pg.Client, text: string): Promise<void> {
  const refused = await send(client, new MessagesRequest(parseOnly(text))).then(
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

/** Tables and views that the user may read, without the system's and Dyno's. */
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
  return groupTables(rows);
}
