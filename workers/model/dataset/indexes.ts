import * as v from 'valibot';
import { described, fileKey } from '../file-key.ts';
import { identifier } from './column-parts.ts';

/** The kinds of indexes; an engine's descriptor has the statement that creates each. */
export const indexKinds = [
  'btree',
  'hash',
  'gin',
  'gist',
  'brin',
  'fulltext',
  'columnstore',
  'bitmap',
  'wildcard',
  '2dsphere',
  'mapReduce',
] as const;
/** The kind of an index. */
export type IndexKind = (typeof indexKinds)[number];

/** The options of an index that not every kind on every engine has; an engine's descriptor has its words for each. */
export const indexFeatures = ['unique', 'order', 'include', 'where', 'expression', 'path', 'invisible'] as const;
/** An option of an index. */
export type IndexFeature = (typeof indexFeatures)[number];

const sqlText = v.pipe(v.string(), v.minLength(1), v.maxLength(2_000));
/** One text, or a text for each engine. */
const textByEngine = v.union([sqlText, v.record(v.string(), sqlText)]);
/** A condition or an expression of an index: one text, or a text for each engine by its id, or `default`. */
export type IndexText = v.InferOutput<typeof textByEngine>;

const order = v.optional(described(v.picklist(['asc', 'desc']), 'asc: ascending. desc: descending.', { usual: 'asc' }));

const partSchema = v.union([
  identifier,
  v.strictObject({
    column: described(identifier, 'A column of the table.', { first: 'id' }),
    path: v.optional(
      described(
        v.pipe(
          v.string(),
          v.maxLength(200),
          v.regex(
            /^[a-z][a-z0-9_]{0,29}(\.[a-z][a-z0-9_]{0,29})*$/,
            'must be names of fields with dots between them: address.city',
          ),
        ),
        'A field within the documents of the column, with dots between the names: address.city.',
      ),
    ),
    order,
  }),
  v.strictObject({
    expression: described(
      textByEngine,
      'An expression of columns in the language of the engine, without brackets around it: one text, or a text for each engine and `default` for the others.',
      { first: 'lower(name)' },
    ),
    order,
  }),
]);
/** A part of an index as the file writes it. */
type IndexPartSpec = v.InferOutput<typeof partSchema>;

/** An index of a table, as the file writes it. */
export const indexSchema = v.strictObject({
  columns: fileKey(v.pipe(v.array(partSchema), v.minLength(1), v.maxLength(16)), {
    label: 'Columns',
    help: 'The columns of the index, the leading column first. Instead of a name: { column, order }, { column, path } for a field of documents, or { expression }.',
  }),
  include: v.optional(
    fileKey(v.pipe(v.array(identifier), v.minLength(1), v.maxLength(16)), {
      label: 'Included columns',
      help: 'Columns whose values the index stores in addition to those that it is ordered by, so that queries need not read the table. For a mapReduce index: the columns whose sums it keeps.',
    }),
  ),
  where: v.optional(
    fileKey(textByEngine, {
      label: 'Condition',
      help: 'The rows that the index contains, as a condition in the language of the engine: one text, or a text for each engine. Absent: all rows.',
      first: 'amount > 100',
    }),
  ),
  unique: v.optional(
    fileKey(v.boolean(), { label: 'Unique', help: 'true: the index rejects duplicate values.' }),
    false,
  ),
  kind: v.optional(
    fileKey(v.picklist(indexKinds), {
      label: 'Kind',
      help: 'btree: the engine’s ordered index (on RavenDB a map index). hash: of hashes. gin: of the parts of documents. gist: of an expression whose type has a GiST operator class. brin: the smallest and largest value of each range of pages. fulltext: of the words of a text. columnstore: column by column, compressed. bitmap: a bitmap for each value. wildcard: of all fields of documents. 2dsphere: of positions on the globe. mapReduce: the number of rows and the sums of `include` for each value of the columns.',
    }),
    'btree',
  ),
  visible: v.optional(
    fileKey(v.boolean(), {
      label: 'Visible',
      help: 'false: the server keeps the index up to date, and no query uses it.',
    }),
    true,
  ),
  name: v.optional(
    fileKey(
      v.pipe(
        v.string(),
        v.regex(/^[a-z][a-z0-9_]{0,19}$/, 'must be a lower-case name of letters, digits and _ (20 at most)'),
      ),
      {
        label: 'Name',
        help: 'The name of the index in results. At the server it stands behind the name of the table.',
        usual: 'its columns',
      },
    ),
  ),
});
/** An index of the dataset, with defaults filled in. */
export type IndexSpec = v.InferOutput<typeof indexSchema>;

/** A part of an index for an engine: a column by its position in the table, a field within it, or an expression. */
export type IndexPart = { readonly descending?: true } & (
  | { readonly column: number; readonly path?: readonly string[] }
  | { readonly expression: string }
);

/** An index besides the primary key, on a table that Dyno created; dropping the table drops it. */
export interface IndexPlan {
  /** Unique to the run, like the table's name. */
  readonly name: string;
  /** The name in results: the name in the file, or the columns; another one than that of every other index. */
  readonly label: string;
  /** The parts that the entries are ordered by, the most significant first. */
  readonly parts: readonly IndexPart[];
  /** Positions of the columns that the index stores in addition, or sums up (mapReduce). Absent: none. */
  readonly include?: readonly number[];
  /** The condition for a row to be in the index, in the engine's language. Absent: every row is. */
  readonly where?: string;
  readonly unique: boolean;
  readonly kind: IndexKind;
  /** The server keeps the index up to date, and no query uses it. */
  readonly invisible?: true;
}

/** The key of the text for all engines without a text of their own, as in the texts of statements. */
export const indexTextDefault = 'default';

/** The text for an engine; null: the file has none for it. */
export function indexTextFor(text: IndexText, engine: string): string | null {
  if (typeof text === 'string') return text;
  const key = [engine, indexTextDefault].find((one) => Object.hasOwn(text, one));
  return key === undefined ? null : text[key]!;
}

/** The column of a part as the file writes it; null: the part is an expression. */
const columnOfPart = (part: IndexPartSpec): string | null =>
  typeof part === 'string' ? part : 'column' in part ? part.column : null;

/** The columns that a btree index of all rows is ordered by, up to its first expression or field of a document. */
export function orderedColumns({ columns, kind, where, visible }: Partial<IndexSpec>): readonly string[] {
  if ((kind ?? 'btree') !== 'btree' || where !== undefined || visible === false) return [];
  const plain = (columns ?? []).map((part) => (typeof part !== 'string' && 'path' in part ? null : columnOfPart(part)));
  const end = plain.indexOf(null);
  return (end === -1 ? plain : plain.slice(0, end)).filter((name) => name !== null);
}

/** All columns whose values an index contains. */
export const columnsWithin = ({
  columns,
  include = [],
}: {
  readonly columns: readonly Readonly<IndexPartSpec>[];
  readonly include?: readonly string[] | undefined;
}): readonly string[] => [...columns.flatMap((part) => columnOfPart(part) ?? []), ...include];

/** The options that an index uses. */
export function featuresOf({ columns, include, where, unique, visible }: IndexSpec): readonly IndexFeature[] {
  const has: Readonly<Record<IndexFeature, boolean>> = {
    unique,
    order: columns.some((part) => typeof part !== 'string' && part.order === 'desc'),
    include: include !== undefined,
    where: where !== undefined,
    expression: columns.some((part) => typeof part !== 'string' && 'expression' in part),
    path: columns.some((part) => typeof part !== 'string' && 'path' in part && part.path !== undefined),
    invisible: !visible,
  };
  return indexFeatures.filter((feature) => has[feature]);
}

/** A part of an index: "sold desc", "doc.address.city", "lower(name)". `engine`: the id whose text is shown. */
export function indexPartText(part: IndexPartSpec, engine?: string): string {
  if (typeof part === 'string') return part;
  const behind = part.order === 'desc' ? ' desc' : '';
  if ('column' in part) return `${part.column}${part.path === undefined ? '' : `.${part.path}`}${behind}`;
  const { expression } = part;
  const text = engine === undefined ? null : indexTextFor(expression, engine);
  return `${text ?? (typeof expression === 'string' ? expression : 'an expression')}${behind}`;
}

/** An index in words, by which results name it: its name, or "store, sold desc including amount". */
export function indexText(index: IndexSpec, engine?: string): string {
  const { name, columns, include, where, kind } = index;
  if (name !== undefined) return name;
  return [
    kind === 'btree' ? '' : `${kind} `,
    columns.map((part) => indexPartText(part, engine)).join(', '),
    include === undefined ? '' : ` including ${include.join(', ')}`,
    where === undefined ? '' : ' of some rows',
  ].join('');
}

/** The longest name of an index on PostgreSQL; other servers allow as many characters or more. */
const longestName = 63;

/**
 * The indexes of a table at the server. `columns`: the names of the table's columns; `table`: its name at the server;
 * `engine`: the id of the engine, whose texts are chosen. Expects valid indexes (rules/file/index-rules.ts), with texts
 * for the engine (rules/cells/index-support.ts).
 */
export const plannedIndexes = (
  indexes: readonly IndexSpec[],
  columns: readonly string[],
  table: string,
  engine: string,
): readonly IndexPlan[] => {
  const texts = indexes.map((index) => indexText(index, engine));
  return indexes.map((index, i) => {
    const alike = texts.slice(0, i + 1).filter((text) => text === texts[i]).length;
    const named = `${table}_i_${index.name}`;
    const positions = (names: readonly string[]) => names.map((name) => columns.indexOf(name));
    const where = index.where === undefined ? null : indexTextFor(index.where, engine);
    return {
      name: index.name === undefined || named.length > longestName ? `${table}_i${i + 1}` : named,
      // Results find an index by its label.
      label: alike === 1 ? texts[i]! : `${texts[i]} (${alike})`,
      parts: index.columns.map((part): IndexPart => {
        if (typeof part === 'string') return { column: columns.indexOf(part) };
        const ordered = part.order === 'desc' ? { descending: true as const } : {};
        if ('expression' in part) return { expression: indexTextFor(part.expression, engine) ?? '', ...ordered };
        const path = part.path === undefined ? {} : { path: part.path.split('.') };
        return { column: columns.indexOf(part.column), ...path, ...ordered };
      }),
      ...(index.include && { include: positions(index.include) }),
      ...(where !== null && { where }),
      unique: index.unique,
      kind: index.kind,
      ...(!index.visible && { invisible: true as const }),
    };
  });
};
