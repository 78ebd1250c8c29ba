import type { Parameter, Reading } from '#engine-api/connection-strings/connection-strings.ts';
import { plainName } from '#engine-api/connection-strings/reading.ts';
import { type CatalogEntry, findEngine } from '#engines/catalog.ts';
import type { FieldValues } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import type { Production } from '#model/production.ts';
import type { Socks } from '#model/socks.ts';
import type { Ssh } from '#model/ssh.ts';
import { passwordsApart } from '../connections/connection-url.ts';

/** A connection from a file of another program, with the fields of Dyno's engines. It may contain passwords. */
export interface Found {
  /** The name in the file. */
  readonly name: string;
  /** Null if Dyno has no engine for it. */
  readonly engine: string | null;
  readonly values: FieldValues;
  /** The passwords by field, in clear text; null if the other program stores it elsewhere. */
  readonly passwords: Readonly<Record<string, string | null>>;
  readonly ssh?: Ssh;
  readonly socks?: Socks;
  /** The group under which the other program lists it. */
  readonly group?: string;
  /** True if the other program marks it as production, or allows no writes over it. */
  readonly production?: Production;
  /** Sentences about the properties that are not imported. */
  readonly notes: readonly string[];
  /** The reason why it cannot become a connection; null if the engine's own parser decides. */
  readonly problem: string | null;
}

/** The note about a read-only connection. */
const readOnlyNote = 'It may only read: it becomes a connection marked as production, over which nothing is written.';
const productionNote = 'It is marked as production: a run asks for the host’s name and writes nothing.';

/** The mark of another program as Dyno's own, with a note that says so. */
export function withMark(found: Found, mark: 'production' | 'readOnly' | null): Found {
  if (mark === null || found.production) return found;
  return { ...found, production: {}, notes: [mark === 'readOnly' ? readOnlyNote : productionNote, ...found.notes] };
}

const isPassword = (name: string): boolean => /^(password|passwd|pwd|pass)$/.test(plainName(name));

/** Settings of another program, under the names of the engine's libraries. Empty ones are ignored. */
export function takeOver(name: string, engine: string, settings: Iterable<Parameter>): Found {
  const all = [...settings].filter(([, value]) => value !== '');
  // A setting on its own line cannot be part of a password, unlike a setting in a URL.
  const ordered = [...all.filter(([key]) => !isPassword(key)), ...all.filter(([key]) => isPassword(key))];
  return readBy(name, engine, (entry) => entry.config.connectionStrings?.settings(ordered) ?? null);
}

/** Reads an entry by its engine's reader, whose refusals become the entry's problem. */
export function readBy(name: string, engine: string, read: (entry: CatalogEntry) => Reading | null): Found {
  const entry = findEngine(engine);
  try {
    const reading = entry && read(entry);
    if (!entry || !reading) throw new DynoError('badInput', 'It cannot be read by its engine.');
    const { notes, readOnly } = reading;
    const { values, passwords } = passwordsApart(reading.values, entry.descriptor.config);
    return withMark({ name, engine, values, passwords, notes, problem: null }, readOnly ? 'readOnly' : null);
  } catch (thrown) {
    return { name, engine, values: {}, passwords: {}, notes: [], problem: errorText(toErrorData(thrown)) };
  }
}

/** An entry that Dyno has no engine for; `what` names the product. */
export const noEngine = (name: string, what: string): Found => ({
  name,
  engine: null,
  values: {},
  passwords: {},
  notes: [],
  problem: `Dyno has no engine for ${what === '' ? 'a product that is not named' : `“${what.slice(0, 60)}”`}.`,
});
