import type { ConfigParser, Endpoint } from '#engine-api/config.ts';
import { given, readFields, readUrl, refuseOthers } from '#engine-api/config-fields.ts';
import { type TlsMode, tlsModes } from '#engine-api/server-fields.ts';
import { DynoError } from '#model/error.ts';
import { greeting } from './connection/greeting.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

export interface PostgresConfig extends Readonly<Record<string, unknown>> {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string | null;
  readonly ssl: TlsMode;
  /** PEM text or path. */
  readonly ca: string | null;
  readonly sessionSettings: Readonly<Record<string, string>>;
  readonly connectTimeoutMs: number;
  /** Where connections go instead (ConfigParser.through). */
  readonly via?: Endpoint;
}

export const config: ConfigParser = {
  parse(raw): PostgresConfig {
    const fields = readFields(descriptor.label, descriptor.config, { ...fromUrl(raw.url), ...raw });
    const user = fields.text('user') ?? 'postgres';
    return {
      host: fields.text('host') ?? 'localhost',
      port: fields.whole('port', 5_432),
      database: fields.text('database') ?? user,
      user,
      password: fields.text('password'),
      ssl: fields.choice('ssl', tlsModes, 'disable'),
      ca: fields.text('ca'),
      sessionSettings: settings(fields.map('sessionSettings')),
      connectTimeoutMs: fields.whole('connectTimeoutMs', 10_000),
    };
  },
  describe(parsed) {
    const { host, port, database, user, ssl, sessionSettings } = parsed as PostgresConfig;
    const set = Object.entries(sessionSettings).map(([name, value]) => [`SET ${name}`, value]);
    return {
      address: host.startsWith('/') ? `${host}/.s.PGSQL.${port} ${database}` : `${host}:${port}/${database}`,
      details: { user, ssl, ...Object.fromEntries(set) },
    };
  },
  endpoints(parsed) {
    const { host, port } = parsed as PostgresConfig;
    return host.startsWith('/') ? [] : [{ host, port }];
  },
  greeting,
  through: (parsed, elsewhere) => {
    const { host, port } = parsed as PostgresConfig;
    return { ...parsed, via: elsewhere({ host, port }) };
  },
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

/** YAML 1.2 reads a bare on/off as text, true/false as boolean: both are what PostgreSQL understands. */
function settings(map: Readonly<Record<string, string>>) {
  for (const name of Object.keys(map))
    if (!/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i.test(name))
      throw new DynoError('badInput', `sessionSettings: "${name}" is not the name of a setting.`);
  return map;
}
