import { toErrorData } from '#model/error.ts';
import { looksLikeUrl, readConnectionUrl } from '../connections/connection-url.ts';
import type { Found } from './found.ts';
import { linesOf } from './ini.ts';

/** The connection URLs of a text: one a line, alone or as NAME=URL as in files of environment variables. */
export const urlConnections = (text: string): readonly Found[] =>
  linesOf(text).flatMap((raw) => {
    const line = raw.trim();
    const [variable = '', name = ''] = /^(?:export\s+)?([A-Za-z_][\w.-]*)\s*=\s*/.exec(line) ?? [];
    const quoted = line.slice(variable.length);
    const url = quoted.replace(/^(["'])(.*)\1$/, '$2');
    return looksLikeUrl(url) ? [urlConnection(url, name)] : [];
  });

/** A URL as a connection; without a name, its host becomes the name. The URL is in no message. */
export function urlConnection(url: string, name: string): Found {
  try {
    const { engine, values, passwords } = readConnectionUrl(
      url.replace(/^jdbc:(?=(postgresql|mysql|mariadb):)/i, ''),
      null,
    );
    const host = typeof values.host === 'string' ? values.host : engine;
    return { name: name || host, engine, values, passwords, notes: [], problem: null };
  } catch (thrown) {
    const problem = toErrorData(thrown).message;
    return { name: name || 'URL', engine: null, values: {}, passwords: {}, notes: [], problem };
  }
}
