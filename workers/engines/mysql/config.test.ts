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
    port: 3306,
    database: null,
    user: 'root',
    password: null,
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
  const url = `mysql://app:${encodeURIComponent(canary)}@db.example:6543/sales?ssl-mode=REQUIRED`;
  expect(config.parse({ url, port: 7000 })).toMatchObject({
    host: 'db.example',
    port: 7000,
    database: 'sales',
    user: 'app',
    password: canary,
    ssl: 'require',
  });
  expect(config.parse({ url: 'mariadb://u@[::1]/d?sslMode=verify-full' })).toMatchObject({
    host: '::1',
    port: 3306,
    ssl: 'verify-full',
  });
});

test.each([
  'mysql:///d?socket=/run/mysqld/mysqld.sock',
  'mysql:///d?socketPath=/run/mysqld/mysqld.sock',
  'mysql://%2Frun%2Fmysqld%2Fmysqld.sock/d',
])('a Unix socket in a URL: %s', (url) => {
  expect(config.parse({ url })).toMatchObject({ host: '/run/mysqld/mysqld.sock', database: 'd' });
});

test('a client certificate in a URL, as MySQL has it', () => {
  const url = 'mysql://h/d?ssl-mode=VERIFY_IDENTITY&ssl-ca=a.pem&ssl-cert=c.pem&ssl-key=k.pem';
  expect(config.parse({ url })).toMatchObject({ ssl: 'verify-full', ca: 'a.pem', cert: 'c.pem', key: 'k.pem' });
});

test('a Unix socket needs no network', () => {
  const parsed = config.parse({ host: '/run/mysqld/mysqld.sock' });
  expect(config.endpoints(parsed)).toEqual([]);
  expect(config.describe(parsed).address).toBe('/run/mysqld/mysqld.sock dyno');
  expect(config.socketFile!(parsed)).toBe('/run/mysqld/mysqld.sock');
  expect(config.socketFile!(config.parse({ host: 'db' }))).toBeNull();
  expect(config.endpoints(config.parse({ host: 'db' }))).toEqual([{ host: 'db', port: 3306 }]);
});

test.each(['ssl=true', 'ssl-mode=REQUIRED', 'sslMode=trust', 'useSSL=true', 'ssl-mode=PREFERRED'])(
  'a URL with %s asks for TLS',
  (parameter) => {
    expect(config.parse({ url: `mysql://h/d?${parameter}` }).ssl).toBe('require');
  },
);

test('the description and the grants hold no secret', () => {
  const parsed = config.parse({ password: canary, user: 'bench', database: 'my_db', sessionSettings: { x: 'OFF' } });
  const shown = JSON.stringify(config.describe(parsed));
  expect(shown + config.grants(parsed)).not.toMatch(leak);
  expect(shown).toContain('"SET x":"OFF"');
});

test('grants name the user and exactly the database', () => {
  const script = config.grants(config.parse({ user: "be`n'ch", database: 'my_db' })) ?? '';
  expect(script).toContain("CREATE USER IF NOT EXISTS `be``n'ch`@'%'");
  expect(script).toContain('ON `my\\_db`.* TO');
  expect(script).toContain('DROP DATABASE `my_db`');
});

testRefusals(config, [
  [{ prot: 1 }, '"prot"'],
  [{ port: '3306' }, 'port'],
  [{ port: 0 }, '65535'],
  [{ ssl: 'prefer' }, 'verify-full'],
  [{ cert: 'c.pem', ssl: 'require' }, 'key is missing'],
  [{ cert: 'c.pem', key: 'k.pem' }, 'ssl is disable'],
  [{ url: 'postgres://x' }, 'mysql://'],
  [{ url: 'mysql://h/d?ssl-mode=SOMEHOW' }, 'TLS mode'],
  [{ url: 'mysql://h/d?useSLS=true' }, '“useSLS”'],
  [{ database: 'mysql' }, 'server’s own'],
  [{ database: 'x'.repeat(65) }, '64'],
  [{ sessionSettings: { 'a; DROP': 1 } }, 'a; DROP'],
  [{ sessionSettings: ['x'] }, 'map'],
  [{ connectTimeoutMs: -1 }, 'connectTimeoutMs'],
]);

testSilenceOnPasswords(config, [
  'http://app:c4nary@host',
  'mysql://app:c4nary%zz%20@host/d',
  'mysql://app:c4n@ry/x@host/d',
  'mysql://app:c4nary@host:port/d',
]);

testThroughEmulator(config, {}, 3_306);

test.each([
  [{ host: 'db.example', password: 'p' }, true],
  [{ host: 'db.example', password: 'p', ssl: 'require' }, false],
  [{ host: 'localhost', password: 'p' }, false],
  [{ host: '/run/mysqld/mysqld.sock', password: 'p' }, false],
  [{ host: 'db.example' }, false],
])('warns of a password that somebody in between could learn: %j', (raw, isUnsafe) => {
  const warning = config.warning?.(config.parse(raw)) ?? null;
  expect(warning === null ? null : warning.includes('allowPublicKeyRetrieval')).toBe(isUnsafe ? true : null);
});
