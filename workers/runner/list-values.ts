import type { ColumnVector } from '#contract/batch.ts';
import type { ColumnType } from '#contract/dataset.ts';
import { DynoError } from '#contract/error.ts';
import type { ListType, ValueList } from '#contract/statements.ts';

const mostDigits = 15;
const patterns: Readonly<Record<Exclude<ListType, 'text'>, RegExp>> = {
  integer: /^-?\d{1,15}$/,
  decimal: /^-?\d{1,15}(\.\d{1,15})?$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  timestamp: /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?)?(Z|[+-]\d\d(:?\d\d)?)?$/,
  boolean: /^(true|false|t|f)$/i,
};

/** What all values of a list look like; text where they differ, or there are none. */
export function guessListType(values: readonly (string | null)[]): ListType {
  const some = values.filter((value) => value !== null);
  if (some.length === 0) return 'text';
  const fits = (type: Exclude<ListType, 'text'>) => some.every((value) => patterns[type].test(value));
  const found = (['integer', 'decimal', 'uuid', 'timestamp', 'boolean'] as const).find(fits) ?? 'text';
  const isNumber = found === 'integer' || found === 'decimal';
  // A leading zero is a code's, not a number's; and beyond that many digits a number would not be exact.
  return isNumber && some.some((value) => /^-?0\d/.test(value) || digitsOf(value) > mostDigits) ? 'text' : found;
}

const digitsOf = (value: string): number => value.replace(/\D/g, '').length;

/** The values of a list as a column. Throws 'badInput' for one that is not of the list's type. */
export function listVector({ as, values }: ValueList): { readonly vector: ColumnVector; readonly type: ColumnType } {
  const nulls = values.includes(null) ? Uint8Array.from(values, (value) => Number(value === null)) : null;
  if (as !== 'text') {
    const wrong = values.find((value) => value !== null && !patterns[as].test(value));
    if (typeof wrong === 'string')
      throw new DynoError('badInput', `“${wrong.slice(0, 60)}” is no ${as}.`, {
        hint: 'Say with `as` what the values are.',
      });
  }
  switch (as) {
    case 'text': {
      const encoded = values.map((value) => Buffer.from(value ?? ''));
      const offsets = new Uint32Array(values.length + 1);
      for (let i = 0; i < encoded.length; i++) offsets[i + 1] = offsets[i]! + encoded[i]!.length;
      const maxLength = Math.max(1, ...values.map((value) => value?.length ?? 0));
      return {
        vector: { kind: 'variable', bytes: Buffer.concat(encoded), offsets, nulls },
        type: {
          kind: 'text',
          maxLength,
          fixed: false,
          ascii: encoded.every((one, i) => one.length === values[i]?.length),
        },
      };
    }
    case 'uuid': {
      const bytes = Buffer.concat(
        values.map((value) => Buffer.from((value ?? '').replaceAll('-', '').padEnd(32, '0'), 'hex')),
      );
      return { vector: { kind: 'fixed', bytes, offset: 0, stride: 16, width: 16, nulls }, type: { kind: 'uuid' } };
    }
    case 'decimal': {
      const scale = Math.max(0, ...values.map((value) => value?.split('.')[1]?.length ?? 0));
      const precision = Math.max(
        scale,
        1,
        ...values.map((value) => (value?.split('.')[0]?.replace('-', '').length ?? 0) + scale),
      );
      const unscaled = (value: string): number => {
        const [whole, part = ''] = value.split('.');
        return Number(`${whole}${part.padEnd(scale, '0')}`);
      };
      return { vector: numbers(values, nulls, unscaled), type: { kind: 'decimal', precision, scale } };
    }
    case 'integer':
      return { vector: numbers(values, nulls, Number), type: { kind: 'bigint' } };
    case 'timestamp':
      return { vector: numbers(values, nulls, microseconds), type: { kind: 'timestamp' } };
    case 'boolean':
      return { vector: numbers(values, nulls, (value) => Number(/^t/i.test(value))), type: { kind: 'boolean' } };
  }
}

const numbers = (
  values: readonly (string | null)[],
  nulls: Uint8Array | null,
  parse: (value: string) => number,
): ColumnVector => ({
  kind: 'number',
  values: Float64Array.from(values, (value) => (value === null ? 0 : parse(value))),
  nulls,
});

/** Without a zone: UTC. */
function microseconds(value: string): number {
  const [, head = '', part = '', zone = ''] = /^(.{10}(?:[T ]\d\d:\d\d(?::\d\d)?)?)(?:\.(\d+))?(.*)$/.exec(value) ?? [];
  const time =
    head.length === 10
      ? `${head}T00:00:00`
      : head.length === 16
        ? `${head.replace(' ', 'T')}:00`
        : head.replace(' ', 'T');
  return Date.parse(`${time}${zoneOf(zone)}`) * 1_000 + Number(part.padEnd(6, '0'));
}

/** "+02" and "+0200" as Date.parse reads them. */
const zoneOf = (zone: string): string => {
  if (zone === '' || zone === 'Z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
};
