import { isDeepStrictEqual } from 'node:util';
import type { ConfigField, ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { given, readUrl } from '#engine-api/config-fields.ts';
import { type CatalogEntry, catalog } from '#engines/catalog.ts';
import { holdsPlainSecret } from '#experiment/validate/target-rules.ts';
import { type FieldValue, type FieldValues, type ReadUrl, urlField } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import { isReference } from '#model/reference.ts';

type Values = Readonly<Record<string, FieldValue>>;

/** A URL as the fields of its engine (`engine`, if given). Throws 'badInput' without repeating the URL. */
export function readConnectionUrl(url: string, engine: string | null, entries = catalog): ReadUrl {
  const able = entries.filter(({ descriptor }) => urlFieldOf(descriptor.config) !== undefined);
  const asked = engine === null ? able : able.filter(({ descriptor }) => descriptor.id === engine);
  const errors: { readonly entry: CatalogEntry; readonly thrown: unknown }[] = [];
  for (const entry of asked)
    try {
      return { engine: entry.descriptor.id, ...fieldsOf(url, entry) };
    } catch (thrown) {
      errors.push({ entry, thrown });
    }
  const scheme = familyOf(url);
  const meant = errors.find(({ entry }) => scheme !== '' && familyOf(exampleOf(entry)) === scheme) ?? errors[0];
  if (meant && (engine !== null || familyOf(exampleOf(meant.entry)) === scheme)) throw meant.thrown;
  throw new DynoError('badInput', 'No engine here knows a URL that begins like this one.', {
    hint: `They look like ${able.map(exampleOf).filter(Boolean).join(', ')}.`,
  });
}

/** Engines that a URL of this scheme may be for are found by trying; this tells whether a word looks like a URL. */
export const looksLikeUrl = (word: string): boolean => /^[a-z][a-z0-9+.-]*:\/\//i.test(word) || /^jdbc:/i.test(word);

const urlFieldOf = (fields: readonly ConfigField[]) => fields.find(({ name }) => name === urlField);
const exampleOf = ({ descriptor }: CatalogEntry): string => urlFieldOf(descriptor.config)?.placeholder ?? '';
const schemeOf = (url: string): string => /^([a-z][a-z0-9+.-]*):/i.exec(url)?.[1]?.toLowerCase() ?? '';

/** The scheme, with one word for both forms of HTTP: a field's example has one of them. */
const familyOf = (url: string): string => schemeOf(url).replace(/^https$/, 'http');

/**
 * Field by field where the parser makes the same configuration of them as of the URL, without those that only say the
 * default; else the URL itself stays, without its password.
 */
function fieldsOf(url: string, { descriptor, config }: CatalogEntry): Omit<ReadUrl, 'engine'> {
  const parsed = config.parse({ [urlField]: url });
  const makesTheSame = (values: Values): boolean => {
    try {
      return isDeepStrictEqual(config.parse(values), parsed);
    } catch {
      return false;
    }
  };
  const fields = descriptor.config.filter(({ name }) => name !== urlField);
  const all = [...partsOf(url, fields), valuesIn(parsed, fields)].find(makesTheSame) ?? valuesIn(parsed, fields);
  if (makesTheSame(all)) {
    const usual = defaultsOf(config);
    const needed = Object.keys(all).reduce<Values>((rest, name) => {
      const { [name]: _, ...without } = rest;
      // A value that follows from another one (a database named as the user) is shown all the same.
      const isUsual = usual === null || isDeepStrictEqual(usual[name], all[name]);
      return isUsual && makesTheSame(without) ? without : rest;
    }, all);
    return apart(needed, fields);
  }
  const passwords = fields.filter(({ kind }) => kind === 'password').map(({ name }) => name);
  const secrets = Object.fromEntries(Object.entries(all).filter(([name]) => passwords.includes(name)));
  const bare = { [urlField]: url.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#@:]*):[^/?#]*@/i, '$1@') };
  for (const values of [{ ...bare, ...secrets }, bare])
    if (makesTheSame(values) && !holdsPlainSecret(bare)) return apart(values, fields);
  if (!holdsPlainSecret(url, urlField)) return { values: { [urlField]: url }, passwords: {} };
  throw new DynoError('badInput', 'The password cannot be taken out of this URL.', {
    hint: 'Take it out of the URL, and put it into the password field.',
  });
}

/**
 * Parts of the URL by the names that fields have in most engines, with the path in each text field that it may be meant
 * for. An engine that makes one long text of its address shows the single fields by this.
 */
function partsOf(url: string, fields: readonly ConfigField[]): readonly Values[] {
  try {
    const { user, password, host, port, path, parameters } = readUrl('', [schemeOf(url)], url, '');
    const known = (value: Readonly<Record<string, unknown>>) =>
      Object.fromEntries(Object.entries(value).filter(([name]) => fields.some((field) => field.name === name)));
    const own = known(given({ ...parameters, user, password, host, port })) as Values;
    const places = fields.filter(({ name, kind }) => kind === 'text' && own[name] === undefined);
    return path === null ? [own] : places.map(({ name }) => ({ ...own, [name]: path }));
  } catch {
    return []; // Several hosts, or a form of the engine's own.
  }
}

/** Null where an engine needs more than the URL holds. */
export function defaultsOf(config: ConfigParser): EngineConfig | null {
  try {
    return config.parse({});
  } catch {
    return null;
  }
}

/** The part of a parsed configuration that the engine's fields can hold. */
function valuesIn(parsed: EngineConfig, fields: readonly ConfigField[]): Values {
  return Object.fromEntries(
    fields.flatMap(({ name, kind, choices }): readonly (readonly [string, FieldValue])[] => {
      const value = parsed[name];
      switch (kind) {
        case 'number':
          return typeof value === 'number' ? [[name, value]] : [];
        case 'boolean':
          return typeof value === 'boolean' ? [[name, value]] : [];
        case 'choice':
          return typeof value === 'string' && (choices ?? []).includes(value) ? [[name, value]] : [];
        case 'map': {
          const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
          const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
          return texts.length > 0 && texts.length === entries.length ? [[name, Object.fromEntries(texts)]] : [];
        }
        default:
          return typeof value === 'string' && value !== '' ? [[name, value]] : [];
      }
    }),
  );
}

function apart(values: Values, fields: readonly ConfigField[]): Omit<ReadUrl, 'engine'> {
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
