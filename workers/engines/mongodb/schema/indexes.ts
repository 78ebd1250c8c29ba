import { BSON, type ClientSession, type CreateIndexesOptions, type Db, type IndexDirection } from 'mongodb';
import type { TablePlan } from '#model/dataset/dataset.ts';
import type { IndexKind, IndexPart, IndexPlan } from '#model/dataset/indexes.ts';
import { DynoError } from '#model/error.ts';
import { toError } from '../errors.ts';
import { fieldNames } from '../values/documents.ts';

const directions: { readonly [K in IndexKind]?: IndexDirection } = {
  btree: 1,
  hash: 'hashed',
  fulltext: 'text',
  wildcard: 1,
  '2dsphere': '2dsphere',
};

/** The fields of an index and its options, as createIndex() takes them. Pure. */
function indexSpecification(
  table: TablePlan,
  { name, parts, unique, kind, where, invisible }: IndexPlan,
): { readonly fields: Readonly<Record<string, IndexDirection>>; readonly options: CreateIndexesOptions } {
  const names = fieldNames(table);
  const nameOf = (part: IndexPart) => {
    if ('expression' in part) throw new DynoError('unsupported', 'MongoDB has no index of expressions.');
    return [names[part.column]!, ...(part.path ?? []), ...(kind === 'wildcard' ? ['$**'] : [])].join('.');
  };
  return {
    fields: Object.fromEntries(
      parts.map((part): [string, IndexDirection] => [nameOf(part), part.descending ? -1 : directions[kind]!]),
    ),
    options: {
      name,
      unique,
      // The index has words in lower case and assumes no language.
      ...(kind === 'fulltext' && { default_language: 'none' }),
      ...(where !== undefined && { partialFilterExpression: BSON.EJSON.parse(where) }),
      ...(invisible && { hidden: true }),
    },
  };
}

/** Over existing documents the server sorts first; it answers when the index is complete. */
export async function addIndex(db: Db, session: ClientSession, table: TablePlan, index: IndexPlan): Promise<void> {
  const { fields, options } = indexSpecification(table, index);
  try {
    await db.collection(table.name).createIndex(fields, { ...options, session });
  } catch (error) {
    const data = toError(error);
    if (!data.code?.startsWith('197 ')) throw error;
    throw new DynoError('unsupported', `Creating the index ${index.label}: ${data.message}`, {
      code: data.code,
      hint: 'This server does not know one of the options of the index (hidden: 4.4 and later; wildcard: 4.2).',
    });
  }
}
