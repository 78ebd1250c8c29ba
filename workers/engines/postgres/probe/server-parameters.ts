import type pg from 'pg';
import type { AskedParameters, ServerParameter } from '#model/settings/server-parameters.ts';

/**
 * The server says which value stands since its start (`command line`) or comes from ALTER SYSTEM, whose file is read
 * last (`configuration file`), so nothing has to compare 1024MB with 1GB. A value that a role, a database or the
 * session sets over it is not the one that was asked for.
 */
const sources = ['command line', 'configuration file'];

export async function readServerParameters(
  client: Pick<pg.Client, 'query'>,
  asked: AskedParameters,
): Promise<Readonly<Record<string, ServerParameter>>> {
  const { rows } = await client.query<{ name: string; value: string | null; source: string | null }>(
    `SELECT asked.name, current_setting(asked.name, true) AS value, source
       FROM unnest($1::text[]) AS asked (name) LEFT JOIN pg_settings USING (name)`,
    [Object.keys(asked)],
  );
  return Object.fromEntries(
    rows.map(({ name, value, source }) => [
      name,
      { value, isAsked: asked[name] === null || sources.includes(source ?? '') },
    ]),
  );
}
