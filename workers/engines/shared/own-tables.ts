import { DynoError, type ErrorData } from '#model/error.ts';

/** The beginning of the comments that mark what Dyno made; nothing without a mark is ever dropped. */
export const markPrefix = 'dyno:';
const madePrefix = `${markPrefix}made `;

/**
 * The comment that marks a table or procedure as Dyno's. It contains the name, because a copy (CREATE TABLE … LIKE) and
 * a renamed table keep the comment: these belong to the user who copied or renamed the table.
 */
export const ownMark = (name: string): string => `${madePrefix}${name}`;

/** The mark as an expression of SQL, which takes the name from another expression: ownMarkSql('table_name', '||'). */
export const ownMarkSql = (name: string, concatenation: '||' | ','): string =>
  concatenation === '||' ? `'${madePrefix}' || ${name}` : `CONCAT('${madePrefix}', ${name})`;

/** What has the name of something of Dyno's, and has not its mark: "A table dyno.t". */
export const notOurs = (what: string): DynoError =>
  new DynoError('notOurs', `${what} exists that Dyno did not create.`, {
    hint: 'Rename or drop it yourself; Dyno never does.',
  });

/** A right that is missing for what was tried: "Creating the schema dyno". `hint`: what gives it. */
export const missingRight = (tried: string, { message, code }: ErrorData, hint: string): DynoError =>
  new DynoError('permission', `${tried}: ${message}`, { code, hint });

/** Drops what has these names, one after the other, and returns the names. */
export async function dropEach(
  names: readonly string[] | Promise<readonly string[]>,
  drop: (name: string) => Promise<unknown> | unknown,
): Promise<readonly string[]> {
  const all = await names;
  for (const name of all) await drop(name);
  return all;
}
