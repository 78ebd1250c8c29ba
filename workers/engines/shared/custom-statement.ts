import type { KeptAnswer, StatementPlan } from '#engine-api/statement.ts';
import type { PlansByName, TablePlan } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { extentOf, type StatementExtent } from '#model/statements/statement-extent.ts';
import { partsOf, type StatementLanguage } from '#model/statements/statement-text.ts';
import type { ShownRows } from '#model/statements/statements.ts';

/** A custom statement in SQL or RQL, with places for its parameters. */
interface StatementTemplate {
  /** The parameter of each place, by its index in the plan. */
  readonly places: readonly number[];
  /**
   * Writes the text with each place filled in: the n-th place belongs to parameter p. Spaces separate it from its
   * neighbours: without them two quotes would be one quote within a text, a name would take in a word, and two signs
   * would be another sign.
   */
  render(place: (parameter: number, nth: number) => string): string;
}

/** Parses a text. Throws 'badInput' for a second statement, undeclared parameters and unknown tables. Pure. */
export function templateOf(
  { text, parameters, tables }: Pick<StatementPlan, 'text' | 'parameters' | 'tables'>,
  language: StatementLanguage,
  tableName: (table: TablePlan) => string,
): StatementTemplate {
  const { end, next } = extentOf(text, language);
  if (next) throw severalStatements(next);
  const places: number[] = [];
  const pieces = partsOf(language.refusesSemicolon ? text.slice(0, end) : text, language).map(
    (part): string | number => {
      if (part.kind === 'table') return tableName(tableOf(tables, part.name));
      if (part.kind !== 'parameter') return part.text;
      const index = parameters.findIndex(({ name }) => name === part.name);
      if (index === -1) throw unknownParameter(part.name);
      places.push(index);
      return index;
    },
  );
  const apart = pieces.map((piece, i) => {
    if (typeof piece !== 'string') return piece;
    const before = typeof pieces[i - 1] === 'number' && /^[^\s),;]/.test(piece) ? ' ' : '';
    const behind = typeof pieces[i + 1] === 'number' && /[^\s(,=]$/.test(piece) ? ' ' : '';
    return `${before}${piece}${behind}`;
  });
  return {
    places,
    render(place) {
      let nth = 0;
      return apart.map((piece) => (typeof piece === 'string' ? piece : place(piece, nth++))).join('');
    },
  };
}

/** The text that runs is counted, explained and undone as one statement. */
export const severalStatements = ({ line, words }: NonNullable<StatementExtent['next']>): DynoError =>
  new DynoError('badInput', `The text is more than one statement: the next begins in line ${line} with "${words}".`, {
    hint: 'Make a statement of each; as steps of a transaction they are committed together.',
  });

export function tableOf(tables: PlansByName, name: string): TablePlan {
  const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
  if (table) return table;
  throw new DynoError('badInput', `The text has {${name}}, and the experiment has no such table.`);
}

export const unknownParameter = (name: string): DynoError =>
  new DynoError('badInput', `The parameter ${name} is not declared.`, {
    hint: 'Say under `parameters` where its values come from.',
  });

/** A value of a result for reading. */
export function shownText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`;
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Shows the first rows of an answer. */
export const shownRows = (
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  most: number,
  count: number | null = rows.length,
): ShownRows => ({ columns, rows: rows.slice(0, most).map((row) => row.map(shownText)), count });

/** The answer of a statement that returns no rows. */
export const withoutRows = (count: number | null): KeptAnswer => ({ count, read: () => shownRows([], [], 0, count) });

/** Shows the first rows of an answer, of which up to one row more than `most` was fetched. */
export const firstRows = (
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
  most: number,
  count: number | null = rows.length,
): ShownRows =>
  rows.length > most
    ? { ...shownRows(columns, rows, most, most), hasMore: true }
    : shownRows(columns, rows, most, count);

/** Statements that return no rows but a meaningful count; servers return some count for other statements, too. */
export const countsRows = (text: string, language: StatementLanguage): boolean =>
  ['insert', 'update', 'delete', 'merge', 'replace', 'with'].includes(firstWord(text, language));

/** The first word of the text, without comments, in lower case. */
export const firstWord = (text: string, language: StatementLanguage): string =>
  partsOf(text, language)
    .flatMap((part) => (part.kind === 'code' ? [part.text] : []))
    .join(' ')
    .trim()
    .split(/\W/)[0]!
    .toLowerCase();
