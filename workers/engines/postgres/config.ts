import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { given, readFields, readUrl, refuseOthers } from '#engine-api/config-fields.ts';
import { tlsModes } from '#engine-api/server-fields.ts';
import {
  endpointUnlessSocket,
  type ServerConfig,
  settingDetails,
  settingsNamed,
  throughEndpoint,
} from '../shared/server-config.ts';
import { greeting } from './connection/greeting.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

function parse(raw: EngineConfig) {
  const fields = readFields(descriptor.label, descriptor.config, { ...fromUrl(raw.url), ...raw });
  const user = fields.text('user') ?? 'postgres';
  return {
    host: fields.text('host') ?? 'localhost',
    port: fields.whole('port', 5_432),
    database: fields.text('database') ?? user,
    user,
    password: fields.text('password'),
    ssl: fields.choice('ssl', tlsModes, 'disable'),
    /** PEM text or path. */
    ca: fields.text('ca'),
    /** YAML 1.2 reads a bare on/off as text, true/false as boolean: both are what PostgreSQL understands. */
    sessionSettings: settingsNamed(/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i, fields.map('sessionSettings')),
    connectTimeoutMs: fields.whole('connectTimeoutMs', 10_000),
  };
}

export type PostgresConfig = ServerConfig<ReturnType<typeof parse>>;

export const config: ConfigParser = {
  parse,
  describe(parsed) {
    const { host, port, database, user, ssl, sessionSettings } = parsed as PostgresConfig;
    return {
      address: host.startsWith('/') ? `${host}/.s.PGSQL.${port} ${database}` : `${host}:${port}/${database}`,
      details: { user, ssl, ...settingDetails('SET', sessionSettings) },
    };
  },
  endpoints: endpointUnlessSocket,
  greeting,
  through: throughEndpoint,
  grants: (parsed) => grants(parsed as PostgresConfig),
};

/** postgres://user:password@host:port/database?sslmode=…&sslrootcert=…; percent-encoding as usual. */
function fromUrl(value: unknown) {
  if (value === undefined) return {};
  const url = readUrl(
    descriptor.label,
    ['postgres', 'postgresql'],
    value,
    'postgres://user:password@host:5432/database',
  );
  refuseOthers(descriptor.label, url, ['host', 'sslmode', 'sslrootcert']);
  const { host, port, user, password, path, parameters } = url;
  return given({
    host: parameters.host ?? host,
    port,
    user,
    password,
    database: path,
    ssl: parameters.sslmode,
    ca: parameters.sslrootcert,
  });
}
