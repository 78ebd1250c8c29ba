import type { Cannot } from '#engine-api/reproducer.ts';
import type { ColumnSpec } from '#model/dataset/column-specs.ts';
import { valueLengths } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { numbersOf } from '#model/dataset/text-size.ts';
import { valueRange } from '#model/dataset/value-range.ts';

/** The way in which the generator of a script makes the values of a column, as data that every language reads. */
export type ColumnMaker =
  | { readonly kind: 'uuid4' | 'uuid7' | 'uuidByLastBytes' }
  | { readonly kind: 'sequence'; readonly start: number }
  | { readonly kind: 'number'; readonly least: number; readonly count: number }
  | { readonly kind: 'boolean'; readonly trueShare: number }
  | { readonly kind: 'text'; readonly min: number; readonly max: number; readonly alphabet: string }
  | { readonly kind: 'bytes'; readonly min: number; readonly max: number }
  | { readonly kind: 'oneOf'; readonly values: readonly (string | number)[] };

/** The makers of all columns of a dataset, or the reason why a script has no generator for one of them. */
export function columnMakers({ columns }: Dataset): readonly ColumnMaker[] | Cannot {
  const makers: ColumnMaker[] = [];
  for (const [name, spec] of Object.entries(columns)) {
    const maker = makerOf(spec);
    if (typeof maker === 'string')
      return { cannot: `The column ${name} has ${maker}, for which the small generator of scripts has no code.` };
    makers.push(maker);
  }
  return makers;
}

/** The maker of a column, or the kind of its values in words. */
function makerOf(spec: ColumnSpec): ColumnMaker | string {
  switch (spec.type) {
    case 'uuid4':
    case 'uuid7':
      return { kind: spec.type };
    case 'uuidSequential':
      return { kind: spec.order === 'lastSixBytesFirst' ? 'uuidByLastBytes' : 'uuid7' };
    case 'sequence':
      return { kind: 'sequence', start: spec.start };
    case 'integer':
    case 'decimal':
    case 'timestamp': {
      const { distribution = 'uniform' } = spec;
      if (spec.type === 'timestamp' && spec.distinct !== undefined) return 'a number of distinct times';
      return distribution === 'uniform' ? { kind: 'number', ...valueRange(spec) } : `the distribution ${distribution}`;
    }
    case 'boolean':
      return { kind: 'boolean', trueShare: spec.trueShare };
    case 'text':
      return { kind: 'text', ...valueLengths(spec), alphabet: spec.alphabet };
    case 'bytes':
      return { kind: 'bytes', ...valueLengths(spec) };
    case 'oneOf': {
      const { values, weights, distribution } = spec;
      if (values === undefined || weights !== undefined || distribution === 'zipf')
        return 'values that are made, weighted or chosen by Zipf’s law';
      return { kind: 'oneOf', values: numbersOf(spec) ?? values.map(String) };
    }
    default:
      return `the type ${spec.type}`;
  }
}
