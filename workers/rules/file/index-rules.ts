import type { ColumnSpec, FieldSpec } from '#model/dataset/column-specs.ts';
import { columnType } from '#model/dataset/columns.ts';
import { isMapping } from '#model/is-mapping.ts';
import { meantWord } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

/** Kinds of indexes with one part. */
const ofOnePart: readonly unknown[] = ['hash', 'fulltext', 'wildcard', '2dsphere'];
/** Kinds of indexes of whole columns alone. */
const ofColumns: readonly unknown[] = ['columnstore', 'mapReduce'];
/** Kinds of indexes that have values in no order. */
const unordered: readonly unknown[] = [
  ...['hash', 'gin', 'gist', 'brin', 'fulltext', 'columnstore', 'bitmap', 'wildcard', '2dsphere', 'mapReduce'],
];

/** Rules for the indexes at `above` beyond the schema: columns that do not exist, or that cannot have such an index. */
export function checkIndexes(
  indexes: unknown,
  columns: ReadonlyMap<string, ColumnSpec>,
  names: readonly string[],
  above: Path,
  report: Report,
): void {
  if (!Array.isArray(indexes)) return;
  const given = new Set<unknown>();
  for (const [i, index] of indexes.entries()) {
    if (!isMapping(index) || !Array.isArray(index.columns)) continue;
    const path = [...above, i];
    const { kind, name } = index;
    if (name !== undefined && given.has(name))
      report({ path: [...path, 'name'], message: `Two indexes have the name \`${name}\`.`, suggestion: null });
    given.add(name);
    const isOnly = index.columns.length === 1;
    const seen: string[] = [];
    for (const [c, part] of index.columns.entries()) {
      const own: Readonly<Record<string, unknown>> = isMapping(part) ? part : { column: part };
      const place = [...path, 'columns', c];
      if (ofColumns.includes(kind) && isMapping(part) && (part.expression !== undefined || part.path !== undefined))
        report({ path: place, message: `An index of the kind ${kind} is of whole columns.`, suggestion: null });
      if (own.order === 'desc' && unordered.includes(kind))
        report({
          path: [...place, 'order'],
          message: `An index of the kind ${kind} has no order.`,
          suggestion: 'Remove `order`.',
          fix: { kind: 'set', path: [...place, 'order'], value: undefined },
        });
      if (own.expression !== undefined) continue;
      // An index needs at least one column, so the fix for its only column removes the whole index.
      const whole = isOnly ? (indexes.length > 1 ? path : above) : place;
      checkColumn(own, { kind, place: isMapping(part) ? [...place, 'column'] : place, whole }, columns, names, report);
      const key = `${own.column}.${own.path ?? ''}`;
      if (seen.includes(key) && names.includes(String(own.column)))
        report({
          path: place,
          message: `The index names \`${own.column}\` twice.`,
          suggestion: 'Once is enough.',
        });
      seen.push(key);
    }
    if (ofOnePart.includes(kind) && index.columns.length > 1)
      report({
        path: [...path, 'columns'],
        message: `An index of the kind ${kind} has one column.`,
        suggestion: 'Make an index for each.',
      });
    checkIncluded(index, path, columns, names, seen, report);
  }
}

/** The place of a part of an index: the name of its column, and the path whose removal removes the part. */
interface PartPlace {
  readonly kind: unknown;
  readonly place: Path;
  readonly whole: Path;
}

/**
 * Reports a missing column, a path that its documents do not have, or a type that the kind of index does not support.
 */
function checkColumn(
  { column, path }: Readonly<Record<string, unknown>>,
  { kind, place, whole }: PartPlace,
  columns: ReadonlyMap<string, ColumnSpec>,
  names: readonly string[],
  report: Report,
): void {
  // Another rule reports a table without columns.
  if (names.length === 0) return;
  const spec = columns.get(String(column));
  if (!names.includes(String(column))) {
    report({
      path: place,
      message: `The index names \`${column}\`, which is not a column.`,
      fix: { kind: 'set', path: whole, value: undefined },
      ...meantWord({ path: place }, String(column), names, `Columns: ${names.join(', ')}.`),
    });
    return;
  }
  if (!spec) return;
  const error = (message: string, suggestion: string | null = null) => report({ path: place, message, suggestion });
  const isWholeDocument = spec.type === 'document' && path === undefined;
  if (typeof path === 'string') {
    const missing = missingField(spec, path.split('.'));
    if (spec.type !== 'document') error(`\`${column}\` is no column of documents, and has no path.`);
    else if (missing !== null)
      report({
        path: [...place.slice(0, -1), 'path'],
        message: `The documents of \`${column}\` have no field \`${missing}\`.`,
        suggestion: null,
      });
    if (spec.type !== 'document' || missing !== null) return;
  }
  if (kind === 'fulltext' && (columnType(spec).kind !== 'text' || isWholeDocument))
    error(`A fulltext index is of texts; \`${column}\` is none.`);
  else if ((kind === 'gin' || kind === 'wildcard') && spec.type !== 'document')
    error(
      `An index of the kind ${kind} is of documents; \`${column}\` has none.`,
      kind === 'gin' ? 'Or write { expression: … } instead of the column.' : null,
    );
  else if (kind === '2dsphere' && spec.type !== 'document')
    error(`A 2dsphere index is of documents with longitude and latitude; \`${column}\` has none.`);
  else if (kind === 'gist')
    error(
      'An index of the kind gist is of an expression.',
      'Write { expression: … } instead of the column, with a type that has a GiST operator class.',
    );
  else if (isWholeDocument && (kind === undefined || kind === 'btree' || kind === 'hash' || kind === 'bitmap'))
    error(
      `An index of the kind ${kind ?? 'btree'} is not of whole documents, as in \`${column}\`.`,
      `Name a field: { column: ${column}, path: … }.`,
    );
}

/** The part of a path that the documents of a column do not have; null: they have all of it. */
function missingField(spec: ColumnSpec, path: readonly string[]): string | null {
  let fields = spec.type === 'document' ? spec.fields : {};
  for (const [depth, name] of path.entries()) {
    const field: FieldSpec | undefined = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined) return path.slice(0, depth + 1).join('.');
    const inner = field.type === 'list' ? field.of : field;
    fields = inner.type === 'object' ? inner.fields : {};
  }
  return null;
}

function checkIncluded(
  { include, kind }: Readonly<Record<string, unknown>>,
  path: Path,
  columns: ReadonlyMap<string, ColumnSpec>,
  names: readonly string[],
  ordered: readonly string[],
  report: Report,
): void {
  if (!Array.isArray(include)) return;
  for (const [c, name] of include.entries()) {
    const place = [...path, 'include', c];
    const spec = columns.get(String(name));
    const removed = include.length > 1 ? place : [...path, 'include'];
    if (!names.includes(String(name)))
      report({
        path: place,
        message: `The index includes \`${name}\`, which is not a column.`,
        fix: { kind: 'set', path: removed, value: undefined },
        ...meantWord({ path: place }, String(name), names, `Columns: ${names.join(', ')}.`),
      });
    else if (ordered.includes(`${name}.`) || include.indexOf(name) !== c)
      report({
        path: place,
        message: `The index has \`${name}\` already.`,
        suggestion: 'Once is enough.',
        fix: { kind: 'set', path: removed, value: undefined },
      });
    else if (kind === 'mapReduce' && spec && !['bigint', 'decimal'].includes(columnType(spec).kind))
      report({ path: place, message: `A mapReduce index sums numbers; \`${name}\` has none.`, suggestion: null });
  }
}
