import { BSON, type ClientSession, type Db, type Document } from 'mongodb';
import type { AskedTable, ColumnFacts, IndexFacts, StatisticsValue, TableFacts } from '#engine-api/table-facts.ts';
import { DynoError } from '#model/error.ts';
import { sampleStatistics } from '../../shared/import-tables/sample.ts';

/** The documents that are read of each collection. */
const sampled = 5_000;
const mostFields = 300;

/**
 * Fields, indexes and statistics of collections. MongoDB keeps no statistics of fields, so that a random sample of
 * documents is read ($sample); only the statistics of it are returned.
 */
export async function readTableFacts(
  db: Db,
  session: ClientSession,
  asked: readonly AskedTable[],
): Promise<readonly TableFacts[]> {
  const collections = await db
    .listCollections({ type: 'collection', name: { $not: /^(dyno_|system\.)/ } }, { session, nameOnly: true })
    .toArray();
  const names = collections.map(({ name }) => name).toSorted();
  const wanted = asked.length === 0 ? names : names.filter((name) => asked.some((one) => one.name === name));
  const found: TableFacts[] = [];
  for (const name of wanted) {
    const rows = await db.collection(name).estimatedDocumentCount();
    const documents = await db
      .collection(name)
      .aggregate<Document>([{ $sample: { size: sampled } }, { $sort: { _id: 1 } }], { session, allowDiskUse: true })
      .toArray();
    const indexes = await db.collection(name).indexes({ session });
    found.push(factsOf(name, rows, documents, indexes));
  }
  return found;
}

/** The facts of a collection from a sample of its documents, in the order of their keys. */
function factsOf(
  name: string,
  rows: number,
  documents: readonly Document[],
  indexes: readonly { readonly key: Document; readonly name?: string; readonly unique?: boolean }[],
): TableFacts {
  const fields = [...new Set(documents.flatMap((document) => Object.keys(document)))];
  if (fields.length > mostFields)
    throw new DynoError('unsupported', `The documents of ${name} have more than ${mostFields} different fields.`);
  const columns = fields.map((field) =>
    columnOf(
      field,
      documents.map((document): unknown => document[field]),
      rows,
    ),
  );
  const mixed = columns.flatMap(({ note }) => note ?? []);
  return {
    schema: null,
    name,
    rows,
    columns: columns.map(({ column }) => column),
    key: ['_id'],
    foreignKeys: [],
    indexes: indexes.filter((one) => one.name !== '_id_').map(indexOf),
    joint: [],
    notes: [
      `MongoDB keeps no statistics of fields: a sample of ${documents.length} documents of ${name} was read, and only its statistics were kept.`,
      ...mixed.map((note) => `${name}.${note}`),
    ],
  };
}

type Kind = 'bigint' | 'double' | 'decimal' | 'varchar' | 'timestamp' | 'boolean' | 'uuid' | 'blob' | 'json';

function columnOf(name: string, values: readonly unknown[], rows: number) {
  const kinds = Map.groupBy(
    values.filter((value) => value !== null && value !== undefined),
    kindOf,
  );
  const [first = ['varchar', []] as const] = [...kinds].toSorted(([, a], [, b]) => b.length - a.length);
  const isWhole = first[0] !== 'double' || !kinds.has('bigint');
  const kind: Kind = isWhole ? first[0] : 'double';
  const plain = values.map((value): StatisticsValue | null =>
    value === null || value === undefined ? null : plainOf(value, kind),
  );
  const column: ColumnFacts = {
    name,
    type: kind,
    args: [],
    isNullable: plain.includes(null),
    isCounted: false,
    isComputed: false,
    isArray: false,
    labels: null,
    statistics: sampleStatistics(plain, rows),
  };
  const others = [...kinds.keys()].filter((one) => one !== kind && !(kind === 'double' && one === 'bigint'));
  return { column, note: others.length === 0 ? null : `${name} has values of several types; here all are ${kind}.` };
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'bigint' : 'double';
  if (typeof value === 'bigint' || value instanceof BSON.Long || value instanceof BSON.Int32) return 'bigint';
  if (value instanceof BSON.Double) return 'double';
  if (value instanceof BSON.Decimal128) return 'decimal';
  if (typeof value === 'string') return 'varchar';
  if (value instanceof Date) return 'timestamp';
  if (typeof value === 'boolean') return 'boolean';
  if (value instanceof BSON.ObjectId || value instanceof BSON.UUID) return 'uuid';
  return value instanceof BSON.Binary ? 'blob' : 'json';
}

/** A value of another kind than that of its field is null. */
function plainOf(value: unknown, kind: Kind): StatisticsValue | null {
  switch (kind) {
    case 'bigint':
    case 'double':
    case 'decimal': {
      const number = Number(String(value));
      return ['bigint', 'double', 'decimal'].includes(kindOf(value)) && Number.isFinite(number) ? number : null;
    }
    case 'timestamp':
      return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : null;
    case 'boolean':
      return typeof value === 'boolean' ? value : null;
    case 'varchar':
      return typeof value === 'string' ? value : null;
    case 'uuid':
    case 'blob':
      return String(value);
    case 'json':
      return JSON.stringify(value) ?? null;
  }
}

const kinds: Readonly<Record<string, IndexFacts['kind']>> = {
  '1': 'btree',
  '-1': 'btree',
  hashed: 'hash',
  '2dsphere': '2dsphere',
};

function indexOf({
  key,
  name = '',
  unique = false,
  ...others
}: {
  readonly key: Document;
  readonly name?: string;
  readonly unique?: boolean;
}): IndexFacts {
  const parts = Object.entries(key);
  const method = String(parts[0]?.[1]);
  // Conditions of partial indexes, and fields within fields, have no counterpart in columns.
  const isPlain = !('partialFilterExpression' in others) && parts.every(([field]) => !/[.$]/.test(field));
  return {
    name,
    parts: parts.map(([column, direction]) => ({ column, ...(direction === -1 && { desc: true as const }) })),
    include: [],
    where: null,
    unique,
    kind: isPlain ? (kinds[method] ?? null) : null,
    method: isPlain ? method : 'partial or of inner fields',
    visible: true,
  };
}
