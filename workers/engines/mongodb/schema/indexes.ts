import type { ClientSession, Db, IndexDirection } from 'mongodb';
import type { IndexKind, IndexPlan, TablePlan } from '#model/dataset/dataset.ts';
import { fieldNames } from '../values/documents.ts';

const directions = { default: 1, hash: 'hashed', brin: 1, fulltext: 'text' } satisfies Record<
  IndexKind,
  IndexDirection
>;

/** Over existing documents the server sorts first; it answers when the index is complete. */
export async function addIndex(
  db: Db,
  session: ClientSession,
  table: TablePlan,
  { name, columns, unique, kind }: IndexPlan,
): Promise<void> {
  const fields = fieldNames(table);
  const specification = Object.fromEntries(
    columns.map((c): [string, IndexDirection] => [fields[c]!, directions[kind]]),
  );
  // The index has words in lower case and assumes no language.
  const language = kind === 'fulltext' ? { default_language: 'none' } : {};
  await db.collection(table.name).createIndex(specification, { name, unique, ...language, session });
}
