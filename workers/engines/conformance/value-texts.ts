import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { ListType } from '#model/statements/statements.ts';
import { quoter } from './statement-texts.ts';
import type { ListedValue } from './test-server.ts';

/** Statements about one value of a user's own table, as each language writes them. */
export interface ValueTexts {
  /** Makes the table with the value as row 1 and its neighbour as row 2. */
  readonly make: readonly string[];
  readonly unmake: readonly string[];
  /** The value of row 1. */
  readonly select: string;
  /** Finds the numbers of the rows with the value :v. */
  readonly find: string;
}

export function valueTexts({ language }: StatementLanguage, { type, literal, beside }: ListedValue): ValueTexts {
  const values = [literal, ...(beside === undefined ? [] : [beside])];
  switch (language) {
    case 'json':
      return {
        make: values.map((one, i) => `{ "insert": "{table}", "documents": [{ "_id": ${i + 1}, "v": ${one} }] }`),
        unmake: ['{ "drop": "{table}" }'],
        select: '{ "find": "{table}", "filter": { "_id": 1 }, "projection": { "_id": 0, "v": 1 } }',
        find: '{ "find": "{table}", "filter": { "v": "$v" }, "projection": { "_id": 1 } }',
      };
    case 'rql':
      return {
        make: values.map(
          (one, i) =>
            `{ "Type": "PUT", "Id": "{table}/${i + 1}", "ChangeVector": "", "Document": { "n": ${i + 1}, "v": ${one}, "@metadata": { "@collection": "{table}" } } }`,
        ),
        unmake: values.map((_, i) => `{ "Commands": [{ "Type": "DELETE", "Id": "{table}/${i + 1}" }] }`),
        select: 'from {table} where n = 1 select v',
        find: 'from {table} where v = $v select n',
      };
    case 'sql':
      return {
        make: [
          `CREATE TABLE {table} (id INTEGER, v ${type})`,
          ...values.map((one, i) => `INSERT INTO {table} (id, v) VALUES (${i + 1}, ${one})`),
        ],
        unmake: ['DROP TABLE {table}'],
        select: 'SELECT v FROM {table} WHERE id = 1',
        find: 'SELECT id FROM {table} WHERE v = :v',
      };
  }
}

/** The type with which a column of Dyno's own tables is captured, on every engine. */
export const capturedColumns: Readonly<Record<string, ListType>> = {
  id: 'integer',
  text: 'text',
  uuid: 'uuid',
  code: 'text',
  price: 'decimal',
  at: 'timestamp',
  flag: 'boolean',
};

/** Finds a column of the row :id, and the numbers of the rows that have :v in it. */
export function columnTexts(language: StatementLanguage, column: string): Pick<ValueTexts, 'select' | 'find'> {
  switch (language.language) {
    case 'json': {
      const field = column === 'id' ? '_id' : column;
      return {
        select: `{ "aggregate": "{table}", "pipeline": [{ "$match": { "_id": "$id" } }, { "$project": { "_id": 0, "v": "$${field}" } }], "cursor": {} }`,
        find: `{ "find": "{table}", "filter": { "${field}": { "$param": "v" } }, "projection": { "_id": 1 } }`,
      };
    }
    case 'rql':
      return {
        select: `{ "Query": "from {table} as row where row.id = $id select { v: row.${column} }", "QueryParameters": { "id": "$id" } }`,
        find: `{ "Query": "from {table} as row where row.${column} = $v select { id: row.id }", "QueryParameters": { "v": "$v" } }`,
      };
    case 'sql': {
      const name = quoter(language);
      return {
        select: `SELECT ${name(column)} AS v FROM {table} WHERE ${name('id')} = :id`,
        find: `SELECT ${name('id')} FROM {table} WHERE ${name(column)} = :v`,
      };
    }
  }
}
