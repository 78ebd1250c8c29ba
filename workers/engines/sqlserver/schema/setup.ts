import type { Connection } from 'tedious';
import type { SetupPlan } from '#engine-api/setup.ts';
import { dropUnlessHeld, notOurs } from '../../shared/own-tables.ts';
import { setupText } from '../../shared/setup-text.ts';
import { statementLanguage } from '../descriptor.ts';
import { schemaName, tableSql } from '../names.ts';
import { execute } from '../wire/request.ts';
import { inTransaction, type MarkedKind, markSql, ownershipOf } from './marks.ts';

/** The kinds of objects that stay when their tables go. Triggers and statistics go with their table. */
const lastingKinds = ['VIEW', 'FUNCTION', 'PROCEDURE'] as const satisfies readonly MarkedKind[];

/** The statement and the mark of its object are one transaction, so that no object without a mark is left. */
export async function setUp(connection: Connection, plan: SetupPlan): Promise<void> {
  const kind = lastingKinds.find((one) => one === plan.makes);
  const mark = kind === undefined ? [] : [markSql(kind, plan.name)];
  await inTransaction(connection, [setupText(plan, statementLanguage, tableSql), ...mark]);
}

/** Drops the object of this name if setUp() has made it. */
export async function dropObject(connection: Connection, name: string): Promise<void> {
  const object = tableSql({ name });
  for (const kind of lastingKinds) {
    const owner = await ownershipOf(connection, kind, name);
    if (owner === 'foreign') throw notOurs(`A ${kind.toLowerCase()} ${schemaName}.${name}`);
    if (owner === 'ours')
      await dropUnlessHeld(
        object,
        () => execute(connection, `DROP ${kind} ${object}`),
        () => [],
      );
  }
}
