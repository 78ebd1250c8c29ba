import type { ClientSession, Db } from 'mongodb';
import type { SetupPlan } from '#engine-api/setup.ts';
import { isObjectName } from '#model/statements/setup.ts';
import { fixedCommand } from '../statements/custom-statement.ts';

export async function setUp(db: Db, session: ClientSession, plan: SetupPlan): Promise<void> {
  await db.command(fixedCommand(plan), { session });
}

/**
 * The views that setUp() has made. A view has no validator that could hold a mark, and a stage in its pipeline would
 * change its plan. The name is the mark: it has the tag of a run.
 */
export async function objectsLeft(db: Db, session: ClientSession, namePrefix: string): Promise<readonly string[]> {
  const found = await db.listCollections({ type: 'view' }, { session, nameOnly: true }).toArray();
  return found.map(({ name }) => name).filter((name) => name.startsWith(namePrefix) && isObjectName(name));
}

/** Drops the view of this name if setUp() has made it. */
export async function dropObject(db: Db, session: ClientSession, name: string): Promise<void> {
  if ((await objectsLeft(db, session, name)).includes(name)) await db.dropCollection(name, { session });
}
