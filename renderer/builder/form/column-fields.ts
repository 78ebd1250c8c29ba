import { columnSchema } from '#model/dataset/column-specs.ts';

/** What the form needs to know of a key that says how a column is made; read from its schema, so that a new one gets its field by itself. */
export interface ColumnField {
  readonly name: string;
  /** list, numbers: written with commas. nested: what only the text can say. */
  readonly kind: 'number' | 'choice' | 'text' | 'list' | 'numbers' | 'nested';
  readonly options: readonly string[];
  /** What applies where the file is silent; empty where that depends on other keys. */
  readonly byDefault: string;
}

interface Part {
  readonly type: string;
  readonly wrapped?: Part;
  readonly item?: Part;
  readonly default?: unknown;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly Part[];
}

type Spec = Readonly<Record<string, unknown>>;

/** Keys of every type with a place of their own in the table. */
const elsewhere: ReadonlySet<string> = new Set(['type', 'nulls']);

const typeOf = (part: Part): string => part.pipe?.[0]?.type ?? part.type;

function kindOf(part: Part): ColumnField['kind'] {
  switch (typeOf(part)) {
    case 'picklist':
      return 'choice';
    case 'number':
      return 'number';
    case 'array':
      return part.item && typeOf(part.item) === 'number' ? 'numbers' : 'list';
    case 'record':
    case 'variant':
      return 'nested';
    default:
      return 'text';
  }
}

function fieldOf(name: string, part: Part): ColumnField {
  const inner = part.wrapped ?? part;
  const kind = kindOf(inner);
  const options = kind === 'choice' ? (inner.options ?? []).map(String) : [];
  // A choice that the schema leaves open is the first one.
  const byDefault = part.default ?? options[0] ?? '';
  return { name, kind, options, byDefault: String(byDefault) };
}

/** By column type. */
const fields: ReadonlyMap<string, readonly ColumnField[]> = new Map(
  columnSchema.options.map((option) => [
    option.entries.type.literal,
    Object.entries(option.entries as unknown as Readonly<Record<string, Part>>)
      .filter(([name]) => !elsewhere.has(name))
      .map(([name, part]) => fieldOf(name, part)),
  ]),
);

export const columnTypes: readonly string[] = [...fields.keys()];

/** Keys that leave no room for others. */
const excluding: readonly (readonly [string, readonly string[]])[] = [
  ['length', ['minLength', 'maxLength']],
  ['minLength', ['length']],
  ['maxLength', ['length']],
  ['values', ['count']],
  ['count', ['values', 'weights']],
  ['weights', ['distribution', 'exponent']],
  ['noise', ['correlation']],
  ['correlation', ['noise']],
  ['table', ['rows', 'key', 'position', 'seed']],
  ['rows', ['table']],
];

/** Keys that mean something with these distributions alone. */
const ofDistribution: Readonly<Record<string, readonly string[]>> = {
  exponent: ['zipf'],
  mean: ['normal', 'exponential'],
  deviation: ['normal'],
  children: ['sequential'],
};

/** The fields of a column: those that are written, and those that would mean something beside them. */
export function columnFields(spec: Spec): readonly ColumnField[] {
  const all = fields.get(String(spec.type)) ?? [];
  const applies = ({ name }: ColumnField): boolean =>
    (ofDistribution[name]?.includes(String(spec.distribution)) ?? true) &&
    !excluding.some(([key, excluded]) => excluded.includes(name) && all.some((one) => one.name === key) && key in spec);
  return all.filter((field) => field.name in spec || applies(field));
}

/** A column of this type as it begins: valid where the other columns allow. `tables`: those that it may refer to. */
export function newColumn(type: string, columns: Readonly<Record<string, Spec>>, tables: readonly string[] = []): Spec {
  const first = (...types: readonly string[]) =>
    Object.keys(columns).find((name) => types.includes(String(columns[name]?.type))) ?? '';
  switch (type) {
    case 'text':
    case 'bytes':
      return { type, length: 20 };
    case 'name':
      return { type, what: 'person' };
    case 'code':
      return { type, pattern: 'AB-####-??' };
    case 'group':
      return { type, count: 20 };
    case 'reference':
      return tables.length > 0 ? { type, table: tables.at(-1) } : { type, rows: 1_000, key: { type: 'sequence' } };
    case 'correlated':
      return { type, of: first('decimal', 'integer', 'sequence') };
    case 'delayed':
      return { type, of: first('timestamp') };
    case 'document':
      return { type, fields: { id: { type: 'uuid4' }, name: { type: 'name', what: 'company' } } };
    default:
      return { type };
  }
}
