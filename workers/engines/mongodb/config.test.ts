import { expect, test } from 'vitest';
import { canary, leak, testRefusals, testSilenceOnPasswords } from '../conformance/config-refusal.fixture.ts';
import { config, type MongoConfig } from './config.ts';
import { uriOf } from './connection/connect.ts';

test('fields have defaults', () => {
  expect(config.parse({})).toEqual({
    host: 'localhost',
    port: 27_017,
    srv: false,
    database: 'dyno',
    user: null,
    password: null,
    authSource: null,
    authMechanism: 'default',
    replicaSet: null,
    directConnection: false,
    tls: 'disable',
    tlsCAFile: null,
    tlsCertificateKeyFile: null,
    tlsCertificateKeyFilePassword: null,
    w: null,
    journal: 'default',
    wtimeoutMs: 0,
    readConcernLevel: 'default',
    readPreference: 'primary',
    retryWrites: true,
    compressors: '',
    connectTimeoutMs: 10_000,
    uriOptions: {},
  });
});

test('a URL fills the fields, and fields given as well win', () => {
  const url = `mongodb://app:${encodeURIComponent(canary)}@a.example:27018,[::1],b.example/sales?replicaSet=rs1&ssl=true&W=majority&j=true&wtimeoutMS=500&readPreference=nearest&maxStalenessSeconds=120&retryWrites=false&appName=Cluster0&maxPoolSize=50`;
  const parsed = config.parse({ url, port: 7000, database: 'bench' }) as MongoConfig;
  expect(parsed).toMatchObject({
    host: 'a.example:27018,[::1],b.example',
    port: 7000,
    database: 'bench',
    user: 'app',
    password: canary,
    authSource: 'sales',
    replicaSet: 'rs1',
    tls: 'verify-full',
    w: 'majority',
    journal: 'true',
    wtimeoutMs: 500,
    readPreference: 'nearest',
    retryWrites: false,
    uriOptions: { maxStalenessSeconds: '120' },
  });
  expect(config.endpoints(parsed)).toEqual([
    { host: 'a.example', port: 27_018 },
    { host: '::1', port: 7_000 },
    { host: 'b.example', port: 7_000 },
  ]);
  expect(config.describe(parsed).address).toBe('a.example:27018,[::1]:7000,b.example:7000/bench');
});

test.each([
  ['mongodb://h/?tls=true&tlsAllowInvalidCertificates=true', 'require'],
  ['mongodb://h/?tlsInsecure=true&tls=true', 'require'],
  ['mongodb://h/?tlsInsecure=true', 'disable'],
  ['mongodb+srv://cluster.example', 'verify-full'],
  ['mongodb+srv://cluster.example/?tls=false', 'disable'],
])('%s means tls: %s', (url, tls) => {
  expect(config.parse({ url })).toMatchObject({ tls });
});

test('a host that DNS resolves has no port of its own, and a socket no host', () => {
  expect(config.endpoints(config.parse({ url: 'mongodb+srv://cluster.example/x' }))).toEqual([
    { host: 'cluster.example', port: null },
  ]);
  const socket = config.parse({ url: 'mongodb://%2Ftmp%2Fmongodb-27017.sock' }) as MongoConfig;
  expect(config.endpoints(socket)).toEqual([]);
  expect(uriOf(socket)).toBe('mongodb://%2Ftmp%2Fmongodb-27017.sock/?');
});

test('the databases of the server itself are for users only', () => {
  expect(config.parse({ url: 'mongodb://u@h/admin' })).toMatchObject({ database: 'dyno', authSource: 'admin' });
});

test('a parsed configuration is parsed to the same again', () => {
  const parsed = config.parse({ url: 'mongodb://u:p@a,b:27018/x?w=2&zlibCompressionLevel=3' });
  expect(config.parse(parsed)).toEqual(parsed);
});

test('the connection string has what was configured, and no user', () => {
  const parsed = config.parse({
    user: 'app',
    password: canary,
    replicaSet: 'rs0',
    tls: 'require',
    w: '2',
    wtimeoutMs: 50,
    compressors: 'zlib',
    uriOptions: { zlibCompressionLevel: 3 },
  }) as MongoConfig;
  expect(uriOf(parsed)).toBe(
    'mongodb://localhost:27017/?replicaSet=rs0&tls=true&tlsAllowInvalidCertificates=true&w=2&wtimeoutMS=50&compressors=zlib&zlibCompressionLevel=3',
  );
});

test('neither the description nor the rights script holds a secret', () => {
  const parsed = config.parse({
    user: 'app',
    password: canary,
    tlsCertificateKeyFilePassword: canary,
    w: '1',
    uriOptions: { authMechanismProperties: `AWS_SESSION_TOKEN:${canary}` },
  });
  const shown = JSON.stringify([config.describe(parsed), config.grants(parsed)]);
  expect(shown).not.toMatch(leak);
  expect(shown).toContain('"w":"1"');
  expect(config.grants(parsed)).toMatch(/role: "readWrite", db: "dyno"[\s\S]*user: "app"/);
});

testRefusals(config, [
  [{ prot: 1 }, '"prot"'],
  [{ port: '27017' }, 'port'],
  [{ port: 0 }, '65535'],
  [{ tls: 'prefer' }, 'verify-full'],
  [{ url: 'mysql://x' }, 'mongodb://'],
  [{ url: 'mongodb://a:b:c' }, 'host'],
  [{ host: 'a b' }, 'host'],
  [{ host: 'a:99999' }, 'host'],
  [{ url: 'mongodb+srv://a:27017' }, 'port'],
  [{ url: 'mongodb+srv://a,b' }, 'one host'],
  [{ url: 'mongodb://h/?tls=maybe' }, 'tls'],
  [{ url: 'mongodb://h/?wtimeoutMS=soon' }, 'wtimeoutMS'],
  [{ url: 'mongodb://h/?readPreferenceTags=a:b&readPreferenceTags=' }, 'twice'],
  [{ url: 'mongodb://h/?tls=true&tls=false' }, 'twice'],
  [{ url: 'mongodb://h/?tls=true&ssl=false' }, 'twice'],
  [{ url: 'mongodb://h/?ssl=false&tls=true' }, 'twice'],
  [{ url: 'mongodb://h/?authMechanism=SCRAM-SHA-256&authMechanism=PLAIN' }, 'twice'],
  [{ url: 'mongodb://h/?tlsCAFile=/a.pem&tlscafile=/b.pem' }, 'twice'],
  [{ url: 'mongodb://h/?loadBalanced=true' }, 'loadBalanced'],
  [{ w: '0' }, 'nothing to count'],
  [{ url: 'mongodb://h/?w=0' }, 'nothing to count'],
  [{ uriOptions: { appName: 'x' } }, 'uriOptions.appName'],
  [{ uriOptions: { ReplicaSet: 'x' } }, 'key replicaSet'],
  [{ uriOptions: { j: 'true' } }, 'key journal'],
  [{ uriOptions: ['x'] }, 'map'],
  [{ connectTimeoutMs: -1 }, 'connectTimeoutMs'],
]);

testSilenceOnPasswords(config, [
  'http://app:c4nary@host',
  'mongodb://app:c4nary%zz%20@host/d',
  'mongodb://app:c4n@ry/x@host/d',
  'mongodb://app:c4nary@host:port/d',
  'mongodb://app:c4nary@host/?tls=perhaps',
]);

test('through a network emulator only the connections go elsewhere, and the driver asks nobody for other members', () => {
  const parsed = config.parse({ url: 'mongodb://db.example:27018/?replicaSet=rs0' });
  const through = config.through!(parsed, ({ host, port }) => ({ host: `emulator-of-${host}`, port: port + 1 }));
  expect(through).toEqual({ ...parsed, via: { host: 'emulator-of-db.example', port: 27019 } });
  expect(config.describe(through)).toEqual(config.describe(parsed));
  expect(uriOf(through as MongoConfig)).toMatch(
    /^mongodb:\/\/emulator-of-db\.example:27019\/\?.*directConnection=true/,
  );
});

test.each(['mongodb://a,b/?replicaSet=rs0', 'mongodb+srv://cluster.example'])(
  'no network emulator can be put before several members: %s',
  (url) => {
    expect(() => config.through!(config.parse({ url }), (endpoint) => endpoint)).toThrow(/past a network emulator/);
  },
);
