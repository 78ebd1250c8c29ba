import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { readFields } from '#engine-api/config-fields.ts';
import { valuesOfUrl } from '#engine-api/connection-strings/reading.ts';
import { tlsModes } from '#engine-api/server-fields.ts';
import { DynoError } from '#model/error.ts';
import { readOnlyAccess } from '../shared/connecting.ts';
import {
  endpointUnlessSocket,
  type ServerConfig,
  settingDetails,
  settingsNamed,
  throughEndpoint,
} from '../shared/server-config.ts';
import { readClientCertificate, withSsl } from '../shared/tls.ts';
import { connectionStrings, urlForm } from './connection/connection-strings.ts';
import { greeting } from './connection/greeting.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

function parse(raw: EngineConfig) {
  const fields = readFields(descriptor.label, descriptor.config, {
    ...valuesOfUrl(urlForm, connectionStrings.read, raw.url),
    ...raw,
  });
  const ssl = fields.choice('ssl', tlsModes, 'disable');
  return {
    /** A name, an address, or the path of a Unix socket. */
    host: fields.text('host') ?? 'localhost',
    port: fields.whole('port', 3_306),
    /** The default database of every session, which also holds Dyno's tables. Null: none is named (ownDatabase). */
    database: databaseName(fields.text('database')),
    user: fields.text('user') ?? 'root',
    password: fields.text('password'),
    ssl,
    /** PEM text or the path of a PEM file. */
    ca: fields.text('ca'),
    ...readClientCertificate(fields, ssl),
    sessionSettings: settingsNamed(/^[a-z_][a-z0-9_]*$/i, fields.map('sessionSettings')),
    connectTimeoutMs: fields.whole('connectTimeoutMs', 10_000),
  };
}

export type MysqlConfig = ServerConfig<ReturnType<typeof parse>>;

export const config: ConfigParser = {
  connectionStrings,
  parse,
  describe(parsed) {
    const { host, port, user, ssl, cert, sessionSettings } = parsed as MysqlConfig;
    const database = ownDatabase(parsed as MysqlConfig);
    return {
      address: host.startsWith('/') ? `${host} ${database}` : `${host}:${port}/${database}`,
      details: { user, ssl, ...(cert && { certificate: cert }), ...settingDetails('SET', sessionSettings) },
    };
  },
  endpoints: endpointUnlessSocket,
  warning(parsed) {
    const { ssl, host, password } = parsed as MysqlConfig;
    const isElsewhere = !host.startsWith('/') && !/^(localhost|127\.|\[?::1)/i.test(host);
    return ssl === 'disable' && password !== null && isElsewhere
      ? 'Without TLS the server’s public key for the password is taken as it comes (allowPublicKeyRetrieval): whoever sits in between can give another one and learn the password. Set ssl to verify-full, or to require.'
      : null;
  },
  socketFile(parsed) {
    const { host } = parsed as MysqlConfig;
    return host.startsWith('/') ? host : null;
  },
  greeting,
  through: throughEndpoint,
  withTls: withSsl,
  readOnly: readOnlyAccess,
  grants: (parsed) => grants({ ...(parsed as MysqlConfig), database: ownDatabase(parsed as MysqlConfig) }),
};

/** The database of Dyno's tables. */
export const ownDatabase = ({ database }: Pick<MysqlConfig, 'database'>): string => database ?? 'dyno';

/** The server's own databases hold no tables of users. */
function databaseName(name: string | null): string | null {
  if (name === null) return null;
  if (['mysql', 'information_schema', 'performance_schema', 'sys'].includes(name.toLowerCase()))
    throw new DynoError('badInput', `database: "${name}" is the server’s own.`, {
      hint: 'Leave it out: it is dyno then.',
    });
  if (name.length > 64) throw new DynoError('badInput', 'database: a name has 64 characters at most.');
  return name;
}
