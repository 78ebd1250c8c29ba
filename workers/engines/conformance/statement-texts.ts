import type { StatementLanguage } from '#model/statements/statement-text.ts';

/** Statements of a user's own on the table of rows.ts, as each language writes them. */
export interface StatementTexts {
  /** Inserts one row, with a parameter for each column. */
  readonly insert: string;
  /** Changes the text of the row :id. */
  readonly select: string;
  /** Selects the rows whose code is :code or whose id is :id, so that a parameter comes twice. */
  readonly twice: string;
  /** Selects the row :id. */
  readonly remove: string;
  readonly wrong: string;
}

export function statementTexts(language: StatementLanguage, columns: readonly string[]): StatementTexts {
  switch (language.language) {
    case 'json': {
      const fields = columns.map((name) => `"${name === 'id' ? '_id' : name}": "$${name}"`).join(', ');
      return {
        insert: `{ "insert": "{table}", "documents": [{ ${fields} }] }`,
        select: '{ "find": "{table}", "filter": { "_id": "$id" }, "projection": { "_id": 0, "text": 1 } }',
        twice:
          '{ "find": "{table}", "filter": { "$or": [{ "code": { "$param": "code" } }, { "_id": "$id" }, { "_id": { "$eq": "$id" } }] } }',
        remove: '{ "delete": "{table}", "deletes": [{ "q": { "_id": "$id" }, "limit": 1 }] }',
        wrong: '{ "find": "{table}", "filter": { "_id": { "$no": 1 } } }',
      };
    }
    case 'rql': {
      const fields = columns.map((name) => `"${name}": "$${name}"`).join(', ');
      return {
        insert: `{ "Type": "PUT", "Id": "{table}/$id", "ChangeVector": "", "Document": { ${fields}, "@metadata": { "@collection": "{table}" } } }`,
        select:
          '{ "Query": "from {table} as row where id() = $row select { text: row.text }", "QueryParameters": { "row": "{table}/$id" } }',
        twice: "from {table} where code = $code or 'id' = $id or 'id' = $id",
        remove: '{ "Commands": [{ "Type": "DELETE", "Id": "{table}/$id" }] }',
        wrong: 'from {table} where where',
      };
    }
    case 'sql': {
      const name = quoter(language);
      return {
        insert: `INSERT INTO {table} (${columns.map(name).join(', ')}) VALUES (${columns.map((one) => `:${one}`).join(', ')})`,
        select: `SELECT ${name('text')} FROM {table} /* of :nobody */ WHERE ${name('id')} = :id -- and ':nothing' else`,
        twice: `SELECT * FROM {table} WHERE ${name('code')} = :code OR ${name('id')} = :id OR ${name('id')} = :id`,
        remove: `DELETE FROM {table} WHERE ${name('id')} = :id`,
        wrong: `SELECT ${name('id')} FORM {table}`,
      };
    }
  }
}

/**
 * The columns have SQL's words as names. Dialects without quotes for names write them in capitals; one dialect has
 * $$…$$.
 */
export function quoter({ quoting = [] }: StatementLanguage): (name: string) => string {
  if (quoting.includes('backtick')) return (name) => `\`${name}\``;
  if (quoting.includes('bracket')) return (name) => `[${name}]`;
  return quoting.includes('dollar') ? (name) => name : (name) => `"${name.toUpperCase()}"`;
}

/** A statement, then a comment or quote that only some dialects know, then a semicolon and another statement. */
export const disputedTexts = (first: string, second: string): readonly string[] => [
  `${first} -- a\r; ${second}`,
  `${first} --a\n; ${second}`,
  `${first} # a\n; ${second}`,
  `${first} /* /* */ ; ${second} -- */`,
  `${first} /* /* */ */ ; ${second}`,
  `${first} /*! ; ${second} */`,
  `${first} AND 'a\\' <> '; ${second} --'`,
  `${first} AND 'a' <> E'\\'; ${second} --'`,
  `${first} AND 'a' <> q'['; ${second} -- ]'`,
  `${first} AND 'a' <> $$';$$ ; ${second} --'`,
  `${first} AND 1 = [a']; ${second} --']`,
  `${first} AND 1 = \`a'\`; ${second} --'`,
  `${first} AND 'a' <> "'"; ${second} --"'`,
  `${first}\0; ${second}`,
  `${first} ;\u00a0${second}`,
  `BEGIN; ${second}; COMMIT`,
  // A text that looks like one statement.
  `BEGIN NOT ATOMIC SELECT 1; END; ${second}`,
  `BEGIN NULL; END; ${second}`,
];
