import type pg from 'pg';
import type { OwnStatement, StatementPlan } from '#contract/engine.ts';
import { DynoError } from '#contract/error.ts';
import { supportOf } from '#contract/support-of.ts';
import { shownRows, templateOf } from '../own-statement.ts';
import { descriptor, statementLanguage } from './descriptor.ts';
import { toError } from './errors.ts';
import { tableSql } from './names.ts';
import { parseStatement } from './operations.ts';
import { flatRows, literal, type Parameter } from './values.ts';

interface Call {
  readonly text: string;
  readonly name?: string;
  readonly values?: Parameter[];
  readonly rowMode: 'array';
  /** The extended protocol, which takes one statement at a time, without parameters, too. */
  readonly queryMode?: 'extended';
}

/** A statement of the user's own: `:name` becomes `$n`, whose type the server takes from where it stands. */
export async function prepareOwn(client: pg.Client, plan: StatementPlan): Promise<OwnStatement> {
  supportOf(descriptor, 'statement', plan.method);
  const template = templateOf(plan, statementLanguage, tableSql);
  const types = plan.parameters.map(({ type }) => type);
  // The server counts parameters from the highest number: those that the text leaves out are not sent.
  const used = [...new Set(template.places)];
  const text = template.render((parameter) => `$${used.indexOf(parameter) + 1}`);
  const name = plan.method === 'prepared' ? await parseStatement(client, text) : undefined;
  const encode = (batch: Parameters<OwnStatement['encode']>[0]): Call => {
    const values = flatRows(batch, types);
    if (plan.method === 'literal')
      return { text: template.render((parameter) => literal(values[parameter]!)), rowMode: 'array' };
    const chosen = used.map((parameter) => values[parameter]!);
    return { ...(name !== undefined && { name }), text, values: chosen, rowMode: 'array', queryMode: 'extended' };
  };
  const ask = (call: unknown) => client.query(call as pg.QueryArrayConfig);
  const shown = async (call: unknown, most: number) => {
    const answer = await ask(call);
    return shownRows(
      answer.fields.map((field) => field.name),
      answer.rows,
      most,
      countOf(answer),
    );
  };
  return {
    encode,
    run: async (call) => countOf(await ask(call)),
    first: (call) => shown(call, 1),
    show(call, most) {
      const { name: _, ...unnamed } = call as Call;
      return shown(unnamed, most);
    },
    async explain(call) {
      const { name: _, text: asked, ...rest } = call as Call;
      // What cannot be explained would end the transaction that it is in.
      await client.query('SAVEPOINT dyno_explain');
      try {
        const { rows } = await ask({ ...rest, text: `EXPLAIN (FORMAT TEXT) ${asked}` });
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

/** Rows returned or changed. Several statements at once (literal) answer with a list of results. */
const countOf = (answer: pg.QueryArrayResult | pg.QueryArrayResult[]): number =>
  Array.isArray(answer) ? answer.reduce((sum, { rowCount }) => sum + (rowCount ?? 0), 0) : (answer.rowCount ?? 0);
