import { type Found, takeOver } from './found.ts';
import { linesOf } from './ini.ts';

/** One line of a password file of libpq; a part that is `*` fits anything. */
export interface PgpassLine {
  readonly host: string;
  readonly port: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
}

/**
 * Each line has the form host:port:database:user:password, with a backslash before : and \ (manual, "The Password
 * File").
 */
export function readPgpass(text: string): readonly PgpassLine[] {
  return linesOf(text).flatMap((raw) => {
    const line = raw.replace(/\r$/, '');
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [host = '', port = '', database = '', user = '', password = '', ...more] = partsOf(line);
    // Files of other programs also contain colons.
    return password === '' || more.length > 0 ? [] : [{ host, port, database, user, password }];
  });
}

function partsOf(line: string): readonly string[] {
  const parts = [''];
  for (let at = 0; at < line.length; at++) {
    if (line[at] === ':') parts.push('');
    else {
      if (line[at] === '\\') at++;
      parts[parts.length - 1] += line[at] ?? '';
    }
  }
  return parts;
}

/** The password for a server, from the first matching line as in libpq; null if no line matches. */
export function pgpassOf(lines: readonly PgpassLine[], server: Omit<PgpassLine, 'password'>): string | null {
  const parts = ['host', 'port', 'database', 'user'] as const;
  return (
    lines.find((line) => parts.every((part) => line[part] === '*' || line[part] === server[part]))?.password ?? null
  );
}

/** The connections that a password file defines: lines whose host is not a wildcard. */
export const pgpassConnections = (text: string): readonly Found[] =>
  readPgpass(text)
    .filter(({ host }) => host !== '*' && host !== '')
    .map(({ host, port, database, user, password }) => {
      const given = Object.entries({ host, port, database, user, password }).filter(([, value]) => value !== '*');
      const place = `${host}${port === '*' ? '' : `:${port}`}${database === '*' ? '' : `/${database}`}`;
      return takeOver(user === '*' ? place : `${user}@${place}`, 'postgres', given);
    });
