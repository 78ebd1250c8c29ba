import type { ConfigParser, EngineConfig } from '#engine-api/config.ts';
import { type FieldReader, readFields } from '#engine-api/config-fields.ts';
import { valuesOfUrl } from '#engine-api/connection-strings/reading.ts';
import { DynoError } from '#model/error.ts';
import { type ServerConfig, settingDetails, settingsNamed } from '../shared/server-config.ts';
import { pem, tlsModeFor } from '../shared/tls.ts';
import { authentications, fields as configFields, encryptions } from './config-fields.ts';
import { connectionStrings, urlForm } from './connection/connection-strings.ts';
import { greeting } from './connection/greeting.ts';
import { descriptor } from './descriptor.ts';
import { grants } from './grants.ts';

type Authentication = (typeof authentications)[number];

function parse(raw: EngineConfig) {
  const fields = readFields(descriptor.label, configFields, {
    ...valuesOfUrl(urlForm, connectionStrings.read, raw.url),
    ...raw,
  });
  const instance = fields.text('instance');
  const domain = fields.text('domain');
  const authentication = fields.choice('authentication', authentications, domain === null ? 'sql' : 'ntlm');
  for (const name of required[authentication] ?? [])
    if (fields.text(name) === null)
      throw new DynoError('badInput', `${name} is missing.`, {
        hint: `authentication: ${authentication} needs ${(required[authentication] ?? []).join(', ')}.`,
      });
  return {
    host: fields.text('host') ?? 'localhost',
    /** Null: the Browser is asked for the port of a named instance. */
    port: portOf(fields, raw, instance),
    instance,
    /** Null: the login's default database. */
    database: fields.text('database'),
    authentication,
    user: fields.text('user') ?? 'sa',
    password: fields.text('password'),
    domain,
    tenantId: fields.text('tenantId'),
    clientId: fields.text('clientId'),
    clientSecret: fields.text('clientSecret'),
    token: fields.text('token'),
    encrypt: fields.choice('encrypt', encryptions, 'true'),
    trustServerCertificate: fields.flag('trustServerCertificate', false),
    /** PEM text or the path of a PEM file. */
    ca: fields.text('ca'),
    serverName: fields.text('serverName'),
    multiSubnetFailover: fields.flag('multiSubnetFailover', false),
    readOnlyIntent: fields.flag('readOnlyIntent', false),
    sessionSettings: settings(fields.map('sessionSettings')),
    connectTimeoutMs: fields.whole('connectTimeoutMs', 15_000),
  };
}

export type SqlServerConfig = ServerConfig<ReturnType<typeof parse>>;

export const config: ConfigParser = {
  connectionStrings,
  parse,
  describe(parsed) {
    const { user, domain, authentication, encrypt, trustServerCertificate, sessionSettings } =
      parsed as SqlServerConfig;
    return {
      address: address(parsed as SqlServerConfig),
      details: {
        user: domain === null ? user : `${domain}\\${user}`,
        authentication,
        encrypt: encrypt === 'true' && trustServerCertificate ? 'true, certificate not checked' : encrypt,
        ...settingDetails('SET', sessionSettings),
      },
    };
  },
  endpoints(parsed) {
    const { host, port } = parsed as SqlServerConfig;
    return [{ host, port }];
  },
  greeting,
  through: (parsed, elsewhere) => {
    const { host, port, instance } = parsed as SqlServerConfig;
    if (port === null)
      throw new DynoError('unsupported', `The driver looks up the port of the instance ${instance} by itself.`, {
        hint: 'Give the target its port instead of the instance, so that a network emulator, SSH tunnel or SOCKS proxy can lead to it.',
      });
    return { ...parsed, via: elsewhere({ host, port }) };
  },
  withTls(parsed, on) {
    const { encrypt, ca } = parsed as SqlServerConfig;
    const mode = tlsModeFor(encrypt === 'false' ? 'disable' : 'verify-full', on);
    if (mode === 'disable') return parsed;
    return { ...parsed, encrypt: encrypt === 'false' ? 'true' : encrypt, ca: ca === null ? ca : pem('ca', ca) };
  },
  grants: (parsed) => grants(parsed as SqlServerConfig),
};

function address({ host, port, instance, database }: SqlServerConfig): string {
  const server = instance === null ? `${host}:${port}` : `${host}\\${instance}`;
  return database === null ? server : `${server}/${database}`;
}

/** The keys that a login method needs. */
const required: { readonly [A in Authentication]?: readonly string[] } = {
  ntlm: ['domain', 'user', 'password'],
  'azure-active-directory-password': ['user', 'password', 'clientId'],
  'azure-active-directory-access-token': ['token'],
  'azure-active-directory-service-principal-secret': ['clientId', 'clientSecret', 'tenantId'],
};

function portOf(fields: FieldReader, raw: Readonly<Record<string, unknown>>, instance: string | null): number | null {
  if (instance === null) return fields.whole('port', 1_433);
  if ((raw.port ?? null) !== null)
    throw new DynoError('badInput', 'port and instance exclude each other.', {
      hint: 'Give the port, or the name of the instance whose port the SQL Server Browser knows.',
    });
  return null;
}

/** YAML writes true and false for T-SQL's ON and OFF. */
export const setWord = (value: string): string => (value === 'true' ? 'ON' : value === 'false' ? 'OFF' : value);

function settings(map: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const named = settingsNamed(/^[a-z_]+( [a-z_]+){0,3}$/i, map);
  const entries = Object.entries(named).map(([name, value]) => {
    if (!/^-?\w+( \w+)?$/.test(value))
      throw new DynoError('badInput', `sessionSettings.${name} is not a value that SET takes.`);
    return [name, setWord(value)];
  });
  return Object.fromEntries(entries);
}
