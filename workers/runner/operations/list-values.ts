import type { ColumnVector } from '#model/batch/batch.ts';
import type { ParameterType } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { AnswerType, ListType, ValueList } from '#model/statements/statements.ts';
import { decimalText, type ExactDecimal, parseDecimal, precisionOf, rescaled } from '#model/text/exact-decimal.ts';
import { exactTime, microseconds, timeOf, timePattern } from '#model/text/time-text.ts';

/** Digits of the longest decimal that every engine with decimals has. */
export const mostDigits = 38;
/** Digits of a decimal that a number holds exactly, whatever its scale. */
const digitsOfNumber = 15;

const patterns: Readonly<Record<Exclude<ListType, 'text'>, RegExp>> = {
  integer: /^-?\d{1,19}$/,
  decimal: /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?$/,
  float: /^-?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/,
  uuid: /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(0x|\\x)?[0-9a-f]{32})$/i,
  timestamp: timePattern,
  boolean: /^(true|false|t|f|1|0)$/i,
  bytes: /^(0x|\\x)([0-9a-f]{2})*$/i,
};

/** Returns the type that all texts of a file look like; text if they differ, or if there are none. */
export function looksLikeType(values: readonly (string | null)[]): ListType {
  const some = values.filter((value) => value !== null);
  if (some.length === 0) return 'text';
  const found = (['integer', 'decimal', 'uuid', 'timestamp', 'boolean'] as const).find((type) =>
    some.every((value) => looksLike(type, value)),
  );
  return found ?? 'text';
}

/**
 * Returns the type with which values of a server's type are sent. If a value exceeds the range of that parameter type
 * (NaN, a year of five digits), it is the next wider type, and finally text.
 */
export function fittingType(type: AnswerType, values: readonly (string | null)[]): AnswerType {
  if (type === 'own' || type === 'text' || values.every((value) => value === null || isOne(type, value))) return type;
  return type === 'integer' ? fittingType('decimal', values) : 'text';
}

/** Returns the index of the first value that does not have the type of the file; −1 if all have it. */
export const firstWrong = (as: ListType, values: readonly (string | null)[]): number =>
  as === 'text' ? -1 : values.findIndex((value) => value !== null && !(isOne(as, value) && isCommon(as, value)));

/** True if every engine with decimals supports this many digits. */
const isCommon = (type: ListType, value: string): boolean =>
  type !== 'decimal' || precisionOf(decimalOf(value)) <= mostDigits;

/** Guessing is stricter than checking a declared type: 1 is a number, not a boolean, and 32 digits are no uuid. */
function looksLike(type: Exclude<ListType, 'text' | 'float' | 'bytes'>, value: string): boolean {
  if (!isOne(type, value)) return false;
  switch (type) {
    case 'integer':
    case 'decimal':
      // A value with a leading zero or an exponent is more likely a code than a number.
      return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value) && isCommon(type, value);
    case 'boolean':
      return /^\D/.test(value);
    case 'uuid':
      return value.includes('-');
    case 'timestamp':
      return true;
  }
}

function isOne(type: Exclude<ListType, 'text'>, value: string): boolean {
  if (!patterns[type].test(value)) return false;
  switch (type) {
    case 'integer':
      return value.length <= digitsOfNumber || BigInt.asIntN(64, BigInt(value)) === BigInt(value);
    case 'float':
      return Number.isFinite(Number(value));
    case 'timestamp':
      return timeOf(value) !== null;
    default:
      return true;
  }
}

/** Returns the values of a list as a column. Throws 'badInput' for a value that does not have the list's type. */
export function listVector({ as, values }: Pick<ValueList, 'as' | 'values'>): {
  readonly vector: ColumnVector;
  readonly type: ParameterType;
} {
  const nulls = values.includes(null) ? Uint8Array.from(values, (value) => Number(value === null)) : null;
  if (as !== 'own') {
    const wrong = as === 'text' ? null : values.find((value) => value !== null && !isOne(as, value));
    if (typeof wrong === 'string')
      throw new DynoError('badInput', `“${wrong.slice(0, 60)}” is no ${as}.`, {
        hint: 'Say with `as` what the values are.',
      });
  }
  switch (as) {
    case 'own':
    case 'text': {
      const maxLength = most(1, values, (value) => value?.length ?? 0);
      const ascii = values.every((value) => Buffer.byteLength(value ?? '') === (value?.length ?? 0));
      const type = { kind: 'text', maxLength, fixed: false, ascii } as const;
      return { vector: textVector(values), type: as === 'own' ? { ...type, own: true } : type };
    }
    case 'bytes': {
      const parts = values.map((value) => Buffer.from((value ?? '').slice(2), 'hex'));
      const maxLength = most(1, parts, ({ length }) => length);
      return { vector: partsVector(parts, nulls), type: { kind: 'bytes', maxLength, fixed: false } };
    }
    case 'uuid': {
      const bytes = Buffer.concat(
        values.map((value) => Buffer.from((value ?? '').replaceAll(/-|^0x|^\\x/gi, '').padEnd(32, '0'), 'hex')),
      );
      return { vector: { kind: 'fixed', bytes, offset: 0, stride: 16, width: 16, nulls }, type: { kind: 'uuid' } };
    }
    case 'decimal': {
      const decimals = values.map((value) => (value === null ? null : decimalOf(value)));
      const scale = most(0, decimals, (one) => one?.scale ?? 0);
      const alike = decimals.map((one) => one && rescaled(one, scale));
      const precision = most(1, alike, (one) => (one ? precisionOf(one) : 0));
      const type = { kind: 'decimal', precision, scale } as const;
      if (precision > digitsOfNumber) return { vector: textVector(alike.map((one) => one && decimalText(one))), type };
      const unscaled = Float64Array.from(alike, (one) => Number(one?.unscaled ?? 0));
      return { vector: { kind: 'number', values: unscaled, nulls }, type };
    }
    case 'integer': {
      const isExact = values.every((value) => Number.isSafeInteger(Number(value)));
      return { vector: isExact ? numbers(values, nulls, Number) : textVector(values), type: { kind: 'bigint' } };
    }
    case 'float':
      return { vector: numbers(values, nulls, Number), type: { kind: 'float' } };
    case 'timestamp':
      if (values.some((value) => value !== null && /\.\d{7}/.test(value)))
        return {
          vector: textVector(values.map((one) => one && exactTime(one))),
          type: { kind: 'timestamp', nanoseconds: true },
        };
      return { vector: numbers(values, nulls, microseconds), type: { kind: 'timestamp' } };
    case 'boolean':
      return { vector: numbers(values, nulls, (value) => Number(/^[t1]/i.test(value))), type: { kind: 'boolean' } };
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

/** Returns the maximum. Math.max cannot take as many arguments as a file may have lines. */
const most = <T>(least: number, values: readonly T[], of: (value: T) => number): number =>
  values.reduce((largest, value) => Math.max(largest, of(value)), least);

function decimalOf(value: string): ExactDecimal {
  const decimal = parseDecimal(value);
  if (decimal === null) throw new DynoError('badInput', `“${value.slice(0, 60)}” is no decimal.`);
  return decimal;
}

/** Makes a column of texts, also of numbers and times that no JavaScript number holds (batch.ts). */
export const textVector = (values: readonly (string | null)[]): ColumnVector =>
  partsVector(
    values.map((value) => Buffer.from(value ?? '')),
    values.includes(null) ? Uint8Array.from(values, (value) => Number(value === null)) : null,
  );

function partsVector(parts: readonly Buffer[], nulls: Uint8Array | null): ColumnVector {
  const offsets = new Uint32Array(parts.length + 1);
  for (const [i, part] of parts.entries()) offsets[i + 1] = offsets[i]! + part.length;
  return { kind: 'variable', bytes: Buffer.concat(parts), offsets, nulls };
}
