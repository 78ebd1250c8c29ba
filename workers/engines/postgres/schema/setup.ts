import type pg from 'pg';
import type { SetupPlan } from '#engine-api/setup.ts';
import { isObjectName } from '#model/statements/setup.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { dropUnlessHeld, notOurs, ownMark, ownMarkSql } from '../../shared/own-tables.ts';
import { setupText } from '../../shared/setup-text.ts';
import { quote, schemaName, tableSql } from '../names.ts';
import { ensureSchema, holdersOf, inTransaction } from './tables.ts';

/** The statement and the mark of its object are one transaction, so that no object without a mark is left. */
export async function setUp(client: pg.Client, plan: SetupPlan, language: StatementLanguage): Promise<void> {
  const { name, makes } = plan;
  await ensureSchema(client);
  const isTrigger = makes === 'TRIGGER';
  // A trigger is in the schema of its table, and its name takes none.
  const text = setupText(plan, language, (table) => (isTrigger && table.name === name ? quote(name) : tableSql(table)));
  const mark = makes === null || isTrigger ? [] : [`COMMENT ON ${makes} ${tableSql({ name })} IS '${ownMark(name)}'`];
  // A procedure may commit, which no transaction around it allows.
  if (mark.length === 0) await client.query(text);
  else await inTransaction(client, [text, ...mark]);
}

/** The objects that setUp() has made. Statistics are not among them: they go with their table. */
export async function objectsLeft(client: pg.Client, namePrefix: string): Promise<readonly string[]> {
  const begins = (column: string) => `left(${column}, length($2)) = $2`;
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind IN ('v', 'm') AND ${begins('c.relname')}
        AND obj_description(c.oid, 'pg_class') = ${ownMarkSql('c.relname', '||')}
     UNION ALL
     SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
      WHERE n.nspname = $1 AND ${begins('p.proname')} AND obj_description(p.oid, 'pg_proc') = ${ownMarkSql('p.proname', '||')}
     UNION ALL
     SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND ${begins('t.tgname')} AND obj_description(c.oid, 'pg_class') = ${ownMarkSql('c.relname', '||')}`,
    [schemaName, namePrefix],
  );
  return rows.map(({ name }) => name).filter(isObjectName);
}

/** Drops the object of this name if setUp() has made it. The column prokind is new in PostgreSQL 11. */
export async function dropObject(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query<{ kind: string; of: string; mark: string | null }>(
    `SELECT CASE c.relkind WHEN 'm' THEN 'MATERIALIZED VIEW' ELSE 'VIEW' END AS kind, '' AS of,
            obj_description(c.oid, 'pg_class') AS mark
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('v', 'm')
     UNION ALL
     SELECT CASE to_jsonb(p) ->> 'prokind' WHEN 'p' THEN 'PROCEDURE' ELSE 'FUNCTION' END, '', obj_description(p.oid, 'pg_proc')
       FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE n.nspname = $1 AND p.proname = $2
     UNION ALL
     SELECT 'TRIGGER', c.relname, $3
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND t.tgname = $2 AND obj_description(c.oid, 'pg_class') = ${ownMarkSql('c.relname', '||')}`,
    [schemaName, name, ownMark(name)],
  );
  for (const { kind, of, mark } of rows) {
    if (mark !== ownMark(name)) throw notOurs(`A ${kind.toLowerCase()} ${schemaName}.${name}`);
    const object = of === '' ? tableSql({ name }) : `${quote(name)} ON ${tableSql({ name: of })}`;
    await dropUnlessHeld(object, () => client.query(`DROP ${kind} ${object}`), holdersOf);
  }
}
