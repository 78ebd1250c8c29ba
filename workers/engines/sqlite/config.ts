import { isAbsolute } from 'node:path';
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
  const path = fields.text('path');
  if (path === null) {
    throw new DynoError('badInput', 'path must name the folder for Dyno’s SQLite file.');
  }
  if (!isAbsolute(path)) {
    throw new DynoError('badInput', `path must be absolute, not "${path}".`, {
      hint: 'What a relative path means depends on where Dyno was started; window and command line would differ.',
    });
  }
  const pageSize = fields.whole('pageSize', 4_096);
  if ((pageSize & (pageSize - 1)) !== 0) {
    throw new DynoError('badInput', `pageSize must be a power of two from 512 to 65,536, not ${pageSize}.`);
  }
  return {
    /** The absolute path of the folder with dyno.sqlite. */
    path,
    journalMode: fields.choice('journalMode', journalModes, 'wal'),
    synchronous: fields.choice('synchronous', synchronousLevels, 'full'),
    cacheKib: fields.whole('cacheKib', 65_536),
    pageSize,
    busyTimeoutMs: fields.whole('busyTimeoutMs', 5_000),
  };
}

export type SqliteConfig = EngineConfig & Readonly<ReturnType<typeof parse>> & Access;

/** Reads no connection strings; explains why, if a text names an SQLite file. */
const connectionStrings: ConnectionStrings = {
  settings: () => {
    throw ownFile();
  },
  read(text) {
    if (/^(jdbc:)?(sqlite3?|libsql|file)(\+\w+)?:/i.test(text.trim())) throw ownFile();
    return null;
  },
};

const ownFile = () =>
  new DynoError('badInput', 'Dyno makes an SQLite file of its own in a folder, and opens no other one.', {
    hint: 'The target sqlite is built in; a connection of SQLite names the folder for its file.',
  });

export const config: ConfigParser = {
  connectionStrings,
  parse,
  describe(parsed) {
    const { path, readOnly: _, ...details } = parsed as SqliteConfig;
    return {
      address: path,
      details: Object.fromEntries(Object.entries(details).map(([key, value]) => [key, String(value)])),
    };
  },
  endpoints: () => [],
  readOnly: readOnlyAccess,
  grants: () => null, // a user who may write to the folder may do everything
};
