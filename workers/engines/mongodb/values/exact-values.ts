import { Binary, BSON, Decimal128, type Document, Long, ObjectId } from 'mongodb';
import { plainDecimal } from '#model/text/exact-decimal.ts';

const { EJSON } = BSON;

/** A value of an answer as text, also for the next step: dates, decimals and 64-bit integers to their last digit. */
export function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal128) return plainDecimal(value.toString());
  if (value instanceof Long) return value.toString();
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary)
    return value.sub_type === Binary.SUBTYPE_UUID ? value.toUUID().toString() : value.value();
  return value instanceof Date ? value : EJSON.stringify(withLongs(value), { relaxed: true });
}

/** Relaxed extended JSON makes numbers of all integers, and would round the longest; canonical JSON does not. */
function withLongs(value: unknown): unknown {
  if (value instanceof Long) {
    const number = value.toNumber();
    return Number.isSafeInteger(number) ? number : { $numberLong: value.toString() };
  }
  if (Array.isArray(value)) return value.map(withLongs);
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withLongs(field)]));
}

/** Stands for an int64 while relaxed extended JSON is read, which would make a number of it. */
const exactLong = 'dyno:int64';

/** The text of a command. Integers that no double holds, and every $numberLong, are 64-bit: JSON would round them. */
export function exactCommand(text: string): unknown {
  const reviver = (_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown => {
    if (typeof value === 'number')
      return !Number.isSafeInteger(value) && /^-?\d{1,19}$/.test(source) ? { [exactLong]: source } : value;
    const digits = typeof value === 'object' && value !== null && '$numberLong' in value ? value.$numberLong : null;
    return typeof digits === 'string' && /^-?\d{1,19}$/.test(digits) ? { [exactLong]: digits } : value;
  };
  // What the third argument is came with ES2026; the types do not know it yet.
  const parsed: unknown = JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
  return restored(EJSON.deserialize(parsed as Document, { relaxed: true }));
}

function restored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restored);
  if (typeof value !== 'object' || value === null || '_bsontype' in value || value instanceof Date) return value;
  const digits = (value as Document)[exactLong];
  if (typeof digits === 'string') return Long.fromString(digits);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, restored(field)]));
}
