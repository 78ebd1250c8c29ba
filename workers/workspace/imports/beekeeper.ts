import { isMapping } from '#model/is-mapping.ts';
import { type Found, noEngine, type Rule, takeOver, tlsOf } from './found.ts';
import { readMapping, textIn } from './json.ts';
import { sshOf } from './ssh-of.ts';
import { urlConnection } from './urls.ts';

type Mapping = Readonly<Record<string, unknown>>;

const engines: Readonly<Record<string, string>> = {
  postgresql: 'postgres',
  psql: 'postgres',
  mysql: 'mysql',
  mariadb: 'mysql',
  sqlserver: 'sqlserver',
  oracle: 'oracle',
  mongodb: 'mongodb',
};

const rules: Readonly<Record<string, Rule>> = {
  host: 'host',
  port: 'port',
  username: 'user',
  password: 'password',
  defaultDatabase: 'database',
  TLS: tlsOf,
  encrypt: 'encrypt',
  tls: 'tls',
  sslCaFile: 'ca',
  sslCertFile: 'cert',
  sslKeyFile: 'key',
  domain: 'domain',
  trustServerCertificate: 'trustServerCertificate',
  serviceName: 'serviceName',
};

/** Keys that say something about one engine alone. */
const keysOf: Readonly<Record<string, readonly string[]>> = {
  postgres: ['defaultDatabase', 'TLS', 'sslCaFile', 'sslCertFile', 'sslKeyFile'],
  mysql: ['defaultDatabase', 'TLS', 'sslCaFile', 'sslCertFile', 'sslKeyFile'],
  sqlserver: ['defaultDatabase', 'domain', 'encrypt', 'trustServerCertificate'],
  oracle: ['serviceName'],
  mongodb: ['defaultDatabase', 'tls'],
};

/** Exported connections: a list of them, alone or under any key, by the names of Beekeeper Studio's own fields. */
export function beekeeperConnections(text: string): readonly Found[] {
  const lists = Object.values(readMapping(text)).filter(Array.isArray);
  return lists.flat().filter(isMapping).filter(isConnection).map(connectionOf);
}

const isConnection = (one: Mapping): boolean => textIn(one, 'connectionType') !== '';

function connectionOf(one: Mapping): Found {
  const type = textIn(one, 'connectionType');
  const name = textIn(one, 'name') || textIn(one, 'host');
  const engine = Object.hasOwn(engines, type) ? engines[type] : undefined;
  if (engine === undefined) return noEngine(name, type);
  // The whole address stands in the URL of some connections.
  if (engine === 'mongodb' && textIn(one, 'url') !== '') return urlConnection(textIn(one, 'url'), name);
  const isOn = (key: string) => ['true', '1'].includes(textIn(one, key));
  const socket = isOn('socketPathEnabled') ? textIn(one, 'socketPath') : '';
  const given: Readonly<Record<string, string>> = {
    host: socket || textIn(one, 'host'),
    port: textIn(one, 'port'),
    TLS: !isOn('ssl')
      ? ''
      : textIn(one, 'sslCaFile') !== '' && isOn('sslRejectUnauthorized')
        ? 'verify-full'
        : 'require',
    tls: isOn('ssl') ? 'require' : '',
    encrypt: isOn('ssl') ? 'true' : '',
  };
  const keys = ['host', 'port', 'username', 'password', ...(keysOf[engine] ?? [])];
  const found = takeOver(
    name,
    engine,
    keys.map((key) => [key, given[key] ?? textIn(one, key)] as const),
    rules,
  );
  const ssh = isOn('sshEnabled') ? sshIn(one) : undefined;
  const asks = found.passwords.password === undefined && textIn(one, 'username') !== '';
  return {
    ...found,
    passwords: asks ? { ...found.passwords, password: null } : found.passwords,
    ...(ssh && { ssh }),
  };
}

function sshIn(one: Mapping) {
  const bastion = textIn(one, 'sshBastionHost');
  const user = textIn(one, 'sshBastionUsername');
  return sshOf({
    host: textIn(one, 'sshHost'),
    port: textIn(one, 'sshPort'),
    user: textIn(one, 'sshUsername'),
    identityFile: textIn(one, 'sshMode') === 'keyfile' ? textIn(one, 'sshKeyfile') : '',
    jump: bastion === '' ? '' : `${user === '' ? '' : `${user}@`}${bastion}`,
  });
}
