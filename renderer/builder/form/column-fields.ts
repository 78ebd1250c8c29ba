import { columnSchema } from '#model/dataset/column-specs.ts';
import { numberRules } from '#model/settings/number-rules.ts';
import type { NumberRules } from '#model/text/read-number.ts';

/** A form field for a key of a column, read from the schema, so that a new key gets its field without further code. */
export interface ColumnField {
  readonly name: string;
  /** list and numbers are typed with commas; nested values can be edited in the YAML only. */
  readonly kind: 'number' | 'choice' | 'text' | 'list' | 'numbers' | 'nested';
  readonly options: readonly string[];
  /** The numbers that the field takes; absent for other kinds. */
  readonly numbers?: NumberRules;
  /** Default as text; empty if it depends on other keys. */
  readonly defaultValue: string;
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

/** Keys that the table shows in columns of their own. */
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
  // The default of an optional choice is its first one.
  const defaultValue = part.default ?? options[0] ?? '';
  const numbers = kind === 'number' ? { numbers: numberRules(name, inner, wordUnit(name)) } : {};
  return { name, kind, options, ...numbers, defaultValue: String(defaultValue) };
}

/** Rows are the only unit in names that holds here: `seconds` and the like are other keys. */
const wordUnit = (name: string) => (name === 'rows' ? 'rows' : undefined);

/** Fields by column type. */
const fields: ReadonlyMap<string, readonly ColumnField[]> = new Map(
  columnSchema.options.map((option) => [
    option.entries.type.literal,
    Object.entries(option.entries as unknown as Readonly<Record<string, Part>>)
      .filter(([name]) => !elsewhere.has(name))
      .map(([name, part]) => fieldOf(name, part)),
  ]),
);

export const columnTypes: readonly string[] = [...fields.keys()];

/** Each key excludes the keys behind it. */
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

/** Each key applies to these distributions only. */
const ofDistribution: Readonly<Record<string, readonly string[]>> = {
  exponent: ['zipf'],
  mean: ['normal', 'exponential'],
  deviation: ['normal'],
  children: ['sequential'],
};

/** The fields of a column: its keys in the file, and those that apply beside them. */
export function columnFields(spec: Spec): readonly ColumnField[] {
  const all = fields.get(String(spec.type)) ?? [];
  const applies = ({ name }: ColumnField): boolean =>
    (ofDistribution[name]?.includes(String(spec.distribution)) ?? true) &&
    !excluding.some(([key, excluded]) => excluded.includes(name) && all.some((one) => one.name === key) && key in spec);
  return all.filter((field) => field.name in spec || applies(field));
}

/** A new column of this type, valid if the other columns allow it. `tables` are those that it may refer to. */
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
