import { createDecipheriv } from 'node:crypto';
import type { Parameter } from '#engine-api/connection-strings/connection-strings.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { Socks } from '#model/socks.ts';
import { type Found, noEngine, readBy, takeOver, withMark } from './found.ts';
import { mappingIn, readMapping, textIn, textsOf } from './json.ts';
import { sshOf } from './ssh-of.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** The file beside data-sources.json with users and passwords. */
export const credentialsFile = 'credentials-config.json';

/** The key with which every DBeaver obfuscates its file of credentials; it protects no secret. */
const publicKey = Buffer.from('babb4a9f774ab853c96c2d653dfe544a', 'hex');

/** The credentials by connection; empty if the file is missing, or has a master password. */
function readCredentials(bytes: Buffer | null): Mapping {
  if (bytes === null || bytes.length < 32) return {};
  try {
    const decipher = createDecipheriv('aes-128-cbc', publicKey, bytes.subarray(0, 16));
    return readMapping(Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8'));
  } catch {
    return {};
  }
}

/** The engine by DBeaver's provider, else by its driver. */
const engines: readonly (readonly [RegExp, string])[] = [
  [/^postgresql$/, 'postgres'],
  [/^(mysql|mariadb)$/, 'mysql'],
  [/^(sqlserver|mssql)$/, 'sqlserver'],
  [/^oracle$/, 'oracle'],
  [/^mongo/, 'mongodb'],
  [/^(apache_)?derby_(server|client)$|^derby$/, 'drda'],
];

/** The connections of a data-sources.json; `credentials`: the bytes of the file beside it, or null. */
export function dbeaverConnections(text: string, credentials: Buffer | null): readonly Found[] {
  const known = readCredentials(credentials);
  const file = readMapping(text);
  const profiles = mappingIn(file, 'network-profiles');
  return Object.entries(mappingIn(file, 'connections')).flatMap(([id, one]) =>
    isMapping(one) ? [connectionOf(id, one, mappingIn(known, id), profiles)] : [],
  );
}

function connectionOf(id: string, one: Mapping, known: Mapping, profiles: Mapping): Found {
  const name = textIn(one, 'name') || id;
  const [provider, driver] = [textIn(one, 'provider'), textIn(one, 'driver')];
  const engine = engines.find(([words]) => words.test(provider) || words.test(driver))?.[1];
  if (engine === undefined) return noEngine(name, provider === 'generic' ? driver : provider);
  const configuration = mappingIn(one, 'configuration');
  const profile = textIn(configuration, 'config-profile');
  const handlers = { ...mappingIn(mappingIn(profiles, profile), 'handlers'), ...mappingIn(configuration, 'handlers') };
  const user = textIn(mappingIn(known, '#connection'), 'user') || textIn(configuration, 'user');
  const password = textIn(mappingIn(known, '#connection'), 'password') || textIn(configuration, 'password');
  const settings = [
    ...loginOf(engine, configuration),
    ...textsOf(mappingIn(configuration, 'properties')),
    ...tlsIn(engine, handlers),
    ...(user === '' ? [] : [['user', user] as const]),
    ...(password === '' ? [] : [['password', password] as const]),
  ];
  const url = textIn(configuration, 'configurationType') === 'URL' ? textIn(configuration, 'url') : '';
  const found =
    url === ''
      ? takeOver(name, engine, [...placeOf(engine, configuration), ...settings])
      : byUrl(name, engine, url, settings);
  const unknown = Object.keys(handlers).filter((key) => isOn(handlers, key) && !/ssl|ssh_tunnel|socks_proxy/.test(key));
  const ssh = isOn(handlers, 'ssh_tunnel')
    ? sshIn(mappingIn(handlers, 'ssh_tunnel'), mappingIn(known, 'network/ssh_tunnel'))
    : undefined;
  const socks = isOn(handlers, 'socks_proxy')
    ? socksIn(mappingIn(handlers, 'socks_proxy'), mappingIn(known, 'network/socks_proxy'))
    : undefined;
  const notes = [
    ...(textIn(mappingIn(configuration, 'bootstrap'), 'autocommit') === 'false'
      ? ['Not taken over: autocommit off (it is a setting of the experiment).']
      : []),
  ];
  const problem =
    unknown.length > 0
      ? `It is reached through ${unknown.map((key) => key.slice(0, 40)).join(', ')}, which Dyno does not have.`
      : profile !== '' && !Object.hasOwn(profiles, profile)
        ? 'It is reached by a network profile that is not in the file.'
        : null;
  const folder = textIn(one, 'folder').slice(0, 60).trim();
  const marks = [
    ...(textIn(one, 'read-only') === 'true' || restrictsWrites(one) ? (['readOnly'] as const) : []),
    ...(/^prod/i.test(textIn(configuration, 'type')) ? (['production'] as const) : []),
  ];
  return marks.reduce(withMark, {
    ...found,
    passwords:
      password === '' && user !== '' && found.problem === null
        ? { password: null, ...found.passwords }
        : found.passwords,
    notes: [...found.notes, ...notes],
    problem: found.problem ?? problem,
    ...(ssh && { ssh }),
    ...(socks && { socks }),
    ...(folder !== '' && { group: folder }),
  });
}

/** The connection of a URL, and the entry's other values, which take precedence. */
function byUrl(name: string, engine: string, url: string, settings: readonly Parameter[]): Found {
  return readBy(name, engine, ({ config }) => {
    const strings = config.connectionStrings;
    const read = strings?.read(url, 'asked') ?? null;
    if (!strings || !read) return null;
    const more = strings.settings(settings);
    return {
      values: { ...read.values, ...more.values },
      notes: [...read.notes, ...more.notes],
      readOnly: read.readOnly || more.readOnly,
    };
  });
}

const isOn = (handlers: Mapping, name: string): boolean => textIn(mappingIn(handlers, name), 'enabled') === 'true';

/** DBeaver can keep single connections from changing data. */
const restrictsWrites = (one: Mapping): boolean =>
  Array.isArray(one.restrictions) && one.restrictions.some((word) => /edit|import/i.test(String(word)));

/** Host, port and database; Oracle's "database" is a service, a SID or a name of tnsnames.ora. */
function placeOf(engine: string, configuration: Mapping): readonly Parameter[] {
  const kind = textIn(mappingIn(configuration, 'provider-properties'), '@dbeaver-sid-service@');
  const isAlias = /tns/i.test(textIn(mappingIn(configuration, 'provider-properties'), '@dbeaver-connection-type@'));
  const field = engine !== 'oracle' ? 'database' : isAlias ? 'connectString' : kind === 'SID' ? 'sid' : 'serviceName';
  return [
    ...(isAlias
      ? []
      : ([
          ['host', textIn(configuration, 'host')],
          ['port', textIn(configuration, 'port')],
        ] as const)),
    [field, textIn(configuration, 'database')],
  ];
}

/** The way to log in, and the schema and database that a session begins with. */
function loginOf(engine: string, configuration: Mapping): readonly Parameter[] {
  const bootstrap = mappingIn(configuration, 'bootstrap');
  const [schema, catalog] = [textIn(bootstrap, 'defaultSchema'), textIn(bootstrap, 'defaultCatalog')];
  const model = textIn(configuration, 'auth-model');
  const isIntegrated = /kerberos|windows/i.test(model);
  return [
    ...(engine === 'postgres' && schema !== '' ? [['currentSchema', schema] as const] : []),
    ...((engine === 'mysql' || engine === 'sqlserver') && catalog !== '' ? [['database', catalog] as const] : []),
    ...(isIntegrated && (engine === 'sqlserver' || engine === 'postgres' || engine === 'mysql')
      ? [['integratedSecurity', 'true'] as const]
      : []),
  ];
}

/** The engine libraries' names for the settings of DBeaver's TLS handlers. */
const tlsNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  postgres: {
    sslMode: 'sslmode',
    'ssl.mode': 'sslmode',
    'ssl.ca.cert': 'sslrootcert',
    sslRootCert: 'sslrootcert',
    'ssl.client.cert': 'sslcert',
    sslCert: 'sslcert',
    'ssl.client.key': 'sslkey',
    sslKey: 'sslkey',
  },
  mysql: {
    'ssl.require': 'requireSSL',
    'ssl.verify.server': 'verifyServerCertificate',
    'ssl.public.key.retrieve': 'allowPublicKeyRetrieval',
    'ssl.ca.cert': 'ssl-ca',
    'ssl.client.cert': 'ssl-cert',
    'ssl.client.key': 'ssl-key',
    sslMode: 'sslMode',
    'ssl.mode': 'sslMode',
  },
  sqlserver: {
    'ssl.trust.server.certificate': 'trustServerCertificate',
    trustServerCertificate: 'trustServerCertificate',
    hostNameInCertificate: 'hostNameInCertificate',
  },
  mongodb: { 'ssl.ca.cert': 'tlsCAFile', 'ssl.client.cert': 'tlsCertificateKeyFile' },
};
/** TLS is on, with default settings. */
const tlsAlone: Readonly<Record<string, readonly Parameter[]>> = {
  postgres: [['sslmode', 'require']],
  mysql: [['useSSL', 'true']],
  sqlserver: [['encrypt', 'true']],
  oracle: [['protocol', 'tcps']],
  mongodb: [['tls', 'true']],
  drda: [['ssl', 'basic']],
};

function tlsIn(engine: string, handlers: Mapping): readonly Parameter[] {
  return Object.keys(handlers)
    .filter((name) => /ssl/.test(name) && isOn(handlers, name))
    .flatMap((name) => {
      const properties = textsOf(mappingIn(mappingIn(handlers, name), 'properties')).flatMap(
        ([key, value]): Parameter[] => {
          const own = tlsNames[engine]?.[key];
          return own !== undefined && value !== '' ? [[own, value]] : [];
        },
      );
      const isSaid = properties.some(([key]) => /mode$/i.test(key));
      return [...(isSaid ? [] : (tlsAlone[engine] ?? [])), ...properties];
    });
}

function sshIn(tunnel: Mapping, login: Mapping) {
  const properties = mappingIn(tunnel, 'properties');
  return sshOf({
    host: textIn(properties, 'host'),
    port: textIn(properties, 'port'),
    user: textIn(login, 'user') || textIn(tunnel, 'user'),
    identityFile: textIn(properties, 'authType') === 'PUBLIC_KEY' ? textIn(properties, 'keyPath') : '',
  });
}

function socksIn(proxy: Mapping, login: Mapping): Socks | undefined {
  const properties = mappingIn(proxy, 'properties');
  const host = textIn(properties, 'socks-host');
  const port = textIn(properties, 'socks-port');
  const user = textIn(login, 'user') || textIn(proxy, 'user');
  return host === ''
    ? undefined
    : { host, ...(/^\d{1,5}$/.test(port) && { port: Number(port) }), ...(user !== '' && { user }) };
}
