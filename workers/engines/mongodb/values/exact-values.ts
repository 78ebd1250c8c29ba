import { Binary, BSON, Decimal128, type Document, Double, Int32, Long, ObjectId } from 'mongodb';
import { DynoError } from '#model/error.ts';
import { plainDecimal } from '#model/text/exact-decimal.ts';
import { fieldsOf, objectOf, parseInOrder } from '#model/text/json-in-order.ts';

const { EJSON } = BSON;

/** A value of an answer as text, also for the next step: dates, decimals and 64-bit integers have all their digits. */
export function shown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Decimal128) return plainDecimal(value.toString());
  if (value instanceof Long) return value.toString();
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof ObjectId) return value.toHexString();
  if (value instanceof Binary)
    return value.sub_type === Binary.SUBTYPE_UUID ? value.toUUID().toString() : value.value();
  return value instanceof Date ? value : jsonText(value);
}

/** True for a double, and for a whole number whose type of BSON the driver has not kept. */
export const isFloat = (value: unknown): boolean => typeof value === 'number' || value instanceof Double;

/** A document as relaxed extended JSON, with its names in their order. */
function jsonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  const fields = fieldsOf(value, isBson);
  return fields
    ? `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${jsonText(field)}`).join(',')}}`
    : EJSON.stringify(value instanceof Long ? longAsJson(value) : value, { relaxed: true });
}

/** Relaxed extended JSON writes all integers as numbers, and would round the longest; canonical JSON does not. */
function longAsJson(value: Long): unknown {
  const number = value.toNumber();
  return Number.isSafeInteger(number) ? number : { $numberLong: value.toString() };
}

/** The fields of a document in the order of its bytes, with values of BSON's own types. */
export const fieldsInOrder = (bytes: Uint8Array): readonly (readonly [string, unknown])[] =>
  inOrder(BSON.deserialize(bytes, { promoteValues: false }), bytes);

const [ofDocument, ofArray] = [3, 4];

function inOrder(document: Document, bytes: Uint8Array): readonly (readonly [string, unknown])[] {
  return [...BSON.onDemand.parseToElements(bytes)].map(([type, nameAt, nameBytes, at, length]) => {
    const name = Buffer.from(bytes.buffer, bytes.byteOffset + nameAt, nameBytes).toString();
    const field: unknown = document[name];
    if (type !== ofArray && (type !== ofDocument || isBson(field as object))) return [name, field];
    const within = inOrder(field as Document, bytes.subarray(at, at + length));
    return [name, type === ofArray ? within.map(([, item]) => item) : objectOf(within)];
  });
}

/** Names by which Extended JSON tells a value of another type (its specification, "Conversion table"). */
const typeNames = new Set(
  '$oid $binary $uuid $symbol $numberDecimal $minKey $maxKey $regex $regularExpression $undefined $timestamp $date $code $dbPointer $ref'.split(
    ' ',
  ),
);

/**
 * Parses the text of a command. Names keep their order, which matters to sorts and indexes. Numbers have the types of
 * Extended JSON's specification: a whole number is an int32, or an int64 beyond it, and 1.0 is a double.
 */
export const exactCommand = (text: string, isParameter: (name: string) => boolean = () => false): unknown =>
  parseInOrder(text, numberOf, (fields) => (parameterOfType(fields, isParameter) === null ? typed(fields) : fields));

/** The types that an object of Extended JSON can give a parameter: { "$oid": "$id" }. */
const ofType: Readonly<Record<string, (value: unknown) => boolean>> = {
  $oid: (value) => value instanceof ObjectId,
  $date: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  $uuid: (value) => value instanceof Binary && value.sub_type === Binary.SUBTYPE_UUID,
  $numberDecimal: (value) => value instanceof Decimal128,
  $numberLong: (value) => value instanceof Long,
  $numberInt: (value) => value instanceof Int32,
  $numberDouble: (value) => value instanceof Double,
};

/** The type and the name in { "$oid": "$id" } if `id` is a parameter. Null: it is another value. */
export function parameterOfType(
  value: unknown,
  isParameter: (name: string) => boolean,
): { readonly type: string; readonly name: string } | null {
  const [[type, text] = ['', null], ...others] = fieldsOf(value, isBson) ?? [];
  if (others.length > 0 || !Object.hasOwn(ofType, type) || typeof text !== 'string') return null;
  const name = text.startsWith('$') ? text.slice(1) : '';
  return isParameter(name) ? { type, name } : null;
}

/**
 * Converts a value to a type of Extended JSON ("$oid"). Null stays null. Throws 'badInput' if it is no value of the
 * type.
 */
export function valueOfType(type: string, name: string, value: unknown): unknown {
  if (value === null || value === undefined || ofType[type]?.(value)) return value;
  const text = String(shown(value));
  try {
    const made = typed({ [type]: text });
    if (ofType[type]?.(made)) return made;
  } catch {
    // The message below names the parameter and its value.
  }
  throw new DynoError('badInput', `“${text.slice(0, 60)}”, a value of the parameter ${name}, is no ${type}.`);
}

const wholeNumber = /^-?\d{1,19}$/;

function numberOf(source: string): unknown {
  const value = Number(source);
  if (wholeNumber.test(source)) return value === (value | 0) ? value : Long.fromString(source);
  return Number.isInteger(value) ? new Double(value) : value;
}

/** The value of an object of Extended JSON; other objects stay as they are. */
function typed(fields: Document | ReadonlyMap<string, unknown>): unknown {
  if (fields instanceof Map) return fields;
  const { $numberLong, $numberInt, $numberDouble } = fields as Document;
  if (typeof $numberLong === 'string' && wholeNumber.test($numberLong)) return Long.fromString($numberLong);
  if (typeof $numberInt === 'string') return new Int32($numberInt);
  if (typeof $numberDouble === 'string') return new Double(Number($numberDouble.replace(/^(-?)Inf$/, '$1Infinity')));
  return Object.keys(fields).some((name) => typeNames.has(name))
    ? EJSON.deserialize(plain(fields) as Document, { relaxed: true })
    : fields;
}

/** Turns a value that was read within another one, as in { "$date": { "$numberLong": "0" } }, back into JSON. */
function plain(value: unknown): unknown {
  if (value instanceof Long) return longAsJson(value);
  if (Array.isArray(value)) return value.map(plain);
  const fields = fieldsOf(value, isBson);
  if (fields) return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]));
  return typeof value === 'object' && value !== null ? EJSON.serialize(value, { relaxed: true }) : value;
}

/** True for values that are no documents. */
export const isBson = (value: object): boolean => '_bsontype' in value || value instanceof Date;
