import * as v from 'valibot';
import { isMapping, type Report } from './check-shape.ts';
import { valueLengths } from './columns.ts';
import { type ColumnSpec, columnSchema } from './dataset.ts';
import { didYouMean } from './nearest-word.ts';

/** What the schema cannot say about a dataset: columns that contradict themselves, and a key that is none. */
export function checkDataset(dataset: unknown, report: Report): void {
  if (!isMapping(dataset)) return;
  const written = isMapping(dataset.columns) ? dataset.columns : {};
  const columns = new Map<string, ColumnSpec>();
  for (const [name, value] of Object.entries(written)) {
    const parsed = v.safeParse(columnSchema, value);
    if (!parsed.success) continue;
    columns.set(name, parsed.output);
    checkColumn(name, parsed.output, report);
  }
  if (typeof dataset.key === 'string' && Object.keys(written).length > 0)
    checkKey(dataset.key, Object.keys(written), columns.get(dataset.key), Number(dataset.rows), report);
}

function checkColumn(name: string, spec: ColumnSpec, report: Report): void {
  const error = (key: string, message: string, suggestion: string | null) =>
    report({ severity: 'error', path: ['dataset', 'columns', name, key], at: 'value', message, suggestion });
  switch (spec.type) {
    case 'integer':
      if (spec.min > spec.max) error('min', `min ${spec.min} is above max ${spec.max}.`, 'Swap them.');
      return;
    case 'decimal':
      if (spec.scale > spec.precision)
        error(
          'scale',
          `scale ${spec.scale} is more than precision ${spec.precision}.`,
          'precision counts all digits, scale those after the point.',
        );
      return;
    case 'timestamp': {
      const [from, to] = [Date.parse(spec.from), Date.parse(spec.to)];
      if (Number.isNaN(from)) error('from', `There is no day ${spec.from}.`, null);
      if (Number.isNaN(to)) error('to', `There is no day ${spec.to}.`, null);
      if (from >= to) error('from', `from ${spec.from} is not before to ${spec.to}.`, null);
      return;
    }
    case 'text':
    case 'bytes':
      if (spec.length !== undefined && (spec.minLength !== undefined || spec.maxLength !== undefined))
        error('length', '`length` fixes the length; minLength and maxLength let it vary.', 'Keep one of the two ways.');
      else if (spec.length === undefined && spec.maxLength === undefined)
        error(
          'length',
          `The ${spec.type} column \`${name}\` has no length.`,
          'Write `length: 20`, or `minLength` and `maxLength`.',
        );
      else if ((spec.minLength ?? 0) > (spec.maxLength ?? Number.POSITIVE_INFINITY))
        error('minLength', `minLength ${spec.minLength} is above maxLength ${spec.maxLength}.`, 'Swap them.');
      return;
    default:
      return;
  }
}

function checkKey(
  key: string,
  names: readonly string[],
  spec: ColumnSpec | undefined,
  rows: number,
  report: Report,
): void {
  const error = (message: string, suggestion: string | null) =>
    report({ severity: 'error', path: ['dataset', 'key'], at: 'value', message, suggestion });
  if (!names.includes(key)) {
    error(`The key \`${key}\` is not a column.`, didYouMean(key, names) ?? `Columns: ${names.join(', ')}.`);
    return;
  }
  if (!spec) return;
  if (spec.nulls > 0)
    report({
      severity: 'error',
      path: ['dataset', 'columns', key, 'nulls'],
      at: 'value',
      message: `\`${key}\` is the primary key and cannot be null.`,
      suggestion: 'Remove `nulls`, or make another column the key.',
    });
  // Expected number of equal pairs among random values: rows² / 2 / distinct values ("birthday problem").
  const equalPairs = (rows * (rows - 1)) / 2 / distinctValues(spec);
  if (equalPairs > 0.01)
    error(
      `\`${key}\` is random and would repeat itself within ${rows.toLocaleString('en')} rows; a primary key cannot.`,
      'Use uuid4, uuid7 or sequence for the key, or a longer text.',
    );
}

const alphabetSizes = { alphanumeric: 36, letters: 26, digits: 10, hex: 16, unicode: 64 } as const;

/** A cautious count of the different values a column can take; infinite where they never repeat. */
function distinctValues(spec: ColumnSpec): number {
  switch (spec.type) {
    case 'uuid4':
    case 'uuid7':
    case 'sequence':
      return Number.POSITIVE_INFINITY;
    case 'integer':
      return spec.max - spec.min + 1;
    case 'decimal':
      return 10 ** spec.precision;
    case 'timestamp':
      return (Date.parse(spec.to) - Date.parse(spec.from)) * 1_000;
    case 'boolean':
      return 2;
    case 'text':
      return alphabetSizes[spec.alphabet] ** valueLengths(spec).min;
    case 'bytes':
      return 256 ** valueLengths(spec).min;
  }
}
