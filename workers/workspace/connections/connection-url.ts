import { isDeepStrictEqual } from 'node:util';
import type { ConfigField, ConfigParser, EngineConfig } from '#engine-api/config.ts';
import type { Reading } from '#engine-api/connection-strings/connection-strings.ts';
import { hasScheme } from '#engine-api/connection-strings/url-parts.ts';
import { type CatalogEntry, catalog } from '#engines/catalog.ts';
import { type FieldValue, type FieldValues, type ReadUrl, urlField } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { isReference } from '#model/reference.ts';

type Values = Readonly<Record<string, FieldValue>>;

/**
 * Parses a URL or another connection string into the fields of its engine (`engine`, if given). Throws 'badInput'
 * without repeating the text.
 */
export function readConnectionUrl(url: string, engine: string | null, entries = catalog): ReadUrl {
  const text = url.trim().replace(/^(["'`])(.*)\1$/s, '$2');
  const asked = engine === null ? entries : entries.filter(({ descriptor }) => descriptor.id === engine);
  for (const certainty of engine === null ? (['own', 'likely'] as const) : (['asked'] as const))
    for (const entry of asked) {
      const reading = entry.config.connectionStrings?.read(text, certainty);
      if (reading) return { engine: entry.descriptor.id, ...readUrlOf(reading, entry) };
    }
  throw notKnown(text, engine, entries);
}

function notKnown(text: string, engine: string | null, entries: readonly CatalogEntry[]): DynoError {
  const able = engine === null ? entries : entries.filter(({ descriptor }) => descriptor.id === engine);
  const hint = `They look like ${able.map(exampleOf).filter(Boolean).join(', ') || 'those of another engine'}; JDBC’s, ADO.NET’s, ODBC’s and libpq’s forms are read, too.`;
  const scheme = hasScheme(text) ? /^[a-z][a-z0-9+.-]{0,30}:/i.exec(text)?.[0] : undefined;
  const [label] = engine === null ? [] : able.map(({ descriptor }) => descriptor.label);
  if (label !== undefined) return new DynoError('badInput', `It is no URL or connection string of ${label}.`, { hint });
  return scheme === undefined
    ? new DynoError('badInput', 'No engine here reads a connection string of this form.', { hint })
    : new DynoError('badInput', `No engine here reads URLs that begin with ${scheme}//.`, { hint });
}

const exampleOf = ({ descriptor }: CatalogEntry): string =>
  descriptor.config.find(({ name }) => name === urlField)?.placeholder ?? '';

/**
 * The parsed values without passwords and defaults. A value that follows from another one (a database named as the
 * user) is included.
 */
function readUrlOf(
  { values, notes, readOnly }: Reading,
  { descriptor, config }: CatalogEntry,
): Omit<ReadUrl, 'engine'> {
  const parsed = parsedOr(config, values);
  const usual = parsedOr(config, {});
  const needed = Object.keys(values).reduce<Values>((rest, name) => {
    const { [name]: _, ...without } = rest;
    const isUsual = usual === null || isDeepStrictEqual(usual[name], values[name]);
    return parsed !== null && isUsual && isDeepStrictEqual(parsedOr(config, without), parsed) ? without : rest;
  }, values);
  return { ...passwordsApart(needed, descriptor.config), notes, readOnly };
}

/** Null if an engine needs more than these values. */
function parsedOr(config: ConfigParser, values: Values): EngineConfig | null {
  try {
    return config.parse(values);
  } catch {
    return null;
  }
}

/** Null if an engine needs any value. */
export const defaultsOf = (config: ConfigParser): EngineConfig | null => parsedOr(config, {});

/** Separates passwords in clear text from the other values. */
export function passwordsApart(values: Values, fields: readonly ConfigField[]): Pick<ReadUrl, 'values' | 'passwords'> {
  const plain = (name: string, value: FieldValue) =>
    fields.some((field) => field.name === name && field.kind === 'password') && !isReference(value);
  const entries = Object.entries(values);
  return {
    values: Object.fromEntries(entries.filter(([name, value]) => !plain(name, value))) as FieldValues,
    passwords: Object.fromEntries(
      entries.flatMap(([name, value]) => (plain(name, value) ? [[name, String(value)]] : [])),
    ),
  };
}
