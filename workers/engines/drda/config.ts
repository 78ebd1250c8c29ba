import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { readFields } from '#engine-api/config-fields.ts';
import { valuesOfUrl } from '#engine-api/connection-strings/reading.ts';
import { tlsModes } from '#engine-api/server-fields.ts';
import { DynoError } from '#model/error.ts';
import { type ServerConfig, throughEndpoint } from '../shared/server-config.ts';
import { connectionStrings, urlForm } from './connection/connection-strings.ts';
import { greeting } from './connection/greeting.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

const dialects = ['auto', 'derby', 'sqlfire'] as const;
const securities = ['auto', 'userOnly', 'plain', 'substitute', 'encrypted'] as const;

function parse(raw: EngineConfig) {
  const fields = readFields(descriptor.label, descriptor.config, {
    ...valuesOfUrl(urlForm, connectionStrings.read, raw.url),
    ...raw,
  });
  const database = fields.text('database');
  if (database === null)
    throw new DynoError('badInput', 'database is missing: DRDA servers have no default one.', {
      hint: 'For example drda://user@host:1527/database.',
    });
  if (database.includes(';'))
    throw new DynoError(
      'badInput',
      'database must be a name alone: a server reads what follows a semicolon as orders.',
      {
        hint: 'Take out create=true, shutdown=true and the like: Dyno connects to a database that is there.',
      },
    );
  return {
    host: fields.text('host') ?? 'localhost',
    port: fields.whole('port', 1_527),
    database,
    user: fields.text('user') ?? 'APP',
    password: fields.text('password'),
    /** The user who reads the tables that Derby shows only to the database's owner. Null: `user` reads them. */
    diagnosticsUser: fields.text('diagnosticsUser'),
    diagnosticsPassword: fields.text('diagnosticsPassword'),
    dialect: fields.choice('dialect', dialects, 'auto'),
    security: fields.choice('security', securities, 'auto'),
    ssl: fields.choice('ssl', tlsModes, 'disable'),
    /** PEM text or the path of a PEM file. */
    ca: fields.text('ca'),
    connectTimeoutMs: fields.whole('connectTimeoutMs', 10_000),
  };
}

export type DrdaConfig = ServerConfig<ReturnType<typeof parse>>;

export const config: ConfigParser = {
  connectionStrings,
  parse,
  describe(parsed) {
    const { host, port, database, user, dialect, security, ssl } = parsed as DrdaConfig;
    return {
      address: `${host}:${port}/${database}`,
      details: { user, dialect, security, ssl, ...(dialect !== 'derby' && { isolation: familyIsolation }) },
    };
  },
  endpoints(parsed) {
    const { host, port } = parsed as DrdaConfig;
    return [{ host, port }];
  },
  greeting,
  through: throughEndpoint,
  grants: (parsed) => grants(parsed as DrdaConfig),
};

/** Each target's details say so, because users of other databases do not expect it. */
const familyIsolation =
  'on SQLFire’s family sessions begin with NONE, where a rollback undoes nothing; several calls per commit set CS';
