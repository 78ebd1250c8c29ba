import { columnType } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';

/** An expression around a column that keeps a condition from using an index of the column. */
export interface Wrapped {
  readonly column: string;
  /** function: its name is `by`; conversion: `by` is the type; arithmetic: `by` is the operator. */
  readonly kind: 'function' | 'conversion' | 'arithmetic';
  readonly by: string;
}

/** A condition without its constants, because quoted text is no column name. */
const withoutTexts = (condition: string): string => condition.replaceAll(/'(?:[^']|'')*'/g, "''");

/** A field of a document as expressions name it: "$field". */
const fieldOf = (column: string): string => `"\\$${column}"`;

/** A pattern for a column's name as servers print it, with or without quotes. */
const nameOf = (column: string): string => `(?:(?<![\\w$:'])["\`[]?${column}["\`\\]]?(?![\\w$])|${fieldOf(column)})`;

/** The columns of a table in a condition, in the order of the condition. */
export function columnsIn(condition: string, { columns }: Pick<Dataset, 'columns'>): readonly string[] {
  const text = withoutTexts(condition);
  return Object.keys(columns)
    .map((column) => ({ column, at: text.search(new RegExp(nameOf(column), 'i')) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at)
    .map(({ column }) => column);
}

/** The text between WHERE and the next clause; null if there is no WHERE, or more than one. */
export function whereOf(text: string): string | null {
  const parts = withoutTexts(text).split(/\bwhere\b/i);
  return parts.length === 2
    ? parts[1]!.split(/\b(?:group|order|limit|offset|fetch|for|returning)\b/i)[0]!.trim()
    : null;
}

/** Words that precede a bracket and are no functions. */
const noFunctions = new Set([
  'and',
  'or',
  'not',
  'in',
  'any',
  'all',
  'some',
  'exists',
  'where',
  'on',
  'when',
  'between',
]);

/** Expressions of documents that compare a field as it is stored. */
const comparisons = new Set(['eq', 'gt', 'gte', 'lt', 'lte', 'ne', 'in', 'cmp']);

/**
 * The first column that a condition wraps in an expression. A cast of text to text is no conversion: PostgreSQL prints
 * (email)::text for each varchar.
 */
export function wrappedIn(condition: string, dataset: Pick<Dataset, 'columns'>): Wrapped | null {
  const text = withoutTexts(condition);
  for (const column of columnsIn(condition, dataset)) {
    const name = nameOf(column);
    // Table, schema and database may precede the column.
    const plain = `\\(*(?:["\`\\[]?[\\w$]+["\`\\]]?\\.){0,3}${name}\\)*`;
    const type = columnType(dataset.columns[column]!);
    const isText = type.kind === 'text' && !type.document;
    const [, cast] = new RegExp(`${plain}::([a-z][a-z ]*[a-z])`, 'i').exec(text) ?? [];
    if (cast !== undefined && !(isText && /^(?:text|character varying|bpchar)$/i.test(cast)))
      return { column, kind: 'conversion', by: cast };
    const [, to] =
      new RegExp(`convert(?:_implicit)?\\(\\s*(\\w+(?:\\([^()]*\\))?)\\s*,\\s*${plain}`, 'i').exec(text) ?? [];
    if (to !== undefined) return { column, kind: 'conversion', by: to };
    for (const [, by] of text.matchAll(new RegExp(`([a-z_][\\w$]*)\\s*\\([^()]*${plain}`, 'gi')))
      if (!noFunctions.has(by!.toLowerCase())) return { column, kind: 'function', by: by! };
    for (const [, by] of text.matchAll(new RegExp(`"\\$(\\w+)":\\s*(?:\\[[^[\\]]*)?${fieldOf(column)}`, 'g')))
      if (!comparisons.has(by!)) return { column, kind: 'function', by: `$${by}` };
    const [, operator] = new RegExp(`${plain}\\s*([-+*/%]|\\|\\|)\\s*\\S`, 'i').exec(text) ?? [];
    if (operator !== undefined) return { column, kind: 'arithmetic', by: operator };
    if (isText && new RegExp(`${plain}\\s*=\\s*-?\\d`, 'i').test(text))
      return { column, kind: 'conversion', by: 'a number' };
  }
  return null;
}
