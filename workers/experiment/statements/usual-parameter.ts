import { isMapping } from '#model/is-mapping.ts';

/**
 * The source of values that a parameter of this name usually has, as the file writes it: the key of a table for a
 * parameter that is named like it, the generator of the column of its name, else whole numbers.
 */
export function usualParameter(
  { dataset, tables }: { readonly dataset?: unknown; readonly tables?: unknown },
  name: string,
): Readonly<Record<string, unknown>> {
  const all = isMapping(tables) ? Object.entries(tables) : [];
  const known = [...(isMapping(dataset) ? [[null, dataset] as const] : []), ...all];
  for (const [table, spec] of known)
    if (isMapping(spec) && spec.key === name) return { type: 'key', ...(table !== null && { table }) };
  for (const [, spec] of known) {
    const column = isMapping(spec) && isMapping(spec.columns) ? spec.columns[name] : undefined;
    if (isMapping(column) && generators.includes(String(column.type))) return column;
  }
  return { type: 'integer' };
}

/** Columns whose generator needs no other column and no other row. */
const generators: readonly string[] = [
  'integer',
  'decimal',
  'text',
  'words',
  'name',
  'code',
  'timestamp',
  'boolean',
  'uuid4',
];
