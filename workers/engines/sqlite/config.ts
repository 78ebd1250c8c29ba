import { createHash } from 'node:crypto';
import { basename, isAbsolute, join } from 'node:path';
import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { readFields } from '#engine-api/config-fields.ts';
import type { ConnectionStrings } from '#engine-api/connection-strings/connection-strings.ts';
import { DynoError } from '#model/error.ts';
import { type Access, readOnlyAccess } from '../shared/connecting.ts';
import { descriptor } from './descriptor.ts';

const journalModes = ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'] as const;
const synchronousLevels = ['full', 'normal', 'off', 'extra'] as const;

function parse(raw: EngineConfig) {
  const fields = readFields(descriptor.label, descriptor.config, raw);
  const [path, file] = [fields.text('path'), fields.text('file')];
  if (path === null && file === null)
    throw new DynoError('badInput', 'path must name the folder for Dyno’s SQLite file, or file one of your own.');
  for (const [name, value] of Object.entries({ path, file }))
    if (value !== null && !isAbsolute(value))
      throw new DynoError('badInput', `${name} must be absolute, not "${value}".`, {
        hint: 'What a relative path means depends on where Dyno was started; window and command line would differ.',
      });
  const kept = file === null ? [] : path === null ? ['journalMode', 'pageSize'] : ['pageSize'];
  for (const name of kept)
    if (raw[name] !== undefined && raw[name] !== null && raw[name] !== '')
      throw new DynoError('badInput', `${name} is that of your own file, and Dyno does not change it.`, {
        hint: `Leave ${name} away.`,
      });
  const pageSize = fields.whole('pageSize', 4_096);
  if ((pageSize & (pageSize - 1)) !== 0) {
    throw new DynoError('badInput', `pageSize must be a power of two from 512 to 65,536, not ${pageSize}.`);
  }
  return {
    /** The absolute path of the folder with dyno.sqlite, or with the copy of the user's file. Null: Dyno makes none. */
    path,
    /** The absolute path of a database of the user's own. Null: there is none. */
    file,
    /** Null: the file's own, as the size of its pages. */
    journalMode: kept.includes('journalMode') ? null : fields.choice('journalMode', journalModes, 'wal'),
    synchronous: fields.choice('synchronous', synchronousLevels, 'full'),
    cacheKib: fields.whole('cacheKib', 65_536),
    pageSize: kept.includes('pageSize') ? null : pageSize,
    busyTimeoutMs: fields.whole('busyTimeoutMs', 5_000),
  };
}

export type SqliteConfig = EngineConfig & Readonly<ReturnType<typeof parse>> & Access;

/** The user's own file, in which Dyno works. Null: it works in a file that it has made. */
export const ownFileOf = ({ path, file }: Pick<SqliteConfig, 'path' | 'file'>): string | null =>
  path === null ? file : null;

/** The file with the tables. Files of one name in different folders have copies of their own. */
export function databaseFile({ path, file }: Pick<SqliteConfig, 'path' | 'file'>): string {
  if (path === null) return file!;
  if (file === null) return join(path, 'dyno.sqlite');
  return join(path, `copy-${createHash('sha256').update(file).digest('hex').slice(0, 8)}-of-${basename(file)}`);
}

/** Reads no connection strings; explains why, if a text names an SQLite file. */
const connectionStrings: ConnectionStrings = {
  settings: () => {
    throw noText();
  },
  read(text) {
    if (/^(jdbc:)?(sqlite3?|libsql|file)(\+\w+)?:/i.test(text.trim())) throw noText();
    return null;
  },
};

const noText = () =>
  new DynoError('badInput', 'Dyno reads no connection string of SQLite.', {
    hint: 'The target sqlite is built in; a connection of SQLite names a file of your own, or the folder for a file of Dyno’s.',
  });

export const config: ConfigParser = {
  connectionStrings,
  parse,
  describe(parsed) {
    const { path, file, readOnly: _, ...details } = parsed as SqliteConfig;
    return {
      address: file ?? path ?? '',
      details: Object.fromEntries(Object.entries(details).map(([key, value]) => [key, String(value)])),
    };
  },
  endpoints: () => [],
  readOnly: readOnlyAccess,
  grants: () => null, // a user who may write to the folder may do everything
};
