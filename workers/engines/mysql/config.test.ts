import { expect, test } from 'vitest';
import { DynoError } from '#contract/error.ts';
import { config } from './config.ts';

const canary = 'c4nary s3cret%';

function messageOf(raw: Record<string, unknown>): string {
  try {
    config.parse(raw);
  } catch (error) {
    if (error instanceof DynoError) return `${error.data.kind}: ${error.message} ${error.data.hint}`;
    throw error;
  }
  return 'accepted';
}

test('fields have defaults', () => {
  expect(config.parse({})).toEqual({
    host: 'localhost',
    port: 3306,
    database: 'dyno',
    user: 'root',
    password: null,
    ssl: 'disable',
    ca: null,
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
  expect(config.parse({ url: 'mysql:///d?socket=/run/mysqld/mysqld.sock' })).toMatchObject({
    host: '/run/mysqld/mysqld.sock',
  });
});

test('a Unix socket needs no network', () => {
  const parsed = config.parse({ host: '/run/mysqld/mysqld.sock' });
  expect(config.endpoints(parsed)).toEqual([]);
  expect(config.describe(parsed).address).toBe('/run/mysqld/mysqld.sock dyno');
  expect(config.endpoints(config.parse({ host: 'db' }))).toEqual([{ host: 'db', port: 3306 }]);
});

test('the description and the grants hold no secret', () => {
  const parsed = config.parse({ password: canary, user: 'bench', database: 'my_db', sessionSettings: { x: 'OFF' } });
  const shown = JSON.stringify(config.describe(parsed));
  expect(shown + config.grants(parsed)).not.toContain('c4nary');
  expect(shown).toContain('"SET x":"OFF"');
});

test('grants name the user and exactly the database', () => {
  const script = config.grants(config.parse({ user: "be`n'ch", database: 'my_db' })) ?? '';
  expect(script).toContain("CREATE USER `be``n'ch`@'%'");
  expect(script).toContain('ON `my\\_db`.* TO');
  expect(script).toContain('DROP DATABASE `my_db`');
});

test.each([
  [{ prot: 1 }, '"prot"'],
  [{ port: '3306' }, 'port'],
  [{ port: 0 }, '65535'],
  [{ ssl: 'prefer' }, 'verify-full'],
  [{ url: 'postgres://x' }, 'mysql://'],
  [{ url: 'mysql://h/d?ssl-mode=PREFERRED' }, 'verify-full'],
  [{ database: 'mysql' }, 'server’s own'],
  [{ database: 'x'.repeat(65) }, '64'],
  [{ sessionSettings: { 'a; DROP': 1 } }, 'a; DROP'],
  [{ sessionSettings: ['x'] }, 'map'],
  [{ connectTimeoutMs: -1 }, 'connectTimeoutMs'],
])('%j is refused, naming what is wrong', (raw, expected) => {
  expect(messageOf(raw)).toMatch(/^badInput/);
  expect(messageOf(raw)).toContain(expected);
});

test('no error repeats the password of a URL', () => {
  for (const url of ['http://app:c4nary@host', 'mysql://app:c4nary%zz@host/d', 'mysql://app:c4nary@host:port/d']) {
    expect(messageOf({ url })).toMatch(/^badInput/);
    expect(messageOf({ url })).not.toContain('c4nary');
  }
});
