import fc from 'fast-check';
import type { Value } from '#model/batch/decode.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { makeRows, type Row } from '../rows.ts';
import { quoter } from '../statement-texts.ts';

/**
 * Values that would be code if an engine wrote them into a text without quoting, and the positions in which that would
 * show.
 */

/** Texts that mean something to a server, driver or template, within quotes or outside of them. */
const fragments = [
  ...["'", "''", '"', '`', '[', ']', '\\', "\\'", '\\\n', '\\\r\n', '\n', '\r', '\t', ' '],
  ...['--', '-- ', '/*', '*/', '#', '//', ';', '$$', '$1', '$x$', '?', ':id', ':1', '@P0', '@@x', '{table}', '{', '}'],
  ...["q'[", "E'", "N'", 'NULL', "');DELETE FROM t;--", '%', '_', '&', '&amp', '\\u0041', '\\0', '$id', '"$id"'],
  ...[
    '\0',
    '\b',
    '\x1a',
    '\u0085',
    '\u2028',
    '\u2029',
    '\ufeff',
    '\ud800',
    'ü',
    '\u00bf\u0027',
    '日本',
    '🐘',
    '+',
    '/',
    '*',
    '-',
  ],
];
/**
 * The length of the text's column in UTF-16 units, the smallest unit in which a server counts: as nvarchar(40) does.
 */
const mostUnits = 40;

/** The text, cut to at most `units`, but never within a surrogate pair. */
const cutTo = (text: string, units: number): string => {
  const cut = text.slice(0, units);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
};

export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ minLength: 1, maxLength: 3, unit: 'binary' })), {
    minLength: 1,
    maxLength: 8,
  })
  // Batches are in UTF-8, which has no surrogate that stands alone.
  .map((pieces) => cutTo(pieces.join('').toWellFormed(), mostUnits));

/** The columns of a row that change: all but its key. */
export type Changes = Omit<Row, 'id' | 'code' | 'details'>;

const nullable = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 6 });

export const hostileChanges: fc.Arbitrary<Changes> = fc.record({
  text: nullable(hostileText),
  uuid: nullable(fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex'))),
  price: nullable(fc.integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })),
  at: nullable(fc.integer({ min: -62_000_000_000_001, max: 4_102_444_799_999_999 })),
  flag: nullable(fc.boolean()),
  blob: nullable(fc.uint8Array({ minLength: 1, maxLength: 40 })),
});

export const changedNames: readonly (keyof Changes)[] = ['text', 'uuid', 'price', 'at', 'flag', 'blob'];

/** An UPDATE of the row :id with nothing between a parameter and its neighbours. */
export function tightUpdate(language: StatementLanguage): string {
  const name = quoter(language);
  return `UPDATE {table} SET ${changedNames.map((one) => `${name(one)}=:${one}`).join(',')} WHERE ${name('id')}=:id/*:no*/`;
}

/** The same UPDATE of one column, with a sign before the parameter. */
export const minusUpdate = (language: StatementLanguage): string => {
  const name = quoter(language);
  return `UPDATE {table} SET ${name('price')} = ${name('price')} -:n WHERE ${name('id')} = :id`;
};

/** A SELECT that finds one row only if its parameters are taken as values. */
export interface Position {
  readonly text: string;
  readonly values: Readonly<Record<string, number | string>>;
}

const bigint: ColumnType = { kind: 'bigint' };
const text: ColumnType = { kind: 'text', maxLength: mostUnits, fixed: false, ascii: false };

/** The parameters of a plan, and the row of their values. */
export function givenAs({ values }: Position) {
  const names = Object.keys(values);
  return {
    parameters: names.map((name) => ({
      name,
      type: typeof values[name] === 'string' ? text : bigint,
      nullable: false,
    })),
    row: names.map((name): Value => values[name]!),
  };
}

/** Signs, brackets, comments and quotes directly before and behind a parameter; `k` is 1 to 9. */
export function tightPositions(
  language: StatementLanguage,
  id: number,
  { n, k, said }: { readonly n: number; readonly k: number; readonly said: string },
): readonly Position[] {
  const name = quoter(language);
  const key = name('id');
  const position = (where: string, values: Position['values']): Position => ({
    text: `SELECT ${name('code')} FROM {table} WHERE ${where}`,
    values,
  });
  return [
    position(`${key} -:n=:m`, { n, m: id - n }),
    position(`${key}+:n=:m`, { n, m: id + n }),
    position(`${key} -(:n)=:m`, { n, m: id - n }),
    position(`${key}- -:n=:m`, { n, m: id + n }),
    position(`:n-${key}=:m`, { n, m: n - id }),
    position(`${key}/:d*:k=:m`, { d: -1, k, m: -id * k }),
    position(`${key}*:k/*:no*/=:m`, { k: -k, m: -id * k }),
    position(`/*:no*/:id/*:no*/=${key}`, { id }),
    position(`${key} IN(:n,:id)`, { n: -1, id }),
    position(`(:id)=${key} AND'--:no'<>:said/*'*/`, { id, said }),
    position(`${key}=:id AND(:said<>'a''b')-- ':no`, { id, said }),
    position(`${key}=:id AND'a'<>:said`, { id, said }),
  ];
}

/** The forms in which dialects limit the rows of a SELECT, each with a parameter for the limit. */
export const pagedSelects = (language: StatementLanguage): readonly string[] =>
  ['LIMIT :k', 'FETCH FIRST :k ROWS ONLY', 'OFFSET 0 ROWS FETCH NEXT :k ROWS ONLY'].map(
    (page) => `SELECT ${quoter(language)('code')} FROM {table} ORDER BY ${quoter(language)('id')} ${page}`,
  );

/**
 * Rows with hostile texts, but without control characters: some servers refuse a NUL, and some drivers read a text only
 * as far as its first NUL.
 */
export function hostileRows(first: number, count: number): readonly Row[] {
  const texts = fc.sample(
    hostileText.map((text) => text.replaceAll(/[^\P{Cc}\t\n\r]/gu, '')).filter((text) => text !== ''),
    { numRuns: count, seed: first },
  );
  return makeRows(first, count).map((row, i) => ({ ...row, text: texts[i]! }));
}
