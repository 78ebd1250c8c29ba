import { type ColumnSpec, columnSchema, type FieldSpec, type FrequencySpec } from '#model/dataset/column-specs.ts';
import { frequentDigits } from '#model/dataset/columns.ts';
import { frequentNumber } from '#model/dataset/frequent-number.ts';
import { objectSize, usualLongest } from '#model/dataset/text-size.ts';
import { valueRange } from '#model/dataset/value-range.ts';
import { factsOf } from '#model/file-key.ts';
import { formatCount } from '#model/format/format.ts';
import { shapeOf } from '#model/shape.ts';
import { codeCount } from '#model/text/code-pattern.ts';
import { plainDecimal } from '#model/text/exact-decimal.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';

type Say = (key: string, message: string, suggestion: string | null) => void;
type Shaped = ColumnSpec & { readonly type: 'integer' | 'decimal' };

/** Rules for one column or field beyond the schema: keys that contradict each other. */
export function checkColumn(name: string, spec: ColumnSpec | FieldSpec, path: Path, report: Report): void {
  const error: Say = (key, message, suggestion) => report({ path: [...path, key], message, suggestion });
  checkOnly(spec, error);
  switch (spec.type) {
    case 'integer':
      if (spec.min > spec.max) error('min', `min ${spec.min} is above max ${spec.max}.`, 'Swap them.');
      else checkShape(spec, spec.min, spec.max, error);
      return;
    case 'decimal':
      checkDecimal(spec, error);
      return;
    case 'timestamp':
      checkDays(spec, error);
      return;
    case 'text':
    case 'bytes':
      checkLengths(name, spec, error);
      return;
    case 'oneOf':
      checkOneOf(spec, error);
      return;
    case 'frequencies':
      checkFrequencies(spec, error);
      return;
    case 'code':
      if (codeCount(spec.pattern) === 1)
        error('pattern', 'The pattern makes the same code for every row.', '# stands for a digit, ? for a letter.');
      return;
    case 'words':
      if (spec.minWords > spec.maxWords)
        error('minWords', `minWords ${spec.minWords} is above maxWords ${spec.maxWords}.`, 'Swap them.');
      return;
    case 'reference':
      checkReference(spec, error);
      return;
    case 'correlated':
      if (spec.noise !== undefined && spec.correlation !== undefined)
        error('correlation', '`correlation` says how much noise there is, and `noise` does, too.', 'Keep one of them.');
      if (spec.scale > spec.precision) error('scale', ...tooManyPlaces(spec));
      return;
    case 'document':
    case 'object':
      for (const [name, inner] of Object.entries(spec.fields))
        checkColumn(name, inner, [...path, 'fields', name], report);
      if (spec.type === 'document') checkSize(spec, error);
      return;
    case 'list':
      if (spec.minLength > spec.maxLength)
        error('minLength', `minLength ${spec.minLength} is above maxLength ${spec.maxLength}.`, 'Swap them.');
      checkColumn(name, spec.of, [...path, 'of'], report);
      return;
    case 'file':
      if (spec.as === 'decimal' && (spec.scale ?? 2) > (spec.precision ?? 18))
        error('scale', ...tooManyPlaces({ scale: spec.scale ?? 2, precision: spec.precision ?? 18 }));
      return;
    case 'name':
    case 'uuid4':
    case 'uuid7':
    case 'uuidSequential':
    case 'sequence':
    case 'boolean':
    case 'delayed':
      return;
  }
}

const tooManyPlaces = ({ scale, precision }: { readonly scale: number; readonly precision: number }) =>
  [
    `scale ${scale} is more than precision ${precision}.`,
    'precision counts all digits, scale those after the point.',
  ] as const;

const plain = (number: number | undefined): string => plainDecimal(String(number));

function checkDecimal(spec: ColumnSpec & { readonly type: 'decimal' }, error: Say): void {
  if (spec.scale > spec.precision) {
    error('scale', ...tooManyPlaces(spec));
    return;
  }
  const most = (10 ** spec.precision - 1) / 10 ** spec.scale;
  for (const key of ['min', 'max'] as const)
    if (Math.abs(spec[key] ?? 0) > most)
      error(
        key,
        `${key} ${plain(spec[key])} has more digits than precision ${spec.precision} and scale ${spec.scale} allow.`,
        null,
      );
  const min = spec.min ?? 0;
  const max = spec.max ?? most;
  if (min > max)
    error('min', `min ${plain(min)} is above max ${plain(max)}.`, spec.max === undefined ? null : 'Swap them.');
  else if (valueRange(spec).count < 1)
    error('min', `No number with ${spec.scale} decimal places lies between ${plain(min)} and ${plain(max)}.`, null);
  else checkShape(spec, min, max, error);
}

function checkDays(spec: ColumnSpec & { readonly type: 'timestamp' }, error: Say): void {
  const [from, to] = [Date.parse(spec.from), Date.parse(spec.to)];
  if (Number.isNaN(from)) error('from', `There is no day ${spec.from}.`, null);
  if (Number.isNaN(to)) error('to', `There is no day ${spec.to}.`, null);
  if (from >= to) error('from', `from ${spec.from} is not before to ${spec.to}.`, null);
}

function checkLengths(name: string, spec: ColumnSpec & { readonly type: 'text' | 'bytes' }, error: Say): void {
  if (spec.length !== undefined && (spec.minLength !== undefined || spec.maxLength !== undefined))
    error('length', '`length` fixes the length; minLength and maxLength let it vary.', 'Keep one of the two.');
  else if (spec.length === undefined && spec.maxLength === undefined)
    error(
      'length',
      `The ${spec.type} column \`${name}\` has no length.`,
      'Write `length: 20`, or `minLength` and `maxLength`.',
    );
  else if ((spec.minLength ?? 0) > (spec.maxLength ?? Number.POSITIVE_INFINITY))
    error('minLength', `minLength ${spec.minLength} is above maxLength ${spec.maxLength}.`, 'Swap them.');
}

/** Reports keys that are valid only with another value of another key, as their schemas define. */
function checkOnly(spec: ColumnSpec | FieldSpec, error: Say): void {
  const written: Readonly<Record<string, unknown>> = spec;
  const option = columnSchema.options.find(({ entries }) => entries.type.literal === spec.type);
  for (const [key, shape] of Object.entries(shapeOf(option)?.entries ?? {}))
    for (const [other, values] of Object.entries(factsOf(shape)?.only ?? {}))
      if (written[key] !== undefined && !values.includes(String(written[other])))
        error(
          key,
          `\`${key}\` belongs to ${other}: ${values.join(' or ')}.`,
          `Write \`${other}: ${values[0]}\`, or remove \`${key}\`.`,
        );
}

function checkShape(spec: Shaped, min: number, max: number, error: Say): void {
  const { mean, deviation } = spec;
  if (mean !== undefined && !(mean > min && mean < max))
    error('mean', `The mean ${mean} does not lie between min ${min} and max ${max}.`, null);
  if (deviation !== undefined && !(deviation > 0 && deviation <= max - min))
    error('deviation', `The deviation has to be above 0 and at most ${max - min}, the width of the range.`, null);
}

function checkOneOf(spec: ColumnSpec & { readonly type: 'oneOf' }, error: Say): void {
  const { values, count, weights, distribution } = spec;
  if (values === undefined && count === undefined)
    error('values', 'The list has no values.', 'Write `values: [red, green]`, or `count: 20` for made-up ones.');
  if (values !== undefined && count !== undefined)
    error('count', '`values` lists the values, `count` makes some up.', 'Keep one of the two.');
  if (values?.some((value) => typeof value === 'number') && values.some((value) => typeof value === 'string'))
    error('values', 'Some values are texts and some are numbers.', 'Put the numbers into quotes.');
  if (weights !== undefined) {
    if (weights.length !== (values?.length ?? 0))
      error('weights', `There are ${weights.length} weights for ${values?.length ?? 0} values.`, 'One for each value.');
    if (weights.every((weight) => weight === 0)) error('weights', 'No value has a weight above 0.', null);
    if (distribution !== undefined)
      error('distribution', 'The weights are the distribution.', 'Remove one of the two.');
  }
}

function checkReference(spec: ColumnSpec & { readonly type: 'reference' }, error: Say): void {
  const { key, rows = 0, shares, distribution } = spec;
  if (shares !== undefined) {
    checkShares(shares, error);
    if (distribution !== undefined) error('distribution', 'The shares are the distribution.', 'Remove one of the two.');
    if (spec.rowOrder !== undefined)
      error('rowOrder', 'The frequent parents are scattered, so that they have no order.', 'Remove one of the two.');
  }
  if (spec.table !== undefined || key?.type !== 'code') return;
  const codes = codeCount(key.pattern);
  if (codes < rows)
    error(
      'key',
      `The pattern of that key makes ${formatCount(codes)} codes for ${formatCount(rows)} rows.`,
      'Write the key as it is there, or fewer rows.',
    );
}

/** Sums of shares that were rounded may be above 1 by this much. */
const roundedSum = 1e-6;

function checkShares(shares: readonly number[], error: Say): void {
  const sum = shares.reduce((total, one) => total + one, 0);
  if (sum > 1 + roundedSum)
    error('shares', `The shares sum to ${plain(Number(sum.toPrecision(6)))}.`, 'They sum to 1 at most.');
}

function checkFrequencies(spec: FrequencySpec, error: Say): void {
  const { as, values, shares, bounds, minLength = 1, maxLength = usualLongest, meanLength } = spec;
  if (as === 'decimal') {
    const digits = frequentDigits(spec);
    if (digits.scale > digits.precision) {
      error('scale', ...tooManyPlaces(digits));
      return;
    }
  }
  if ((values?.length ?? 0) !== (shares?.length ?? 0))
    error(
      'shares',
      `There are ${shares?.length ?? 0} shares for ${values?.length ?? 0} values.`,
      'One for each value.',
    );
  else if (shares !== undefined) checkShares(shares, error);
  for (const [key, list] of Object.entries({ values, bounds }))
    for (const value of list ?? [])
      if (frequentNumber(spec, value) === null) {
        error(key, `${JSON.stringify(value)} is no ${as === 'text' ? 'text' : as}.`, null);
        return;
      }
  if (spec.row !== undefined && spec.rowOrder !== undefined)
    error('rowOrder', 'Columns that draw together do not follow the order of the rows.', 'Remove one of the two.');
  if (as === 'text') {
    if (minLength > maxLength)
      error('minLength', `minLength ${minLength} is above maxLength ${maxLength}.`, 'Swap them.');
    else if (meanLength !== undefined && (meanLength < minLength || meanLength > maxLength))
      error('meanLength', `The mean ${meanLength} does not lie between ${minLength} and ${maxLength}.`, null);
    return;
  }
  const numbers = (bounds ?? []).map((bound) => frequentNumber(spec, bound)!);
  if (numbers.some((bound, i) => bound < (numbers[i - 1] ?? bound)))
    error('bounds', 'The bounds do not ascend.', 'Write the smallest first.');
  if (bounds === undefined && values === undefined)
    error('bounds', 'The column has neither values nor bounds.', 'Write `bounds: [0, 100]`, or `values` and `shares`.');
}

const deepest = 8;
const longest = 1_000_000;
/** Elements have numbers like rows, which must be exact. */
const mostElements = 100_000;

function checkSize(spec: ColumnSpec & { readonly type: 'document' }, error: Say): void {
  if (depthOf(spec) > deepest) error('fields', `Documents are nested ${deepest} levels deep at most.`, null);
  else if (elementsOf(spec) > mostElements)
    error('fields', `Lists within lists have ${formatCount(mostElements)} elements at most.`, 'Shorten them.');
  else if (objectSize(spec.fields).maxLength > longest)
    error('fields', `The document can get longer than ${formatCount(longest)} characters.`, 'Shorten its lists.');
}

const innerOf = (spec: ColumnSpec | FieldSpec): readonly FieldSpec[] =>
  'of' in spec && spec.type === 'list' ? [spec.of] : 'fields' in spec ? Object.values(spec.fields) : [];

const depthOf = (spec: ColumnSpec | FieldSpec): number => 1 + Math.max(0, ...innerOf(spec).map(depthOf));

/** The largest number of times that a value can occur within one document. */
const elementsOf = (spec: ColumnSpec | FieldSpec): number =>
  (spec.type === 'list' ? spec.maxLength : 1) * Math.max(1, ...innerOf(spec).map(elementsOf));
