import type { Column, ColumnSpec, ColumnType, Dataset } from './dataset.ts';

/**
 * Shortest and longest value of a text column (characters) or bytes column (bytes). Without `minLength` values have at least one
 * character, because an engine may keep the empty text as null (Oracle does).
 */
export function valueLengths(spec: ColumnSpec & { readonly type: 'text' | 'bytes' }): {
  readonly min: number;
  readonly max: number;
} {
  if (spec.length !== undefined) return { min: spec.length, max: spec.length };
  const max = spec.maxLength ?? spec.minLength ?? 1;
  return { min: Math.min(spec.minLength ?? 1, max), max };
}

/** The declared type of one column. Integers are 64-bit on every engine, so that no range is silently narrower on one of them. */
export function columnType(spec: ColumnSpec): ColumnType {
  switch (spec.type) {
    case 'uuid4':
    case 'uuid7':
      return { kind: 'uuid' };
    case 'sequence':
    case 'integer':
      return { kind: 'bigint' };
    case 'text': {
      const { min, max } = valueLengths(spec);
      return { kind: 'text', maxLength: max, fixed: min === max, ascii: spec.alphabet !== 'unicode' };
    }
    case 'decimal':
      return { kind: 'decimal', precision: spec.precision, scale: spec.scale };
    case 'timestamp':
      return { kind: 'timestamp' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'bytes': {
      const { min, max } = valueLengths(spec);
      return { kind: 'bytes', maxLength: max, fixed: min === max };
    }
  }
}

/** The dataset's columns as an engine declares them, in the order of the file. */
export function tableColumns(dataset: Dataset): readonly Column[] {
  return Object.entries(dataset.columns).map(([name, spec]) => ({
    name,
    type: columnType(spec),
    nullable: spec.nulls > 0,
  }));
}

/** Position of the primary key among {@link tableColumns}, or null for a table without one. */
export function keyIndex(dataset: Dataset): number | null {
  const index = dataset.key === undefined ? -1 : Object.keys(dataset.columns).indexOf(dataset.key);
  return index < 0 ? null : index;
}
