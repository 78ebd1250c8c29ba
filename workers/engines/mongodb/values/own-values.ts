import { BSON, type Document } from 'mongodb';
import { fieldsOf } from '#model/text/json-in-order.ts';
import { exactCommand, isBson } from './exact-values.ts';

const { EJSON } = BSON;

/** A value of an answer in canonical Extended JSON: each type of BSON has its notation, and names keep their order. */
export function ownText(value: unknown): string | null {
  return value === null || value === undefined ? null : canonical(value);
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const fields = fieldsOf(value, isBson);
  return fields
    ? `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(',')}}`
    : EJSON.stringify((value ?? null) as Document, { relaxed: false });
}

/**
 * Reads a text of ownText(), with its type: an int32 stays an int32, and a double without a fraction stays a double.
 */
export const ofOwnText = (text: string): unknown => exactCommand(text);
