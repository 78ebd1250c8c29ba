import type { DatabaseSync } from 'node:sqlite';
import type { SetupPlan } from '#engine-api/setup.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { ownMarkSql } from '../shared/own-tables.ts';
import { setupText } from '../shared/setup-text.ts';
import { ready } from './custom-statement.ts';
import { statementLanguage } from './descriptor.ts';
import { isOurs, markOf, quote } from './tables.ts';
import { vet } from './vetting.ts';

/** The file keeps the text of a view or trigger from its name on, and so the comment behind the name. */
export function setUp(database: DatabaseSync, plan: SetupPlan): void {
  const text = setupText(plan, statementLanguage, ({ name }) =>
    name === plan.name ? `${quote(name)} ${markOf(name)}` : quote(name),
  );
  vet(database, plan, text);
  ready(database, text).run();
}

/** Views and triggers that setUp() has made. */
export function objectsLeft(database: DatabaseSync, namePrefix: string): readonly string[] {
  const rows = database
    .prepare(
      `SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger') AND substr(name, 1, length(?1)) = ?1
          AND instr(sql, '/* ' || ${ownMarkSql('name', '||')} || ' */') > 0`,
    )
    .all(namePrefix);
  return rows.map((row) => String(row.name)).filter(isObjectName);
}

/** Drops the object of this name if setUp() has made it. A trigger goes with its table. */
export function dropObject(database: DatabaseSync, name: string): void {
  const found = database.prepare('SELECT type, sql FROM sqlite_schema WHERE name = ?').get(name);
  if (!found || !isOurs(name, String(found.sql))) return;
  database.exec(`DROP ${found.type === 'view' ? 'VIEW' : 'TRIGGER'} IF EXISTS ${quote(name)}`);
}
