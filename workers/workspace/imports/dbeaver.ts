import { createDecipheriv } from 'node:crypto';
import { isMapping } from '#model/is-mapping.ts';
import { type Found, ignored, noEngine, type Rule, takeOver, tlsOf } from './found.ts';
import { mappingIn, readMapping, textIn, textsOf } from './json.ts';
import { integratedNote } from './sql-server.ts';
import { sshOf } from './ssh-of.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Beside data-sources.json, with users and passwords. */
export const credentialsFile = 'credentials-config.json';

/** The key with which every DBeaver makes its file of credentials unreadable; it keeps no secret. */
const publicKey = Buffer.from('babb4a9f774ab853c96c2d653dfe544a', 'hex');

/** The credentials by connection; empty where the file is missing, or has a master password. */
function readCredentials(bytes: Buffer | null): Mapping {
  if (bytes === null || bytes.length < 32) return {};
  try {
    const decipher = createDecipheriv('aes-128-cbc', publicKey, bytes.subarray(0, 16));
    return readMapping(Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()]).toString('utf8'));
  } catch {
    return {};
  }
}

/** By DBeaver's provider, else by its driver. */
const engines: readonly (readonly [RegExp, string])[] = [
  [/^postgresql$/, 'postgres'],
  [/^(mysql|mariadb)$/, 'mysql'],
  [/^(sqlserver|mssql)$/, 'sqlserver'],
  [/^oracle$/, 'oracle'],
  [/^mongo/, 'mongodb'],
  [/^(apache_)?derby_(server|client)$|^derby$/, 'drda'],
];

/** jdbc:postgresql://host:port/database and its like, where host and port are not written on their own. */
const jdbcUrl =
  /^jdbc:[a-z]+(?::[a-z]+)*:(?:@)?(?:\/\/)?(?<host>\[[^\]]+\]|[^:/;?@,]+)(?::(?<port>\d{1,5}))?(?:\/(?<database>[^?;]*))?/i;

/** The connections of a data-sources.json; `credentials`: the bytes of the file beside it, null: there is none. */
export function dbeaverConnections(text: string, credentials: Buffer | null): readonly Found[] {
  const known = readCredentials(credentials);
  return Object.entries(mappingIn(readMapping(text), 'connections')).flatMap(([id, one]) =>
    isMapping(one) ? [connectionOf(id, one, mappingIn(known, id))] : [],
  );
}

function connectionOf(id: string, one: Mapping, known: Mapping): Found {
  const name = textIn(one, 'name') || id;
  const [provider, driver] = [textIn(one, 'provider'), textIn(one, 'driver')];
  const engine = engines.find(([words]) => words.test(provider) || words.test(driver))?.[1];
  if (engine === undefined) return noEngine(name, provider === 'generic' ? driver : provider);
  const configuration = mappingIn(one, 'configuration');
  const login = mappingIn(known, '#connection');
  const url = textIn(configuration, 'configurationType') === 'URL' ? jdbcUrl.exec(textIn(configuration, 'url')) : null;
  const part = (key: string) => textIn(configuration, key) || (url?.groups?.[key] ?? '');
  const user = textIn(login, 'user') || textIn(configuration, 'user');
  const password = textIn(login, 'password');
  const properties = mappingIn(configuration, 'properties');
  const found = takeOver(
    name,
    engine,
    [
      ['host', part('host')],
      ['port', part('port')],
      ['database', part('database')],
      ['user', user],
      ['password', password],
      ['auth-model', textIn(configuration, 'auth-model')],
      ...textsOf(properties),
      ...Object.entries(mappingIn(configuration, 'handlers')).map(handler),
    ],
    { ...rules, ...(engine === 'oracle' && { database: oracleRule(configuration) }) },
  );
  const tunnel = mappingIn(mappingIn(configuration, 'handlers'), 'ssh_tunnel');
  const ssh = textIn(tunnel, 'enabled') === 'true' ? sshIn(tunnel, mappingIn(known, 'network/ssh_tunnel')) : undefined;
  return {
    ...found,
    passwords: password === '' && user !== '' ? { password: null } : found.passwords,
    ...(ssh && { ssh }),
  };
}

const rules: Readonly<Record<string, Rule>> = {
  host: 'host',
  port: 'port',
  database: 'database',
  user: 'user',
  password: 'password',
  sslmode: tlsOf,
  sslMode: tlsOf,
  encrypt: 'encrypt',
  trustServerCertificate: 'trustServerCertificate',
  'auth-model': (value) => (/kerberos|windows/i.test(value) ? integratedNote : {}),
  connectTimeout: ignored,
  loginTimeout: ignored,
  TLS: (mode) => (mode === '' ? {} : tlsOf(mode)),
  'no handler': ignored,
};

/** Oracle's "database" is a service or a SID. */
const oracleRule =
  (configuration: Mapping): Rule =>
  (value) => {
    const kind = textIn(mappingIn(configuration, 'provider-properties'), '@dbeaver-sid-service@');
    return { values: kind === 'SID' ? { sid: value } : { serviceName: value } };
  };

/** TLS, proxies and tunnels; the tunnel is taken over by another way. */
function handler([name, value]: readonly [string, unknown]): readonly [string, string] {
  const one = isMapping(value) ? value : {};
  if (textIn(one, 'enabled') !== 'true' || name === 'ssh_tunnel') return ['no handler', ''];
  const mode = textIn(mappingIn(one, 'properties'), 'sslMode') || textIn(mappingIn(one, 'properties'), 'ssl.mode');
  return /ssl/.test(name) ? ['TLS', mode || 'require'] : [name, ''];
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
