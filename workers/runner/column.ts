import { valueLengths } from '#contract/columns.ts';
import type { ColumnSpec } from '#contract/dataset.ts';
import { DynoError } from '#contract/error.ts';
import { type Stream, toUnit } from '#stats/random.ts';
import { firstWord, secondWord } from './hash.ts';
import { type Rows, rowAt } from './rows.ts';
import {
  fixedBytes,
  fixedText,
  type MakeVariable,
  uuid4,
  uuid7,
  variableBytes,
  variableText,
  variableUnicode,
  type WriteFixed,
} from './value-bytes.ts';

export type WriteNumbers = (rows: Rows, key: Stream, values: Float64Array) => void;

/** How the values of one column are made. */
export type ColumnMaker =
  | { readonly kind: 'fixed'; readonly width: number; readonly write: WriteFixed }
  | { readonly kind: 'number'; readonly write: WriteNumbers }
  | { readonly kind: 'variable'; readonly make: MakeVariable };

/** Throws 'badInput' for ranges that are empty or too wide to be exact. */
export function columnMaker(name: string, spec: ColumnSpec): ColumnMaker {
  switch (spec.type) {
    case 'uuid4':
      return { kind: 'fixed', width: 16, write: uuid4 };
    case 'uuid7':
      return { kind: 'fixed', width: 16, write: uuid7 };
    case 'sequence': {
      const { start } = spec;
      return number((_first, _second, row) => start + row);
    }
    case 'integer': {
      const span = spec.max - spec.min + 1;
      if (span < 1) throw empty(name, `${spec.min} to ${spec.max}`);
      if (span > 2 ** 53) throw new DynoError('badInput', `Column ${name}: min to max spans more than 2^53 values.`);
      const { min } = spec;
      return number((first, second) => min + Math.floor(toUnit(first, second) * span));
    }
    case 'decimal': {
      const span = 10 ** spec.precision;
      return number((first, second) => Math.floor(toUnit(first, second) * span));
    }
    case 'timestamp': {
      const from = Date.parse(`${spec.from}T00:00:00Z`) * 1_000;
      const span = Date.parse(`${spec.to}T00:00:00Z`) * 1_000 - from;
      if (!(span > 0)) throw empty(name, `${spec.from} to ${spec.to}`);
      return number((first, second) => from + Math.floor(toUnit(first, second) * span));
    }
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
  }
}

const empty = (name: string, range: string) =>
  new DynoError('badInput', `Column ${name}: the range ${range} is empty.`);

function number(value: (first: number, second: number, row: number) => number): ColumnMaker {
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
