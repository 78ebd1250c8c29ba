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

const noTlsOverSockets = 'PostgreSQL has no TLS over Unix sockets.';

function parse(raw: EngineConfig) {
  const fields = readFields(descriptor.label, descriptor.config, {
    ...valuesOfUrl(urlForm, connectionStrings.read, raw.url),
    ...raw,
  });
  const user = fields.text('user') ?? 'postgres';
  const host = fields.text('host') ?? 'localhost';
  const ssl = fields.choice('ssl', tlsModes, 'disable');
  // libpq would silently leave TLS out.
  if (host.startsWith('/') && ssl !== 'disable')
    throw new DynoError('badInput', `ssl: ${noTlsOverSockets}`, {
      hint: 'Leave ssl out, or name a host that is reached by TCP.',
    });
  return {
    /** A name, an address, or the path of a folder with a Unix socket. */
    host,
    port: fields.whole('port', 5_432),
    database: fields.text('database') ?? user,
    user,
    password: fields.text('password'),
    /** True: a server that asks for Kerberos gets the account's ticket. */
    kerberos: fields.flag('kerberos', false),
    ssl,
    /** PEM text or the path of a PEM file. */
    ca: fields.text('ca'),
    ...readClientCertificate(fields, ssl),
    /** YAML 1.2 reads a bare on/off as text and true/false as boolean. PostgreSQL understands both. */
    sessionSettings: settingsNamed(/^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)?$/i, fields.map('sessionSettings')),
    connectTimeoutMs: fields.whole('connectTimeoutMs', 10_000),
  };
}

export type PostgresConfig = ServerConfig<ReturnType<typeof parse>>;

export const config: ConfigParser = {
  connectionStrings,
  parse,
  describe(parsed) {
    const { host, port, database, user, ssl, cert, sessionSettings } = parsed as PostgresConfig;
    return {
      address: host.startsWith('/') ? `${socketIn(host, port)} ${database}` : `${host}:${port}/${database}`,
      details: { user, ssl, ...(cert && { certificate: cert }), ...settingDetails('SET', sessionSettings) },
    };
  },
  endpoints: endpointUnlessSocket,
  socketFile(parsed) {
    const { host, port } = parsed as PostgresConfig;
    return host.startsWith('/') ? socketIn(host, port) : null;
  },
  greeting,
  through: throughEndpoint,
  withTls(parsed, on) {
    if (on && (parsed as PostgresConfig).host.startsWith('/')) throw new DynoError('unsupported', noTlsOverSockets);
    return withSsl(parsed, on);
  },
  readOnly: readOnlyAccess,
  grants: (parsed) => grants(parsed as PostgresConfig),
};

/** The server's socket in a folder (manual, unix_socket_directories). */
export const socketIn = (folder: string, port: number): string => `${folder.replace(/\/+$/, '')}/.s.PGSQL.${port}`;
