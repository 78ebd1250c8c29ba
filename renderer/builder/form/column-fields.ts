import { columnSchema } from '#model/dataset/column-specs.ts';
import { factsOf } from '#model/file-key.ts';
import { shapeOf } from '#model/shape.ts';
import { parameterSchema } from '#model/statements/statements.ts';
import type { Choice } from '../../ui/controls/fields.tsx';
import type { Raw } from '../draft/raw-experiment.ts';
import { type FormField, fieldOf } from './form-field.ts';

/** Keys that have their own columns in the table. */
const elsewhere: readonly string[] = ['type', 'nulls'];

/** The fields by type of column or parameter. */
const fields: ReadonlyMap<string, readonly FormField[]> = new Map(
  [...columnSchema.options, ...parameterSchema.options].map((option) => [
    option.entries.type.literal,
    Object.entries(shapeOf(option).entries ?? {})
      .filter(([name]) => !elsewhere.includes(name))
      .map(([name, shape]) => fieldOf(name, shape)),
  ]),
);

const typeChoice = ({
  entries: { type },
}: (typeof columnSchema.options)[number] | (typeof parameterSchema.options)[number]): Choice => ({
  id: type.literal,
  label: factsOf(shapeOf(type))?.label ?? type.literal,
});

/** The types of columns with the names that the form shows. */
export const columnChoices: readonly Choice[] = columnSchema.options.map(typeChoice);

export const columnTypes: readonly string[] = columnSchema.options.map(({ entries }) => entries.type.literal);

/** The types of parameters. Sources that a column cannot have come first. */
export const parameterTypes: readonly Choice[] = parameterSchema.options
  .map(typeChoice)
  .toSorted((a, b) => Number(columnTypes.includes(a.id)) - Number(columnTypes.includes(b.id)));

/** The fields of a column or parameter: those that are set in the file, and those that can be set. */
export function valueFields(spec: Raw): readonly FormField[] {
  const all = fields.get(String(spec.type)) ?? [];
  const written = all.filter(({ name }) => name in spec);
  const excludes = (one: FormField, other: FormField) => one.without?.includes(other.name) ?? false;
  const applies = (field: FormField): boolean =>
    Object.entries(field.only ?? {}).every(([key, values]) => values.includes(String(spec[key]))) &&
    !written.some((other) => excludes(field, other) || excludes(other, field));
  return all.filter((field) => field.name in spec || applies(field));
}

/** A new column or parameter that is valid next to the other columns. `tables` are the tables to which it may refer. */
export function newColumn(
  type: string,
  columns: Readonly<Record<string, Raw>> = {},
  tables: readonly string[] = [],
): Raw {
  const first = (...types: readonly string[]) =>
    Object.keys(columns).find((name) => types.includes(String(columns[name]?.type))) ?? '';
  if (type === 'reference' && tables.length > 0) return { type, table: tables.at(-1) };
  if (type === 'correlated') return { type, of: first('decimal', 'integer', 'sequence') };
  if (type === 'delayed') return { type, of: first('timestamp') };
  return {
    type,
    ...Object.fromEntries(
      (fields.get(type) ?? []).flatMap((field) => (field.first === undefined ? [] : [[field.name, field.first]])),
    ),
  };
}

/** The column that takes the place of another one, with its share of nulls: columns of every type have one. */
export const withNulls = ({ nulls }: Raw, column: Raw): Raw => (nulls === undefined ? column : { ...column, nulls });
