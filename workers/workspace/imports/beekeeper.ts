import type { Parameter } from '#engine-api/connection-strings/connection-strings.ts';
import { isMapping } from '#model/is-mapping.ts';
import { type Found, noEngine, takeOver, withMark } from './found.ts';
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

/** TLS settings under the names of each engine's libraries; `checks`: the certificate is verified. */
const tlsOf: Readonly<Record<string, (checks: boolean) => readonly Parameter[]>> = {
  postgres: (checks) => [['sslmode', checks ? 'verify-full' : 'require']],
  mysql: (checks) => [['ssl-mode', checks ? 'verify-identity' : 'required']],
  sqlserver: (checks) => [
    ['encrypt', 'true'],
    ['trustServerCertificate', String(!checks)],
  ],
  oracle: () => [['protocol', 'tcps']],
  mongodb: (checks) => [
    ['tls', 'true'],
    ['tlsAllowInvalidCertificates', String(!checks)],
  ],
};

/** Beekeeper Studio's keys by the names that each engine's libraries have for them. */
const keysOf: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  postgres: { defaultDatabase: 'dbname', sslCaFile: 'sslrootcert', sslCertFile: 'sslcert', sslKeyFile: 'sslkey' },
  mysql: { defaultDatabase: 'database', sslCaFile: 'ssl-ca', sslCertFile: 'ssl-cert', sslKeyFile: 'ssl-key' },
  sqlserver: { defaultDatabase: 'database', domain: 'domain', sslCaFile: 'ca' },
  oracle: { serviceName: 'serviceName' },
  mongodb: { sslCaFile: 'tlsCAFile', sslCertFile: 'tlsCertificateKeyFile' },
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
  const isOn = (key: string) => ['true', '1'].includes(textIn(one, key));
  const mark = isOn('readOnlyMode') ? 'readOnly' : null;
  const ssh = isOn('sshEnabled') ? sshIn(one) : undefined;
  const url = engine === 'mongodb' ? textIn(one, 'url') : '';
  // Some connections have the whole address in their URL.
  if (url !== '') return withMark({ ...urlConnection(url, name), ...(ssh && { ssh }) }, mark);
  const socket = isOn('socketPathEnabled') ? textIn(one, 'socketPath') : '';
  const found = takeOver(name, engine, [
    ['host', socket || textIn(one, 'host')],
    ['port', textIn(one, 'port')],
    ['user', textIn(one, 'username')],
    ...(engine === 'mongodb' ? [] : [['password', textIn(one, 'password')] as const]),
    ...(isOn('trustServerCertificate') && !isOn('ssl') ? [['trustServerCertificate', 'true'] as const] : []),
    ...(isOn('ssl') ? (tlsOf[engine]?.(isOn('sslRejectUnauthorized') && !isOn('trustServerCertificate')) ?? []) : []),
    ...Object.entries(keysOf[engine] ?? {}).map(([key, own]) => [own, textIn(one, key)] as const),
  ]);
  const asks = found.passwords.password === undefined && textIn(one, 'username') !== '';
  return withMark(
    {
      ...found,
      passwords: asks ? { ...found.passwords, password: null } : found.passwords,
      ...(ssh && { ssh }),
    },
    mark,
  );
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
