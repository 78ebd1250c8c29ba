import type { Document } from 'mongodb';

/** A command with parameters in the place of its values. */
interface KeptCommand {
  /** Its first key, such as `find`. */
  readonly verb: string;
  readonly collection: string;
  /** JSON text with `{"$param": "name"}`. */
  readonly text: string;
}

/** The members that a command keeps, by its verb. The others belong to sessions, cursors and drivers. */
const members: Readonly<Record<string, readonly string[]>> = {
  find: ['filter', 'sort', 'projection', 'limit', 'skip', 'hint', 'collation', 'singleBatch'],
  aggregate: ['pipeline', 'hint', 'collation', 'allowDiskUse'],
  count: ['query', 'limit', 'skip', 'hint', 'collation'],
  distinct: ['key', 'query', 'collation'],
  update: ['updates'],
  delete: ['deletes'],
  insert: ['documents'],
  findAndModify: ['query', 'sort', 'update', 'remove', 'new', 'fields', 'upsert', 'collation'],
};

/** Members without which a command is incomplete: the profiler leaves out what is too large. */
const needs: Readonly<Record<string, string>> = {
  aggregate: 'pipeline',
  distinct: 'key',
  update: 'updates',
  delete: 'deletes',
  insert: 'documents',
};

/** True for a command that experiments can contain. */
export const isKeptVerb = (verb: string): boolean => Object.hasOwn(members, verb);

/**
 * A command without values: a server that profiles keeps all of them, and query shapes have `"?number"` in their place
 * (manual, "Query Shapes"). Null: an experiment has no such command, or
 * the server has cut it. Pure.
 */
export function keptCommand(collection: string, verb: string, command: Document): KeptCommand | null {
  const known = members[verb];
  const needed = needs[verb];
  if (known === undefined || '$truncated' in command || (needed !== undefined && !(needed in command))) return null;
  const names = new Map<string, number>();
  const parameter = (path: readonly string[]) => {
    const field = path.findLast((part) => !part.startsWith('$') && !structure.has(part)) ?? 'value';
    const last = path.at(-1) ?? '';
    const name = (/^\$?(limit|skip)$/.exec(last)?.[1] ?? field.slice(field.lastIndexOf('.') + 1))
      .toLowerCase()
      .replaceAll(/\W/g, '')
      .replace(/^_+/, '')
      .replace(/^(?![a-z])/, 'p')
      .slice(0, 24);
    const times = (names.get(name) ?? 0) + 1;
    names.set(name, times);
    return { $param: times === 1 ? name : `${name}_${times}` };
  };
  const kept = Object.fromEntries(
    known.flatMap((member) =>
      command[member] === undefined ? [] : [[member, withoutValues(command[member], [member], parameter)]],
    ),
  );
  const cursor = verb === 'aggregate' ? { cursor: {} } : {};
  return { verb, collection, text: JSON.stringify({ [verb]: collection, ...kept, ...cursor }) };
}

/** Members that hold conditions or documents, and no fields. */
const structure = new Set('filter query q u update updates deletes documents pipeline'.split(' '));

/** Members whose texts are names of the schema. */
const withNames = new Set('hint collation key $unwind $count $unset from localField foreignField as'.split(' '));
/** Members whose values are directions and switches, or expressions. */
const withSwitches = new Set(
  'sort $sort projection fields singleBatch allowDiskUse new remove upsert multi'.split(' '),
);

type Parameter = (path: readonly string[]) => Document;

function withoutValues(value: unknown, path: readonly string[], parameter: Parameter): unknown {
  const last = path.at(-1) ?? '';
  const isOutside = path.every((part) => !part.startsWith('$') || part === last || part === '$lookup');
  if (isOutside && withNames.has(last)) return value;
  // deletes: [{ q, limit: 1 }] is no number of rows.
  if (last === 'limit' && path[0] === 'deletes') return value;
  if (Array.isArray(value)) {
    const isList = path[0] === 'documents' || path[0] === 'updates' || path[0] === 'deletes';
    if (last === '$in' || last === '$nin' || last === '$all') return [parameter(path)];
    if (path.length === 1 && isList) return value.slice(0, 1).map((one) => withoutValues(one, path, parameter));
    const isOfParts = path.length === 1 || ['$and', '$or', '$nor'].includes(last) || path.some(isExpression);
    return isOfParts ? value.map((one) => withoutValues(one, path, parameter)) : parameter(path);
  }
  if (isFields(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([name, one]) => [name, withoutValues(one, [...path, name], parameter)]),
    );
  }
  if (typeof value === 'string' && /^\?array</.test(value)) return [parameter(path)];
  if (path.some((part) => isExpression(part) || withSwitches.has(part))) {
    // A field, or a constant that every count and every group has.
    if (typeof value === 'string' && value.startsWith('$')) return value;
    if (last === '$sum' && (value === 1 || value === '?number')) return 1;
    if (last === '_id' && path.at(-2) === '$group') return null;
    if (typeof value === 'boolean' || (typeof value === 'number' && Math.abs(value) <= 1)) return value;
  }
  return last === '$exists' && typeof value === 'boolean' ? value : parameter(path);
}

/** Stages whose strings "$name" are fields. */
const isExpression = (part: string): boolean =>
  [
    '$group',
    '$project',
    '$addFields',
    '$set',
    '$replaceRoot',
    '$expr',
    '$bucket',
    '$facet',
    '$setWindowFields',
  ].includes(part);

/** A document, and no value of a BSON type. */
const isFields = (value: unknown): value is Document =>
  typeof value === 'object' &&
  value !== null &&
  !('_bsontype' in value) &&
  !(value instanceof Date) &&
  !ArrayBuffer.isView(value);
