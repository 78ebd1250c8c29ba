import type { StatementLanguage } from '#model/statements/statement-text.ts';
import type { ListType } from '#model/statements/statements.ts';
import type { TestServer } from './test-server.ts';

export type NumberKind = Extract<ListType, 'integer' | 'decimal' | 'float'>;

/** Statements with a number in them, as each language writes them. */
interface NumberTexts {
  /** Makes the table of one row. */
  readonly make: readonly string[];
  readonly unmake: readonly string[];
  /** Gives the row the values that it begins with. */
  readonly reset: readonly string[];
  readonly read: string;
  /** A statement with the parameter :v in place of the number. */
  readonly parameter: string;
  /** A statement with the number itself. */
  written(kind: NumberKind, number: string): string;
  readonly places: readonly {
    readonly takes: readonly NumberKind[];
    readonly isQuestion?: true;
    /** The length of the number's text. */
    readonly asText?: true;
    text(value: string): string;
  }[];
  /** True if the server has values of the kind. */
  takes(kind: NumberKind): boolean;
}

const all: readonly NumberKind[] = ['integer', 'decimal', 'float'];
/** The values of the row. A double can hold neither the first nor the second. */
const [big, money] = ['9007199254740993', '12345678901234567890.12'];

export function numberTexts(language: StatementLanguage, server: TestServer): NumberTexts | null {
  switch (language.language) {
    case 'sql':
      return sqlTexts(language, server);
    case 'json':
      return jsonTexts;
    case 'rql':
      return null;
  }
}

function sqlTexts({ quoting = [] }: StatementLanguage, { values, decimalsAreWhole }: TestServer): NumberTexts {
  const int64 = values.find(({ literal }) => literal === '9223372036854775807')?.type ?? 'BIGINT';
  const double = values.find(({ literal, as }) => as === 'float' && literal === '1e-7')?.type ?? null;
  const joined = (...parts: readonly string[]) =>
    quoting.includes('backtick') || quoting.includes('bracket') ? `CONCAT(${parts.join(', ')})` : parts.join(' || ');
  const exact: readonly NumberKind[] = decimalsAreWhole ? ['integer'] : ['integer', 'decimal'];
  const numbers: readonly NumberKind[] = decimalsAreWhole ? ['integer', 'float'] : all;
  const set = (column: string, to: (value: string) => string, takes: readonly NumberKind[]) => ({
    takes,
    text: (value: string) => `UPDATE {table} SET ${column} = ${to(value)}`,
  });
  const where = (condition: (value: string) => string, takes: readonly NumberKind[]) => ({
    takes,
    isQuestion: true as const,
    text: (value: string) => `SELECT id FROM {table} WHERE ${condition(value)}`,
  });
  const row = `big = ${big}, money = ${money}, note = 'x'${double ? ', dbl = 0.5' : ''}`;
  return {
    make: [
      `CREATE TABLE {table} (id INTEGER, big ${int64}, money DECIMAL(24, 2), note VARCHAR(80)${double ? `, dbl ${double}` : ''})`,
      'INSERT INTO {table} (id) VALUES (1)',
    ],
    unmake: ['DROP TABLE {table}'],
    reset: [`UPDATE {table} SET ${row}`],
    read: `SELECT big, money, note${double ? ', dbl' : ''} FROM {table}`,
    parameter: ':v',
    written: (_, number) => (number.startsWith('-') ? `(${number})` : number),
    places: [
      set('big', (v) => v, ['integer']),
      set('big', (v) => `big + ${v}`, ['integer']),
      set('big', (v) => `big - ${v}`, ['integer']),
      set('money', (v) => v, exact),
      set('money', (v) => `money + ${v}`, exact),
      set('money', (v) => `${v} - money`, exact),
      { ...set('note', (v) => joined("'<'", v, "'>'"), exact), asText: true },
      ...(double ? [set('dbl', (v) => v, numbers), set('dbl', (v) => `dbl + ${v}`, numbers)] : []),
      where((v) => `big = ${v}`, ['integer']),
      where((v) => `big - 1 < ${v}`, ['integer']),
      where((v) => `money > ${v}`, exact),
      where((v) => `money = ${money} + ${v}`, exact),
      ...(double ? [where((v) => `dbl > ${v}`, numbers)] : []),
    ],
    takes: (kind) => (kind === 'decimal' ? !decimalsAreWhole : kind === 'integer' || double !== null),
  };
}

const jsonTypes = { integer: '$numberLong', decimal: '$numberDecimal', float: '$numberDouble' } as const;
const json = (kind: NumberKind, number: string) => `{ "${jsonTypes[kind]}": "${number}" }`;
const fields = `"big": ${json('integer', big)}, "money": ${json('decimal', money)}, "dbl": 0.5`;

const jsonTexts: NumberTexts = {
  make: ['{ "insert": "{table}", "documents": [{ "_id": 1 }] }'],
  unmake: ['{ "drop": "{table}" }'],
  reset: [`{ "update": "{table}", "updates": [{ "q": { "_id": 1 }, "u": { "$set": { ${fields}, "any": null } } }] }`],
  read: '{ "aggregate": "{table}", "pipeline": [{ "$set": { "is": { "$type": "$any" } } }], "cursor": {} }',
  parameter: '{ "$param": "v" }',
  written: json,
  places: [
    ...[
      '{ "$set": { "any": V } }',
      '{ "$inc": { "money": V } }',
      '{ "$inc": { "big": V } }',
      '{ "$inc": { "dbl": V } }',
    ].map((change) => ({
      takes: all,
      text: (value: string) =>
        `{ "update": "{table}", "updates": [{ "q": { "_id": 1 }, "u": ${change.replace('V', value)} }] }`,
    })),
    {
      takes: all,
      text: (value: string) =>
        `{ "update": "{table}", "updates": [{ "q": { "_id": 1 }, "u": [{ "$set": { "any": { "$add": ["$money", ${value}] } } }] }] }`,
    },
    ...['big', 'money', 'dbl'].map((field) => ({
      takes: all,
      isQuestion: true as const,
      text: (value: string) =>
        `{ "find": "{table}", "filter": { "${field}": { "$gt": ${value} } }, "projection": { "_id": 1 } }`,
    })),
  ],
  takes: () => true,
};
