import type * as v from 'valibot';
import { safeParse } from 'valibot';
import type { Seal } from './seal.ts';

/** A value as JSON, sealed. */
export const sealJson = (seal: Seal, value: object): Uint8Array => seal.seal(Buffer.from(JSON.stringify(value)));

/** The value of a sealed message. Null: it is not the partner's, or does not fit the schema. Never throws. */
export function openJson<S extends v.GenericSchema>(
  seal: Seal,
  sealed: Uint8Array,
  schema: S,
): v.InferOutput<S> | null {
  const plain = seal.open(sealed);
  if (plain === null) return null;
  try {
    const parsed = safeParse(schema, JSON.parse(Buffer.from(plain).toString()), { abortEarly: true });
    return parsed.success ? parsed.output : null;
  } catch {
    return null; // The content is no JSON.
  }
}
