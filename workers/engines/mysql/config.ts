import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { given, readFields, readUrl, refuseOthers } from '#engine-api/config-fields.ts';
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
import { readClientCertificate } from '../shared/tls.ts';
import { greeting } from './connection/greeting.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

function parse(raw: EngineConfig) {
  const fields = readFields(descriptor.label, descriptor.config, { ...fromUrl(raw.url), ...raw });
  const ssl = fields.choice('ssl', tlsModes, 'disable');
  return {
    /** A name, an address, or the path of a Unix socket. */
    host: fields.text('host') ?? 'localhost',
    port: fields.whole('port', 3_306),
    /** Where Dyno's tables go; no session selects it. */
    database: databaseName(fields.text('database') ?? 'dyno'),
    user: fields.text('user') ?? 'root',
    password: fields.text('password'),
    ssl,
    /** PEM text or path. */
    ca: fields.text('ca'),
    ...readClientCertificate(fields, ssl),
    sessionSettings: settingsNamed(/^[a-z_][a-z0-9_]*$/i, fields.map('sessionSettings')),
    connectTimeoutMs: fields.whole('connectTimeoutMs', 10_000),
  };
}

export type MysqlConfig = ServerConfig<ReturnType<typeof parse>>;

export const config: ConfigParser = {
  parse,
  describe(parsed) {
    const { host, port, database, user, ssl, cert, sessionSettings } = parsed as MysqlConfig;
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
  readOnly: readOnlyAccess,
  grants: (parsed) => grants(parsed as MysqlConfig),
};

/** What MySQL's own clients, MariaDB's and JDBC call the modes. */
const urlModes: Readonly<Record<string, MysqlConfig['ssl']>> = {
  false: 'disable',
  disabled: 'disable',
  disable: 'disable',
  true: 'require',
  required: 'require',
  require: 'require',
  trust: 'require',
  verify_identity: 'verify-full',
  'verify-full': 'verify-full',
};

/**
 * mysql://user:password@host:port/database?ssl-mode=…&socket=…; percent-encoding as usual. mysql2 and the connector say
 * socketPath.
 */
function fromUrl(value: unknown) {
  if (value === undefined) return {};
  const url = readUrl(descriptor.label, ['mysql', 'mariadb'], value, 'mysql://user:password@host:3306/database');
  const { host, port, user, password, path, parameters } = url;
  refuseOthers(descriptor.label, url, [
    ...['socket', 'socketPath', 'ssl', 'ssl-mode', 'sslMode', 'sslmode', 'ssl-ca', 'ssl-cert', 'ssl-key'],
  ]);
  const mode = parameters['ssl-mode'] ?? parameters.sslMode ?? parameters.sslmode ?? parameters.ssl;
  return given({
    host: parameters.socket ?? parameters.socketPath ?? host,
    port,
    user,
    password,
    database: path,
    ssl: mode && (urlModes[mode.toLowerCase()] ?? mode),
    ca: parameters['ssl-ca'],
    cert: parameters['ssl-cert'],
    key: parameters['ssl-key'],
  });
}

/** The server's own databases hold no tables of users. */
function databaseName(name: string): string {
  if (['mysql', 'information_schema', 'performance_schema', 'sys'].includes(name.toLowerCase()))
    throw new DynoError('badInput', `database: "${name}" is the server’s own.`, {
      hint: 'Leave it out: it is dyno then.',
    });
  if (name.length > 64) throw new DynoError('badInput', 'database: a name has 64 characters at most.');
  return name;
}
