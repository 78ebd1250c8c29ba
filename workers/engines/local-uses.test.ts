import { expect, test } from 'vitest';
import { localUsesOf } from '#engine-api/local-use.ts';
import { catalog, findEngine } from './catalog.ts';

/** `field: kind`, for each use that a target's values make of this machine. */
function usesOf(engine: string, values: Readonly<Record<string, unknown>>): readonly string[] {
  const { descriptor, config } = findEngine(engine)!;
  return localUsesOf(descriptor.config, config, values).map(({ field, kind }) => `${field}: ${kind}`);
}

/** Words in names and helps of fields that take a path, a library, or a login of this machine. */
const smells =
  /\b(file|path|folder|socket|libraries|wallet|ticket|kerberos|token|managed identity|certificate)\b|file|dir$|path|cert(?!ificate\b)|wallet|location|authentication$|mechanism/i;
/** Fields with one of these words that name nothing of this machine, by their engine. */
const harmless: Readonly<Record<string, readonly string[]>> = {
  postgres: ['ssl'],
  mysql: ['ssl'],
  drda: ['database', 'security', 'ssl'],
  sqlserver: ['clientId', 'trustServerCertificate', 'serverName'],
  oracle: ['protocol', 'serverDnMatch'],
  mongodb: ['tls'],
  ravendb: ['url', 'verifyServer'],
  sqlite: ['journalMode'],
};

test.each(catalog.map((entry) => [entry.descriptor.id, entry] as const))(
  'fields of %s that seem to name something of this machine say what',
  (id, { descriptor }) => {
    const silent = descriptor.config
      .filter(({ kind, localUse }) => localUse === 'plain' && kind !== 'password' && kind !== 'number')
      .filter(({ name, label, help = '' }) => smells.test(`${name} ${label} ${help}`))
      .map(({ name }) => name);
    expect(silent).toEqual(harmless[id] ?? []);
  },
);

test('the uses of all fields', () => {
  const all = catalog.flatMap(({ descriptor }) =>
    descriptor.config.flatMap(({ name, localUse }) =>
      localUse === 'plain' ? [] : [`${descriptor.id}.${name} ${[...new Set(localUse.map(({ kind }) => kind))].join()}`],
    ),
  );
  expect(all.toSorted()).toEqual([
    ...['drda.ca file'],
    ...['mongodb.authMechanism identity', 'mongodb.host identity', 'mongodb.tlsCAFile file'],
    ...['mongodb.tlsCertificateKeyFile file', 'mongodb.uriOptions identity,file'],
    ...['mysql.ca file', 'mysql.cert file', 'mysql.host identity', 'mysql.key file'],
    ...['oracle.connectString file', 'oracle.libDir code', 'oracle.mode code', 'oracle.walletLocation file'],
    ...['postgres.ca file', 'postgres.cert file', 'postgres.host identity', 'postgres.kerberos identity'],
    ...['postgres.key file', 'ravendb.ca file', 'ravendb.certificate file', 'sqlite.file file'],
    ...['sqlite.path file', 'sqlserver.authentication identity', 'sqlserver.ca file'],
  ]);
});

test.each<readonly [string, Readonly<Record<string, unknown>>, readonly string[]]>([
  ['oracle', { user: 'u', mode: 'thick' }, ['mode: code']],
  ['oracle', { user: 'u', mode: 'THICK', libDir: '/x' }, ['mode: code', 'libDir: code']],
  ['oracle', { user: 'u', mode: 'thin', serviceName: 's' }, []],
  ['oracle', { url: 'oracle://u@h/s?mode=thick&libDir=/x' }, ['mode: code', 'libDir: code']],
  ['oracle', { url: 'oracle://u@h/s?LIBDIR=%2Fx' }, ['libDir: code']],
  ['oracle', { url: 'oracle+oracledb://u@h/s?lib_dir=/x' }, ['libDir: code']],
  ['oracle', { user: 'u', connectString: 'tcps://db/sales?wallet_location=/w' }, ['connectString: file']],
  ['oracle', { user: 'u', connectString: 'sales' }, ['connectString: file']],
  ['oracle', { user: 'u', connectString: 'db:1521/sales' }, []],
  ['oracle', { url: 'jdbc:oracle:thin:@tcps://db:2484/s?wallet_location=/w' }, ['connectString: file']],
  ['mongodb', { host: 'h', authMechanism: 'mongodb-oidc' }, ['authMechanism: identity']],
  [
    'mongodb',
    { url: 'mongodb://h/?authMechanism=MONGODB-OIDC&authMechanismProperties=ENVIRONMENT:k8s' },
    ['authMechanism: identity', 'uriOptions.authMechanismProperties: identity'],
  ],
  ['mongodb', { url: 'mongodb://h/?AUTHMECHANISM=MONGODB-%4FIDC' }, ['authMechanism: identity']],
  ['mongodb', { url: 'mongodb://h/?authM%65chanism=GSSAPI' }, ['authMechanism: identity']],
  ['mongodb', { url: 'mongodb+srv://h/?authMechanism=MONGODB-AWS' }, ['authMechanism: identity']],
  ['mongodb', { url: 'mongodb://%2Frun%2Fmongodb.sock' }, ['host: identity']],
  ['mongodb', { host: 'a, /run/mongodb.sock ,b' }, ['host: identity']],
  ['mongodb', { url: 'mongodb://h/?tls=true&tlsCAFile=/dev/zero' }, ['tlsCAFile: file']],
  [
    'mongodb',
    { url: 'mongodb://h/?tls=true&sslCertificateAuthorityFile=/x&tlscrlfile=/y' },
    ['tlsCAFile: file', 'uriOptions.tlscrlfile: file'],
  ],
  [
    'mongodb',
    { uriOptions: { AuthMechanismProperties: 'ENVIRONMENT:azure' } },
    ['uriOptions.AuthMechanismProperties: identity'],
  ],
  ['mongodb', { authMechanism: 'SCRAM-SHA-256', uriOptions: { zlibCompressionLevel: 3 } }, []],
  ['sqlserver', { authentication: 'Azure-Active-Directory-Default' }, ['authentication: identity']],
  ['sqlserver', { authentication: 'azure-active-directory-msi-vm' }, ['authentication: identity']],
  ['sqlserver', { authentication: 'azure-active-directory-password' }, []],
  [
    'sqlserver',
    { url: 'mssql://h?authentication=azure-active-directory-msi-app-service' },
    ['authentication: identity'],
  ],
  [
    'sqlserver',
    { url: 'jdbc:sqlserver://h:1433;authentication=ActiveDirectoryManagedIdentity' },
    ['authentication: identity'],
  ],
  [
    'sqlserver',
    { url: 'Server=tcp:h,1433;Authentication=Active Directory Default;Encrypt=true' },
    ['authentication: identity'],
  ],
  [
    'sqlserver',
    { url: 'Driver={ODBC Driver 18 for SQL Server};Server=h;Authentication=ActiveDirectoryMsi' },
    ['authentication: identity'],
  ],
  ['postgres', { host: '/run/postgresql' }, ['host: identity']],
  ['postgres', { url: 'postgres://%2Frun%2Fpostgresql/d' }, ['host: identity']],
  ['postgres', { url: 'host=/run/postgresql dbname=d' }, ['host: identity']],
  ['postgres', { url: 'postgres://h/d?kerberos=true' }, ['kerberos: identity']],
  ['postgres', { kerberos: false, host: 'h' }, []],
  [
    'postgres',
    { url: 'postgres://h/d?sslmode=verify-full&sslrootcert=/a&sslcert=/b&sslkey=/c' },
    ['ca: file', 'cert: file', 'key: file'],
  ],
  ['mysql', { url: 'mysql://h/d?socket=/run/mysqld/mysqld.sock' }, ['host: identity']],
  ['mysql', { ca: '-----BEGIN CERTIFICATE-----' }, []],
  ['mysql', { ca: '/dev/zero' }, ['ca: file']],
  ['ravendb', { url: 'https://h/d?certificate=%2Fdev%2Fzero' }, ['certificate: file']],
  ['drda', { ca: '/x' }, ['ca: file']],
  ['sqlite', { path: '/x' }, ['path: file']],
])('%s %j', (engine, values, expected) => {
  expect(usesOf(engine, values)).toEqual(expected);
});

test('what a variable may become, and what has another form than the field, counts as the use', () => {
  /* biome-ignore-start lint/suspicious/noTemplateCurlyInString: how experiment files write it */
  expect(usesOf('oracle', { mode: '${env:MODE}' })).toEqual(['mode: code']);
  expect(usesOf('sqlserver', { authentication: '${env:A}' })).toEqual(['authentication: identity']);
  expect(usesOf('mongodb', { url: '${env:URL}' })).toEqual(['url: code']);
  expect(usesOf('oracle', { url: 'oracle://u@h/s?lib${env:NOTHING}Dir=/x' })).toContain('url: code');
  expect(usesOf('postgres', { url: 'postgres://u:${env:PW}@h/d' })).toEqual([]);
  /* biome-ignore-end lint/suspicious/noTemplateCurlyInString: how experiment files write it */
  expect(usesOf('oracle', { mode: ['thick'] })).toEqual(['mode: code']);
  expect(usesOf('mongodb', { uriOptions: 'x' })).toEqual(['uriOptions: identity', 'uriOptions: file']);
});

test.each([
  'authMech%61nism',
  'a=1&tlsCAFile',
  'proxyHost',
  'mongodbLogPath',
  'srvAllowedHostsSuffix',
  'tls CAFile',
  'autoEncryption',
])('MongoDB’s driver gets no option %j from a target', (name) => {
  const { parse } = findEngine('mongodb')!.config;
  expect(() => parse({ uriOptions: { [name]: 'x' } })).toThrow(/uriOptions/);
  expect(() => parse({ url: `mongodb://h/?${encodeURIComponent(name)}=x` })).toThrow();
});
