import { columnSchema } from '#contract/dataset.ts';

/** What the form needs to know of a key that says how a column is made; read from its schema, so that a new one gets its field by itself. */
export interface ColumnField {
  readonly name: string;
  readonly kind: 'number' | 'choice' | 'text';
  readonly options: readonly string[];
  /** What applies where the file is silent; empty where that depends on other keys. */
  readonly byDefault: string;
}

interface Part {
  readonly type: string;
  readonly wrapped?: Part;
  readonly default?: unknown;
  readonly options?: readonly string[];
  readonly pipe?: readonly Part[];
}

/** Keys of every type with a place of their own in the table. */
const elsewhere: ReadonlySet<string> = new Set(['type', 'nulls']);

function fieldOf(name: string, part: Part): ColumnField {
  const inner = part.wrapped ?? part;
  const type = inner.pipe?.[0]?.type ?? inner.type;
  return {
    name,
    kind: type === 'picklist' ? 'choice' : type === 'number' ? 'number' : 'text',
    options: inner.options ?? [],
    byDefault: part.default === undefined ? '' : String(part.default),
  };
}

/** By column type. */
const fields: ReadonlyMap<string, readonly ColumnField[]> = new Map(
  columnSchema.options.map((option) => [
    option.entries.type.literal,
    Object.entries(option.entries as Readonly<Record<string, Part>>)
      .filter(([name]) => !elsewhere.has(name))
      .map(([name, part]) => fieldOf(name, part)),
  ]),
);

export const columnTypes: readonly string[] = [...fields.keys()];

const oneLength = ['length'];
const aRange = ['minLength', 'maxLength'];

/** The fields of a column; a fixed length and a range of lengths exclude each other. */
export function columnFields(spec: Readonly<Record<string, unknown>>): readonly ColumnField[] {
  const all = fields.get(String(spec.type)) ?? [];
  const excluded = 'length' in spec ? aRange : aRange.some((name) => name in spec) ? oneLength : [];
  return all.filter(({ name }) => name in spec || !excluded.includes(name));
}
