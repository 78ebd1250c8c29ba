import { digitsOf, exactOrNumber } from '../text/exact-json.ts';
import { fieldsOf, parseInOrder } from '../text/json-in-order.ts';

/**
 * A JSON request of RavenDB's HTTP API, an alternative to a query in RQL: the body of a load (POST /docs), of a query
 * (POST /queries), of a batch of changes (POST /bulk_docs), or a single change.
 */
export interface JsonRequest {
  readonly kind: 'load' | 'query' | 'changes';
  readonly body: Readonly<Record<string, unknown>>;
}

const kinds: Readonly<Record<string, JsonRequest['kind']>> = {
  Ids: 'load',
  Query: 'query',
  Commands: 'changes',
  Type: 'changes',
};

/** True for text in braces, because no RQL query begins with one. */
export const looksLikeRequest = (text: string): boolean => /^\s*\{/.test(text);

/** Parses a request. Null: the text is not JSON, has a name twice in one object, or is not one of these requests. */
export function requestOf(text: string): JsonRequest | null {
  try {
    const fields = fieldsOf(parseInOrder(text, exactOrNumber));
    if (fields === null) return null;
    const body = Object.fromEntries(fields);
    const key = Object.keys(kinds).find((one) => Object.hasOwn(body, one));
    return key === undefined ? null : { kind: kinds[key]!, body };
  } catch {
    return null;
  }
}

/**
 * A part of a JSON text: literal text, a table's name within a string, or a parameter as a value or within a string.
 */
export interface JsonPiece {
  readonly kind: 'json' | 'table' | 'value' | 'within';
  readonly text: string;
}

/** {name} and $name, as in "{stores}/$store". */
const everyPlace = /\{([a-z][a-z0-9_]{0,29})\}|(?<![\w$])\$([A-Za-z_]\w*)/;
const tablesOnly = /\{([a-z][a-z0-9_]{0,29})\}/;
/**
 * Members whose strings allow fewer placeholders: RQL names its own parameters, and programs receive values as
 * arguments.
 */
const programs: Readonly<Record<string, RegExp | null>> = { Script: null, Query: tablesOnly, Indexes: tablesOnly };

/** Splits a JSON value into literal text and placeholders for tables and parameters. */
export function* piecesOf(value: unknown, places: RegExp | null = everyPlace): Generator<JsonPiece> {
  const digits = digitsOf(value);
  if (typeof value === 'string') yield* stringPieces(value, places);
  else if (digits !== null) yield json(digits);
  else if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      yield json(i === 0 ? '[' : ',');
      yield* piecesOf(item, places);
    }
    yield json(value.length === 0 ? '[]' : ']');
  } else if (typeof value === 'object' && value !== null) {
    const fields = fieldsOf(value) ?? [];
    for (const [i, [key, field]] of fields.entries()) {
      yield json(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`);
      yield* piecesOf(field, Object.hasOwn(programs, key) ? programs[key] : places);
    }
    yield json(fields.length === 0 ? '{}' : '}');
  } else yield json(JSON.stringify(value));
}

function* stringPieces(text: string, places: RegExp | null): Generator<JsonPiece> {
  const whole = places === everyPlace && /^\$([A-Za-z_]\w*)$/.exec(text);
  if (whole) return yield { kind: 'value', text: whole[1]! };
  yield json('"');
  let rest = text;
  for (let found = places?.exec(rest); found; found = places?.exec(rest)) {
    const [place, table, parameter] = found;
    yield escaped(rest.slice(0, found.index));
    yield table === undefined ? { kind: 'within', text: parameter! } : { kind: 'table', text: table };
    rest = rest.slice(found.index + place.length);
  }
  yield escaped(rest);
  yield json('"');
}

const json = (text: string): JsonPiece => ({ kind: 'json', text });
const escaped = (text: string): JsonPiece => json(JSON.stringify(text).slice(1, -1));
