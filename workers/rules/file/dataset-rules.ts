import * as v from 'valibot';
import { type ColumnSpec, columnSchema, type FileColumnType } from '#model/dataset/column-specs.ts';
import { valueLengths } from '#model/dataset/columns.ts';
import { distinctNumbers } from '#model/dataset/value-range.ts';
import { formatCount } from '#model/format/format.ts';
import { isMapping } from '#model/is-mapping.ts';
import { codeCount } from '#model/text/code-pattern.ts';
import { meantWord } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';
import { checkColumn } from './column-rules.ts';
import { checkFollowers } from './follower-rules.ts';
import { checkIndexes } from './index-rules.ts';

/** Rules for the dataset or table at `path` beyond the schema: contradictions within columns, and an invalid key. */
export function checkDataset(dataset: unknown, path: Path, report: Report): void {
  if (!isMapping(dataset)) return;
  const written = isMapping(dataset.columns) ? dataset.columns : {};
  const columns = new Map<string, ColumnSpec>();
  for (const [name, value] of Object.entries(written)) {
    const parsed = v.safeParse(columnSchema, value);
    if (!parsed.success || leadsNowhere(parsed.output)) continue;
    columns.set(name, parsed.output);
    checkColumn(name, parsed.output, [...path, 'columns', name], report);
  }
  checkFile(dataset, columns, path, report);
  checkFollowers(Object.keys(written), columns, [...path, 'columns'], report);
  checkIndexes(dataset.indexes, columns, Object.keys(written), [...path, 'indexes'], report);
  if (typeof dataset.key === 'string' && Object.keys(written).length > 0)
    checkKey(dataset.key, Object.keys(written), columns.get(dataset.key), Number(dataset.rows), path, report);
}

/** Columns of a file need the file, and the file needs columns. */
function checkFile(
  { from }: Readonly<Record<string, unknown>>,
  columns: ReadonlyMap<string, ColumnSpec>,
  path: Path,
  report: Report,
): void {
  const ofFile = [...columns].filter(([, { type }]) => type === 'file');
  const [first] = ofFile;
  if (first && from === undefined)
    report({
      path: [...path, 'columns', first[0]],
      message: `\`${first[0]}\` is a column of a file, and the table names none.`,
      suggestion: 'Write `from: { file: rows.csv }` beside `rows`.',
    });
  if (from === undefined || first || columns.size === 0) return;
  report({
    path: [...path, 'from'],
    message: 'No column of the table is a column of the file.',
    suggestion: 'Write the columns of the file with `type: file`, or remove `from`.',
  });
}

/** True for a reference without a table or key; table-rules.ts reports it. */
export const leadsNowhere = (spec: ColumnSpec): boolean =>
  spec.type === 'reference' && (spec.rows === undefined || spec.key === undefined);

function checkKey(
  key: string,
  names: readonly string[],
  spec: ColumnSpec | undefined,
  rows: number,
  path: Path,
  report: Report,
): void {
  const error = (message: string, suggestion: string | null) => report({ path: [...path, 'key'], message, suggestion });
  if (!names.includes(key)) {
    const place = [...path, 'key'];
    report({
      path: place,
      message: `The key \`${key}\` is not a column.`,
      // A key whose column was removed is removed, too.
      fix: { kind: 'set', path: place, value: undefined },
      ...meantWord({ path: place }, key, names, `Columns: ${names.join(', ')}.`),
    });
    return;
  }
  if (!spec) return;
  if (spec.nulls > 0)
    report({
      path: [...path, 'columns', key, 'nulls'],
      message: `\`${key}\` is the primary key and cannot be null.`,
      suggestion: 'Remove `nulls`, or make another column the key.',
      fix: { kind: 'set', path: [...path, 'columns', key, 'nulls'], value: undefined },
    });
  if (spec.type === 'file') {
    // The rows are known when the run reads the file, which must not have two with the same key.
    if (!fileKeys.includes(spec.as))
      error(
        `\`${key}\` is of the type ${spec.as}, which is no key.`,
        `A key of a file is of type ${fileKeys.join(', ')}.`,
      );
    return;
  }
  if (spec.type === 'code') {
    const codes = codeCount(spec.pattern);
    if (codes < rows)
      error(
        `The pattern ${spec.pattern} makes ${formatCount(codes)} different codes for ${formatCount(rows)} rows; a primary key needs as many, and some more for the warm-up.`,
        'Write more # or ? into the pattern.',
      );
    return;
  }
  // Expected number of equal pairs among random values: rows² / 2 / distinct values ("birthday problem").
  const equalPairs = (rows * (rows - 1)) / 2 / distinctValues(spec);
  if (equalPairs > 0.01)
    error(
      `\`${key}\` is random and would repeat itself within ${formatCount(rows)} rows; a primary key cannot.`,
      goodKeys,
    );
}

/** The types of a file’s values that every engine takes as a key. */
const fileKeys: readonly FileColumnType[] = ['integer', 'text', 'uuid', 'timestamp', 'decimal'];

const goodKeys = 'Use uuid4, uuid7, uuidSequential or sequence for the key, a code or a longer text.';

const alphabetSizes = { alphanumeric: 36, letters: 26, digits: 10, hex: 16, unicode: 64 } as const;

/** A cautious count of the different values of a column; infinite where values never repeat. */
function distinctValues(spec: ColumnSpec): number {
  switch (spec.type) {
    case 'uuid4':
    case 'uuid7':
    case 'uuidSequential':
    case 'sequence':
      return Number.POSITIVE_INFINITY;
    case 'integer':
    case 'decimal':
    case 'timestamp':
      return spec.distribution === undefined || spec.distribution === 'uniform' ? distinctNumbers(spec) : 1;
    case 'boolean':
      return 2;
    case 'text':
      return alphabetSizes[spec.alphabet] ** valueLengths(spec).min;
    case 'bytes':
      return 256 ** valueLengths(spec).min;
    case 'code':
      return Number.POSITIVE_INFINITY; // if the pattern is wide enough
    case 'name':
    case 'oneOf':
    case 'frequencies':
    case 'words':
    case 'reference':
    case 'correlated':
    case 'delayed':
    case 'document':
    case 'file':
      return 1;
  }
}
