import type { DroppedTables, KeptTable } from '#engine-api/database.ts';
import { DynoError, type ErrorData, type ErrorKind } from '#model/error.ts';

/** The beginning of the comments that mark Dyno's objects; objects without a mark are never dropped. */
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

/** The error for an object with the name of one of Dyno's, but without its mark: "A table dyno.t". */
export const notOurs = (what: string): DynoError =>
  new DynoError('notOurs', `${what} exists that Dyno did not create.`, {
    hint: 'Rename or drop it yourself; Dyno never does.',
  });

/** The error for a missing right. `tried`: "Creating the schema dyno"; `hint`: how to get the right. */
export const missingRight = (tried: string, { message, code }: ErrorData, hint: string): DynoError =>
  new DynoError('permission', `${tried}: ${message}`, { code, hint });

/**
 * Drops a table of Dyno's. If the server refuses because objects depend on the table, the error names them: they belong
 * to somebody else, and are not dropped. `holdersOf` lists these objects, from the server's refusal or its catalog;
 * empty: the refusal had another reason.
 */
export async function dropUnlessHeld(
  table: string,
  drop: () => Promise<unknown>,
  holdersOf: (refusal: unknown) => readonly string[] | Promise<readonly string[]>,
): Promise<void> {
  try {
    await drop();
  } catch (refusal) {
    const holders = await holdersOf(refusal);
    if (holders.length === 0) throw refusal;
    throw heldTable(table, holders);
  }
}

/** The error for a table of Dyno's on which objects of somebody else depend: "view public.mine". */
export function heldTable(table: string, holders: readonly string[]): DynoError {
  const named = holders.slice(0, mostHolders).join(', ');
  const more = holders.length > mostHolders ? ` and ${holders.length - mostHolders} others` : '';
  return new DynoError('notOurs', `The table ${table} stays, because ${named}${more} depend on it.`, {
    hint: 'Drop or change what depends on the table, or ask its owner; then dyno clean drops the table. Dyno drops nothing that it did not make.',
  });
}

const mostHolders = 10;

/** After these errors no other table can be dropped either. */
const endsAll: readonly ErrorKind[] = ['serverGone', 'unreachable', 'workerGone', 'cancelled', 'timeout', 'internal'];

/**
 * Drops the objects of these names, each once; those to which others refer go after these. Objects that the server does
 * not drop stay, with the reason.
 */
export async function dropEach(
  names: readonly string[] | Promise<readonly string[]>,
  drop: (name: string) => Promise<unknown> | unknown,
  toError: (thrown: unknown) => ErrorData,
): Promise<DroppedTables> {
  const dropped: string[] = [];
  let left = await names;
  for (;;) {
    const kept: KeptTable[] = [];
    for (const name of left)
      try {
        await drop(name);
        dropped.push(name);
      } catch (thrown) {
        const error = toError(thrown);
        if (endsAll.includes(error.kind)) throw thrown;
        kept.push({ name, why: [error.message, error.hint].filter(Boolean).join(' ') });
      }
    if (kept.length === 0 || kept.length === left.length) return { dropped, kept };
    left = kept.map(({ name }) => name);
  }
}
