import { looksLikeConnectionString } from '#engine-api/connection-strings/looks.ts';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import { readConnectionUrl } from '../connections/connection-url.ts';
import { type Found, withMark } from './found.ts';
import { linesOf } from './ini.ts';

/** A line NAME=VALUE of a file of environment variables. */
interface Variable {
  readonly name: string;
  readonly value: string;
}

/**
 * The connection strings of a text: one per line, alone or as NAME=VALUE as in files of environment variables. A user
 * and password in separate variables beside NAME_URL belong to it.
 */
export function urlConnections(text: string): readonly Found[] {
  const lines = linesOf(text).map((raw) => raw.trim());
  const variables = lines.map(variableIn);
  const known = new Map(variables.flatMap((one) => (one === null ? [] : [[one.name, one.value] as const])));
  return lines.flatMap((line, index) => {
    const variable = variables[index] ?? null;
    const isAlone =
      looksLikeConnectionString(line) && (variable === null || !looksLikeConnectionString(variable.value));
    if (isAlone) return [urlConnection(unquoted(line), '')];
    if (variable === null) return [];
    const { name } = variable;
    const expanded = expand(variable.value, known);
    if (!looksLikeConnectionString(expanded) || isOfPage(expanded, name)) return [];
    if (/\$\{(?!env:)[A-Za-z_]\w*\}/.test(expanded))
      return [refused(name, 'It names a variable that is not in the file.')];
    return [withLogin(urlConnection(expanded, name), name, known)];
  });
}

function variableIn(line: string): Variable | null {
  if (line.startsWith('#')) return null;
  const [before = '', name = ''] = /^(?:export\s+|set\s+|\$env:)?([A-Za-z_][\w.-]*)\s*[=:](?!\/\/)\s*/.exec(line) ?? [];
  return name === '' ? null : { name, value: valueIn(line.slice(before.length)) };
}

/** A value without its quotes, and without a comment, which a space must precede. */
function valueIn(text: string): string {
  const quoted = /^(["'`])((?:\\.|(?!\1)[^\\])*)\1\s*(?:[;,]?\s*(?:#.*)?)?$/.exec(text);
  if (quoted) return quoted[1] === '"' ? (quoted[2] ?? '').replaceAll(/\\(["\\$`])/g, '$1') : (quoted[2] ?? '');
  return text.replace(/\s+#.*$/, '').trimEnd();
}

const unquoted = (line: string): string => line.replace(/^(["'`])(.*)\1$/, '$2');

/** The value with `${NAME}` replaced by the file's own variables, never by those of this machine. */
const expand = (value: string, known: ReadonlyMap<string, string>): string =>
  value.replaceAll(/\$\{([A-Za-z_]\w*)\}/g, (whole, name: string) => known.get(name) ?? whole);

/** The same files contain addresses of web pages. Over HTTP, only a named database server counts. */
const isOfPage = (text: string, name: string): boolean =>
  /^https?:\/\//i.test(text) && !/raven/i.test(`${name} ${text}`);

/** In Spring and others, the URL has no login, and variables with the same prefix have it. */
function withLogin(found: Found, name: string, known: ReadonlyMap<string, string>): Found {
  const stem = name.replace(/_?(JDBC_?|R2DBC_?|DATABASE_?)?(URL|URI|DSN|CONNECTION_?STRING)$/i, '');
  const named = (words: readonly string[]) =>
    [stem, name]
      .flatMap((start) => words.map((word) => known.get(`${start}${start === '' ? '' : '_'}${word}`)))
      .find(Boolean);
  if (found.engine === null || stem === name) return found;
  const user = found.values.user === undefined ? named(['USERNAME', 'USER', 'DB_USER']) : undefined;
  const password =
    found.passwords.password === undefined && found.values.password === undefined
      ? named(['PASSWORD', 'PASS', 'PWD', 'DB_PASSWORD'])
      : undefined;
  return {
    ...found,
    values: { ...found.values, ...(user !== undefined && { user }) },
    passwords: { ...found.passwords, ...(password !== undefined && { password }) },
  };
}

/** Parses a URL as a connection; without a name, its host becomes the name. No message contains the URL. */
export function urlConnection(url: string, name: string): Found {
  try {
    const { engine, values, passwords, notes, readOnly } = readConnectionUrl(url, null);
    const host = typeof values.host === 'string' ? values.host : engine;
    return withMark(
      { name: name || host, engine, values, passwords, notes, problem: null },
      readOnly ? 'readOnly' : null,
    );
  } catch (thrown) {
    return refused(name || 'URL', errorText(toErrorData(thrown)));
  }
}

const refused = (name: string, problem: string): Found => ({
  name,
  engine: null,
  values: {},
  passwords: {},
  notes: [],
  problem,
});
