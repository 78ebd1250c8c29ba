import type { ColumnVector } from '#model/batch/batch.ts';
import type { ReferenceSpec, ValueSpec } from '#model/dataset/column-specs.ts';
import { valueLengths } from '#model/dataset/columns.ts';
import { referredKey } from '#model/dataset/referred-key.ts';
import { numbersOf } from '#model/dataset/text-size.ts';
import { distinctNumbers, valueRange } from '#model/dataset/value-range.ts';
import { DynoError } from '#model/error.ts';
import { type Stream, stream, toUnit } from '#stats/random/random.ts';
import { firstWord, secondWord } from './hash.ts';
import { reserveBytes } from './memory.ts';
import { type Rows, rowAt } from './rows.ts';
import {
  fixedBytes,
  fixedText,
  type MakeVariable,
  uuid4,
  uuid7,
  uuidByLastBytes,
  variableBytes,
  variableText,
  variableUnicode,
  type WriteFixed,
} from './value-bytes.ts';
import { codes } from './values/code.ts';
import {
  type Choose,
  chooseExponential,
  chooseNormal,
  chooseUniform,
  chooseWeighted,
  chooseZipf,
} from './values/distributed.ts';
import { frequentNumbers, frequentTexts } from './values/frequencies.ts';
import { namePool } from './values/names.ts';
import { pooled, poolOf } from './values/pool.ts';
import { parentRows } from './values/reference.ts';
import { valueNames, vocabularyOf } from './values/vocabulary.ts';
import { proseOf } from './values/words.ts';

type WriteNumbers = (rows: Rows, key: Stream, values: Float64Array) => void;

/** The way in which values are made from row numbers alone. */
export type ValueMaker =
  | { readonly kind: 'fixed'; readonly width: number; readonly write: WriteFixed }
  | { readonly kind: 'number'; readonly write: WriteNumbers }
  | { readonly kind: 'variable'; readonly make: MakeVariable };

/** Streams of a column: its values, its nulls, and from the third on the changed values of update lanes. */
export const laneOf = (column: number, use: number): number => column + 1_000 * use;

/**
 * The maker of a column's values. `rows`: the rows of its table, whose order values may follow; 1: there is no order.
 * Throws 'badInput' for ranges that are empty or too wide to be exact.
 */
export function valueMaker(spec: ValueSpec, seed: number, rows = 1): ValueMaker {
  switch (spec.type) {
    case 'uuid4':
      return { kind: 'fixed', width: 16, write: uuid4 };
    case 'uuid7':
      return { kind: 'fixed', width: 16, write: uuid7 };
    case 'uuidSequential':
      return { kind: 'fixed', width: 16, write: spec.order === 'lastSixBytesFirst' ? uuidByLastBytes : uuid7 };
    case 'sequence': {
      const { start } = spec;
      return number((_first, _second, row) => start + row);
    }
    case 'integer':
    case 'decimal':
    case 'timestamp':
      return inRange(spec);
    case 'boolean': {
      const { trueShare } = spec;
      return number((first, second) => (toUnit(first, second) < trueShare ? 1 : 0));
    }
    case 'text': {
      const { min, max } = valueLengths(spec);
      if (spec.alphabet === 'unicode') return { kind: 'variable', make: variableUnicode(min, max) };
      if (min === max) return { kind: 'fixed', width: max, write: fixedText(max, spec.alphabet) };
      return { kind: 'variable', make: variableText(min, max, spec.alphabet) };
    }
    case 'bytes': {
      const { min, max } = valueLengths(spec);
      if (min === max) return { kind: 'fixed', width: max, write: fixedBytes(max) };
      return { kind: 'variable', make: variableBytes(min, max) };
    }
    case 'name':
      return fromPool(namePool(spec, seed), spec);
    case 'oneOf':
      return oneOf(spec, seed);
    case 'words':
      return {
        kind: 'variable',
        make: proseOf(vocabularyOf(spec.vocabulary, seed), spec.minWords, spec.maxWords),
      };
    case 'code':
      return { kind: 'fixed', ...codes(spec.pattern) };
    case 'frequencies': {
      if (spec.as === 'text') return { kind: 'variable', make: frequentTexts(spec, rows) };
      const numberOf = frequentNumbers(spec, rows);
      return {
        kind: 'number',
        write(wanted, key, values) {
          for (let r = 0; r < wanted.count; r++) values[r] = numberOf(rowAt(wanted, r), key);
        },
      };
    }
    case 'reference':
      return reference(spec, seed, rows);
  }
}

type NumberSpec = ValueSpec & { readonly type: 'integer' | 'decimal' | 'timestamp' };

function inRange(spec: NumberSpec): ValueMaker {
  const { least, count } = valueRange(spec);
  const { distribution = 'uniform' } = spec;
  if (!(count >= 1)) {
    const [from, to] = spec.type === 'timestamp' ? [spec.from, spec.to] : [spec.min, spec.max];
    throw new DynoError('badInput', `the range ${from} to ${to} is empty.`);
  }
  if (count > 2 ** 53) throw new DynoError('badInput', `min to max spans more than 2^53 values.`);
  const distinct = distinctNumbers(spec);
  if (distinct < count) {
    const choose = distribution === 'uniform' ? chooseUniform(distinct) : chooseOf(spec, distinct);
    return number((first, second) => least + Math.floor((choose(first, second) * count) / distinct));
  }
  // The most frequent case by far has its own closure, to be as fast as possible.
  if (distribution === 'uniform') return number((first, second) => least + Math.floor(toUnit(first, second) * count));
  const choose = chooseOf(spec, count);
  return number((first, second) => least + choose(first, second));
}

/** Chooses one of `count` values by the distribution of a column, which is not uniform. */
function chooseOf(spec: NumberSpec, count: number): Choose {
  const { distribution, exponent } = spec;
  const unit = spec.type === 'decimal' ? 10 ** spec.scale : 1;
  const { least } = valueRange(spec);
  const mean = 'mean' in spec && spec.mean !== undefined ? spec.mean * unit - least : null;
  const deviation = 'deviation' in spec && spec.deviation !== undefined ? spec.deviation * unit : count / 6;
  if (distribution === 'normal') return chooseNormal(count, mean ?? (count - 1) / 2, deviation);
  return distribution === 'exponential' ? chooseExponential(count, mean ?? count / 5) : chooseZipf(count, exponent);
}

type PoolSpec = ValueSpec & { readonly type: 'name' | 'oneOf' };

function choiceOf(spec: PoolSpec, count: number): Choose {
  const weights = 'weights' in spec ? spec.weights : undefined;
  if (weights !== undefined) return chooseWeighted(weights);
  return spec.distribution === 'zipf' ? chooseZipf(count, spec.exponent) : chooseUniform(count);
}

const fromPool = (texts: readonly string[], spec: PoolSpec): ValueMaker => ({
  kind: 'variable',
  make: pooled(poolOf(texts), choiceOf(spec, texts.length)),
});

function oneOf(spec: ValueSpec & { readonly type: 'oneOf' }, seed: number): ValueMaker {
  const numbers = numbersOf(spec);
  if (!numbers) return fromPool(spec.values?.map(String) ?? valueNames(spec.count ?? 1, seed), spec);
  const choose = choiceOf(spec, numbers.length);
  return number((first, second) => numbers[choose(first, second)]!);
}

/** The other table's own key maker, for the rows that are referred to. */
function reference(spec: ReferenceSpec, ownSeed: number, ownRows: number): ValueMaker {
  const { rows: parentCount, key: parentKey, position, seed = ownSeed } = referredKey(spec);
  const parents = parentRows(spec, parentCount, seed, ownRows);
  const keys = stream(seed, laneOf(position - 1, 0));
  const maker = valueMaker(parentKey, seed);
  switch (maker.kind) {
    case 'fixed':
      return {
        kind: 'fixed',
        width: maker.width,
        write: (rows, key, to, offset, stride) => maker.write(parents(rows, key), keys, to, offset, stride),
      };
    case 'number':
      return { kind: 'number', write: (rows, key, values) => maker.write(parents(rows, key), keys, values) };
    case 'variable':
      return { kind: 'variable', make: (rows, key) => maker.make(parents(rows, key), keys) };
  }
}

function number(value: (first: number, second: number, row: number) => number): ValueMaker {
  return {
    kind: 'number',
    write(rows, key, values) {
      for (let r = 0; r < rows.count; r++) {
        const row = rowAt(rows, r);
        const first = firstWord(key, row);
        values[r] = value(first, secondWord(key, row, first), row);
      }
    },
  };
}

/** The values of these rows as a vector of its own. */
export function valuesOf(maker: ValueMaker, rows: Rows, key: Stream, nulls: Uint8Array | null): ColumnVector {
  switch (maker.kind) {
    case 'fixed': {
      const { width } = maker;
      const length = rows.count * width;
      const buffer = reserveBytes(length);
      const offset = buffer.used;
      buffer.used += length;
      maker.write(rows, key, buffer.view, offset, width);
      return { kind: 'fixed', bytes: buffer.bytes, offset, stride: width, width, nulls };
    }
    case 'number': {
      const values = new Float64Array(rows.count);
      maker.write(rows, key, values);
      return { kind: 'number', values, nulls };
    }
    case 'variable':
      return { kind: 'variable', ...maker.make(rows, key), nulls };
  }
}

/** 1 where the column is null. */
export function makeNulls(share: number, rows: Rows, key: Stream): Uint8Array {
  const nulls = new Uint8Array(rows.count);
  for (let r = 0; r < rows.count; r++) {
    const row = rowAt(rows, r);
    const first = firstWord(key, row);
    nulls[r] = toUnit(first, secondWord(key, row, first)) < share ? 1 : 0;
  }
  return nulls;
}
