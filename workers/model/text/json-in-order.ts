import { DynoError } from '../error.ts';

/** A JSON object, or a map if an object would reorder its names: JavaScript puts names like "2023" first. */
type JsonFields = Readonly<Record<string, unknown>> | ReadonlyMap<string, unknown>;

const movedName = /^(0|[1-9]\d{0,9})$/;

/** The fields of a JSON object; null for other values. `isLeaf`: true for objects that represent a single value. */
export function fieldsOf(
  value: unknown,
  isLeaf: (value: object) => boolean = () => false,
): readonly (readonly [string, unknown])[] | null {
  if (value instanceof Map) return [...value];
  if (typeof value !== 'object' || value === null || Array.isArray(value) || isLeaf(value)) return null;
  return Object.entries(value);
}

/** An object whose fields keep this order in fieldsOf(), and when a driver writes them. */
export const objectOf = (fields: readonly (readonly [string, unknown])[]): JsonFields =>
  fields.some(([name]) => movedName.test(name)) ? new Map(fields) : Object.fromEntries(fields);

/**
 * Parses JSON whose objects keep the order of their names. `number` makes a value of a number's digits; `made` may
 * replace an object that has been read.
 * @throws SyntaxError for a text that is no JSON, and DynoError 'syntax' for a name that one object has twice.
 */
export function parseInOrder(
  text: string,
  number: (source: string) => unknown,
  made: (value: JsonFields) => unknown = (value) => value,
): unknown {
  JSON.parse(text); // The parser below takes its text for JSON.
  const token = /\s*([{}[\]:,]|"(?:[^"\\]|\\.)*"|[^\s{}[\]:,"]+)/y;
  const next = (): string => token.exec(text)?.[1] ?? '';
  const read = (first: string): unknown => {
    if (first === '{') return made(readObject());
    if (first === '[') return readArray();
    return /^[-\d]/.test(first) ? number(first) : JSON.parse(first);
  };
  function readObject(): JsonFields {
    const fields = new Map<string, unknown>();
    for (let one = next(); one !== '}'; one = next()) {
      if (one === ',') continue;
      const name = JSON.parse(one) as string;
      if (fields.has(name)) throw new DynoError('syntax', `The name ${one} stands twice in one object.`);
      next(); // the colon
      fields.set(name, read(next()));
    }
    return objectOf([...fields]);
  }
  function readArray(): readonly unknown[] {
    const items: unknown[] = [];
    for (let one = next(); one !== ']'; one = next()) if (one !== ',') items.push(read(one));
    return items;
  }
  return read(next());
}
