import type { Tables } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { sqlShape } from './sql-shape.ts';
import type { ColumnUse, Condition, StatementShape } from './statement-shape.ts';

/** Reads a statement in the language of its engine. Null: it has parts that are not read here, such as UNION. */
export const statementShape = (text: string, language: StatementLanguage, tables: Tables): StatementShape | null =>
  language.language === 'sql'
    ? sqlShape(text, language, tables)
    : language.language === 'json'
      ? commandShape(text, tables)
      : null;

/** A command of MongoDB: find, and the first update or delete. */
function commandShape(text: string, tables: Tables): StatementShape | null {
  const command = parsed(text);
  if (!isMapping(command)) return null;
  const [name = '', collection] = Object.entries(command)[0] ?? [];
  const table = /^\{(\w+)\}$/.exec(String(collection))?.[1];
  if (table === undefined || tables[table] === undefined) return null;
  const none = { tables: [table], conditions: [], wrapped: [], order: [], reads: null };
  const change = (list: unknown): unknown => (Array.isArray(list) && isMapping(list[0]) ? list[0].q : undefined);
  switch (name) {
    case 'find':
      return {
        ...none,
        verb: 'select',
        conditions: filterOf(table, command.filter),
        order: sortOf(table, command.sort),
      };
    case 'insert':
      return { ...none, verb: 'insert' };
    case 'update':
      return { ...none, verb: 'update', conditions: filterOf(table, change(command.updates)) };
    case 'delete':
      return { ...none, verb: 'delete', conditions: filterOf(table, change(command.deletes)) };
    default:
      return null;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const placeOf = (table: string, key: string): ColumnUse => {
  const [column = '', ...path] = key.split('.');
  return path.length === 0 ? { table, column } : { table, column, path: path.join('.') };
};

const kinds: Readonly<Record<string, Condition['kind']>> = {
  $eq: 'equal',
  $in: 'in',
  $gt: 'range',
  $gte: 'range',
  $lt: 'range',
  $lte: 'range',
};

const filterOf = (table: string, filter: unknown): readonly Condition[] =>
  Object.entries(isMapping(filter) ? filter : {}).flatMap(([key, value]): readonly Condition[] => {
    if (key.startsWith('$') || key === '_id') return [];
    const place = placeOf(table, key);
    if (!isMapping(value)) return [{ ...place, kind: 'equal', constant: null }];
    const [operator = ''] = Object.keys(value);
    const kind = kinds[operator];
    return kind === undefined ? [] : [{ ...place, kind, constant: null }];
  });

const sortOf = (table: string, sort: unknown): StatementShape['order'] =>
  Object.entries(isMapping(sort) ? sort : {}).map(([key, direction]) => ({
    ...placeOf(table, key),
    descending: direction === -1,
  }));
