import { expect, test } from 'vitest';
import {
  canary,
  leak,
  testRefusals,
  testSilenceOnPasswords,
  testThroughEmulator,
} from '../conformance/config-refusal.fixture.ts';
import { config } from './config.ts';

test('fields have defaults', () => {
  expect(config.parse({})).toEqual({
    host: 'localhost',
    port: 5432,
    database: 'postgres',
    user: 'postgres',
    password: null,
    kerberos: false,
    ssl: 'disable',
    ca: null,
    cert: null,
    key: null,
    keyPassword: null,
    sessionSettings: {},
    connectTimeoutMs: 10_000,
  });
});

test('a URL fills the fields, and fields given as well win', () => {
  const url = `postgresql://app:${encodeURIComponent(canary)}@db.example:6543/sales?sslmode=require`;
  expect(config.parse({ url, port: 7000 })).toMatchObject({
    host: 'db.example',
    port: 7000,
    database: 'sales',
    user: 'app',
    password: canary,
    ssl: 'require',
  });
  expect(config.parse({ url: 'postgres://u@[::1]/d' })).toMatchObject({ host: '::1', port: 5432 });
});

test.each(['postgres:///d?host=/run/postgresql&port=5433', 'postgres://%2Frun%2Fpostgresql:5433/d'])(
  'a Unix socket in a URL, as libpq has it: %s',
  (url) => {
    const parsed = config.parse({ url });
    expect(parsed).toMatchObject({ host: '/run/postgresql', port: 5433, database: 'd' });
    expect(config.endpoints(parsed)).toEqual([]);
    expect(config.socketFile!(parsed)).toBe('/run/postgresql/.s.PGSQL.5433');
    expect(config.socketFile!(config.parse({ host: 'h' }))).toBeNull();
  },
);

test('a client certificate in a URL, as libpq has it', () => {
  const url = 'postgres://h/d?sslmode=require&sslcert=c.pem&sslkey=k.pem';
  expect(config.parse({ url })).toMatchObject({ cert: 'c.pem', key: 'k.pem', keyPassword: null });
});

test('the description holds no secret', () => {
  const shown = JSON.stringify(
    config.describe(config.parse({ password: canary, sessionSettings: { synchronous_commit: 'off' } })),
  );
  expect(shown).not.toMatch(leak);
  expect(shown).toContain('"SET synchronous_commit":"off"');
});

testRefusals(config, [
  [{ prot: 1 }, '"prot"'],
  [{ port: '5432' }, 'port'],
  [{ port: 0 }, '65535'],
  [{ ssl: 'prefer' }, 'verify-full'],
  [{ cert: 'c.pem', ssl: 'require' }, 'key is missing'],
  [{ key: 'k.pem', ssl: 'require' }, 'cert is missing'],
  [{ cert: 'c.pem', key: 'k.pem' }, 'ssl is disable'],
  [{ cert: 'c.pem', key: '-----BEGIN PRIVATE KEY-----', ssl: 'require' }, 'path of a file'],
  [{ keyPassword: 'x' }, 'none is given'],
  [{ host: '/run/postgresql', ssl: 'verify-full' }, 'no TLS over Unix sockets'],
  [{ url: 'postgres:///d?host=/run&port=x' }, 'port'],
  [{ url: 'mysql://x' }, 'postgres://'],
  [{ sessionSettings: { 'a; DROP': 1 } }, 'a; DROP'],
  [{ sessionSettings: ['x'] }, 'map'],
  [{ connectTimeoutMs: -1 }, 'connectTimeoutMs'],
]);

testSilenceOnPasswords(config, [
  'http://app:c4nary@host',
  'postgres://app:c4nary%zz%20@host/d',
  'postgres://app:c4n@ry/x@host/d',
  'postgres://app:c4nary@host:port/d',
]);

testThroughEmulator(config, {}, 5_432);
