import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { holdsPlainSecret } from '#engine-api/connection-strings/plain-secrets.ts';
import { findEngine } from '#engines/catalog.ts';
import type { Connection, ImportEntry, SavedConnection } from '#model/connections.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { judgeConnection, placeOf } from '../connections/connection-draft.ts';
import { fieldText } from '../connections/connection-passwords.ts';
import type { ConnectionStore } from '../connections/connections.ts';
import { usesOfConnection, useText } from '../connections/target-uses.ts';
import type { Found } from './found.ts';
import { readSource, sources } from './sources.ts';

/** Connections of one file; the entries are what lists show of them. */
export interface FoundFile {
  readonly label: string;
  readonly file: string;
  readonly found: readonly Found[];
}

/** Nobody picks from more entries. A file with more is read up to here. */
const mostFound = 1_000;

/**
 * The connections in a file, by its format (`id`), else by its name and content. Throws 'badInput' if no format finds
 * one.
 */
export function findInFile(given: string, id: string | null = null): FoundFile {
  const file = resolve(given);
  const bytes = readSource(file);
  const asked = id === null ? null : sourceOf(id);
  const named = sources.filter(({ names }) => names.test(basename(file)));
  let first: unknown = null;
  for (const source of asked ? [asked] : [...new Set([...named, ...sources])])
    try {
      const found = source.read(bytes, file).slice(0, mostFound);
      if (found.length > 0) return { label: source.label, file, found };
    } catch (thrown) {
      first ??= thrown;
    }
  const words = asked ? ` of the format ${asked.id}` : '';
  throw new DynoError('badInput', `${basename(file)} has no connections${words} that Dyno can read.`, {
    hint: first !== null && (asked || named.length > 0) ? toErrorData(first).message : formats,
  });
}

const formats = `Formats: ${sources.map(({ id, label }) => `${id} (${label})`).join(', ')}.`;

function sourceOf(id: string) {
  const source = sources.find((one) => one.id === id);
  if (source) return source;
  const ids = sources.map((one) => one.id);
  throw new DynoError('badInput', `There is no format “${id}”.`, { hint: didYouMean(id, ids) ?? formats });
}

/**
 * The connections in the files that other programs keep on this machine, of one format (`id`) or of all. `problems`
 * names unreadable files.
 */
export function findInUsualPlaces(id: string | null = null): {
  readonly files: readonly FoundFile[];
  readonly problems: readonly { readonly file: string; readonly message: string }[];
} {
  const files: FoundFile[] = [];
  const problems: { file: string; message: string }[] = [];
  for (const source of id === null ? sources : [sourceOf(id)])
    for (const file of new Set(source.places()))
      try {
        if (!existsSync(file)) continue;
        const found = source.read(readSource(file), file).slice(0, mostFound);
        if (found.length > 0) files.push({ label: source.label, file, found });
      } catch (thrown) {
        problems.push({ file, message: toErrorData(thrown).message });
      }
  return { files, problems };
}

/** The usual places of a format, for messages. */
export const usualPlaces = (id: string): readonly string[] => sourceOf(id).places();

/** Checks found entries: which of them can become connections, and which exist already. */
export function judgeFound(found: readonly Found[], saved: readonly SavedConnection[]): readonly ImportEntry[] {
  const known = new Map<string, Pick<Connection, 'name' | 'production'>>(saved.map((one) => [identityOf(one), one]));
  return found.map((one): ImportEntry => {
    const problem = problemOf(one);
    const passwords = Object.entries(one.passwords).flatMap(([field, password]) =>
      password === null || one.engine === null ? [] : [fieldText(one.engine, field)],
    );
    const entry = { name: plainName(one.name), passwords, notes: one.notes, production: one.production !== undefined };
    if (one.engine === null || problem !== null)
      return { ...entry, engine: one.engine, address: null, problem, missing: null, sameAs: null, uses: [] };
    const connection = asConnection({ ...one, engine: one.engine }, 'ask');
    const { address, problems } = judgeConnection(connection);
    const identity = identityOf(connection);
    const same = known.get(identity);
    // An unmarked copy of a production connection would write where the marked one must not.
    const sameAs = same && !(connection.production && !same.production) ? same.name : null;
    if (sameAs === null) known.set(identity, connection);
    const missing = problems.map(({ message }) => message).join(' ') || null;
    const uses = usesOfConnection(connection).map(useText);
    return { ...entry, engine: one.engine, address, problem: null, missing, sameAs, uses };
  });
}

/** The connection that an entry becomes; null: it cannot be imported. */
export const connectionIn = (found: Found): Omit<Connection, 'id'> | null =>
  found.engine === null || problemOf(found) !== null ? null : asConnection({ ...found, engine: found.engine }, 'ask');

/** The reason why an entry cannot be imported at all. An incomplete entry can be completed afterwards. */
function problemOf({ problem, values, ssh, socks }: Found): string | null {
  if (problem !== null) return problem;
  const texts = JSON.stringify([values, ssh ?? null, socks ?? null]);
  // Otherwise a file could send this machine's variables to a server of its author's.
  if (texts.includes('${env:')) return 'It names an environment variable, which a file from elsewhere may not.';
  if (texts.length > 20_000) return 'It is longer than connections are.';
  if (holdsPlainSecret(values)) return 'A field that holds no secrets has one.';
  return null;
}

/** Address, user, TLS and settings of a connection: everything but passwords. */
function identityOf(connection: Pick<Connection, 'engine' | 'values' | 'passwords' | 'ssh' | 'socks'>): string {
  const { config, descriptor } = findEngine(connection.engine) ?? {};
  const secrets = descriptor?.config.filter(({ kind }) => kind === 'password').map(({ name }) => name) ?? [];
  const open = (values: Readonly<Record<string, unknown>>) =>
    Object.entries(values)
      .filter(([name]) => !secrets.includes(name))
      .toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  const place = placeOf(connection);
  try {
    return JSON.stringify([place, open(config?.parse(connection.values) ?? {})]);
  } catch {
    return JSON.stringify([place, open(connection.values)]); // Two entries that lack the same value are equal.
  }
}

/** The connection that an entry becomes. Its passwords are asked for, or stored by the caller. */
const asConnection = (
  { name, engine, values, passwords, ssh, socks, group, production }: Found & { readonly engine: string },
  place: 'ask' | 'stored',
): Omit<Connection, 'id'> => ({
  name: plainName(name),
  engine,
  values,
  passwords: Object.fromEntries(
    Object.entries(passwords).map(([field, password]) => [field, password === null ? 'ask' : place]),
  ),
  ...(ssh && { ssh }),
  ...(socks && { socks }),
  ...(group && { group: plainName(group) }),
  ...(production && { production }),
});

/** A name as connections have it. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, 50)
    .trim() || 'imported';

/**
 * Saves entries, each under its name or under the first free variation of it. `keep`: the caller puts their passwords
 * into the system's store; otherwise they are left out and asked for. Throws 'badInput' and saves nothing if one of
 * them cannot be imported.
 */
export function saveFound(store: ConnectionStore, found: readonly Found[], keep: boolean): readonly SavedConnection[] {
  return store.addAll(
    found.map((one) => {
      if (one.engine === null || problemOf(one) !== null)
        throw new DynoError('badInput', `“${plainName(one.name)}” cannot be imported.`, { hint: problemOf(one) });
      return asConnection({ ...one, engine: one.engine }, keep ? 'stored' : 'ask');
    }),
  );
}
