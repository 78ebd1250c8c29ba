import type { ClientSession, Db, Document } from 'mongodb';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { missingRight, notOurs, ownMark } from '../../shared/own-tables.ts';
import { toError } from '../errors.ts';
import { collectionOptions } from './collection-options.ts';

interface Found {
  readonly name: string;
  readonly ours: boolean;
}

/** The collections and views of the database that match a filter of listCollections. */
async function find(db: Db, session: ClientSession, filter: Document): Promise<readonly Found[]> {
  const found = await db.listCollections(filter, { session, nameOnly: false }).toArray();
  return found.map((one) => {
    const comment: unknown = 'options' in one ? one.options?.validator?.$comment : null;
    return { name: one.name, ours: comment === ownMark(one.name) };
  });
}

/** Replaces a collection of the same name, which an interrupted trial has left. */
export async function createCollection(db: Db, session: ClientSession, table: TablePlan): Promise<void> {
  await dropCollection(db, session, table.name);
  try {
    await db.createCollection(table.name, { ...collectionOptions(table), session });
  } catch (error) {
    const data = toError(error);
    if (data.kind === 'permission')
      throw missingRight(
        `Creating ${db.databaseName}.${table.name}`,
        data,
        `Have an administrator run: db.grantRolesToUser(USER, [{ role: "readWrite", db: ${JSON.stringify(db.databaseName)} }]) — or all of what \`dyno grants TARGET\` prints.`,
      );
    if (data.kind === 'syntax' || data.code?.startsWith('72 '))
      throw new DynoError('unsupported', `Creating ${db.databaseName}.${table.name}: ${data.message}`, {
        code: data.code,
        hint: 'This server does not know one of the options of the collection (clustered ones: 5.3 and later).',
      });
    throw error;
  }
}

export async function dropCollection(db: Db, session: ClientSession, name: string): Promise<void> {
  const [found] = await find(db, session, { name });
  if (!found) return;
  if (!found.ours) throw notOurs(`A collection ${db.databaseName}.${name}`);
  await db.dropCollection(name, { session });
}

export async function leftovers(db: Db, session: ClientSession, namePrefix: string): Promise<readonly string[]> {
  const beginning = new RegExp(`^${namePrefix.replaceAll(/[^\w]/g, '\\$&')}`);
  const found = await find(db, session, { name: beginning });
  return found.flatMap(({ name, ours }) => (ours ? [name] : [])).sort();
}
