import { expect, test } from 'vitest';
import {
  canary,
  leak,
  testRefusals,
  testSilenceOnPasswords,
  testThroughEmulator,
} from '../conformance/config-refusal.fixture.ts';
import { config } from './config.ts';

test('fields have defaults, but for the database', () => {
  expect(config.parse({ database: 'dyno' })).toEqual({
    host: 'localhost',
    port: 1527,
    database: 'dyno',
    user: 'APP',
    password: null,
    diagnosticsUser: null,
    diagnosticsPassword: null,
    dialect: 'auto',
    security: 'auto',
    ssl: 'disable',
    ca: null,
    connectTimeoutMs: 10_000,
  });
});

test('a URL fills the fields, and fields given as well win', () => {
  const url = `drda://app:${encodeURIComponent(canary)}@db.example:1600/sales?dialect=sqlfire&security=substitute&ssl=require`;
  expect(config.parse({ url, port: 7000 })).toMatchObject({
    host: 'db.example',
    port: 7000,
    database: 'sales',
    user: 'app',
    password: canary,
    dialect: 'sqlfire',
    security: 'substitute',
    ssl: 'require',
  });
  expect(config.parse({ url: 'drda://u@[::1]/d' })).toMatchObject({ host: '::1', port: 1527 });
});

test('the description holds no secret, and says loudly how sessions begin', () => {
  const parsed = config.parse({ database: 'd', password: canary });
  const shown = JSON.stringify([config.describe(parsed), config.grants(parsed)]);
  expect(shown).not.toMatch(leak);
  expect(config.describe(parsed).details.isolation).toContain('rollback undoes nothing');
  expect(config.describe(config.parse({ database: 'd', dialect: 'derby' })).details.isolation).toBeUndefined();
});

test('rights are said in the language of the products that the server may be', () => {
  const script = (dialect: string) => config.grants(config.parse({ database: 'd', user: 'bench', dialect }));
  expect(script('derby')).toContain('CREATE SCHEMA DYNO AUTHORIZATION BENCH');
  expect(script('derby')).not.toContain('SYS.CREATE_USER');
  expect(script('sqlfire')).not.toContain('SYSCS_CHECKPOINT_DATABASE');
  expect(script('auto')).toContain('SYS.CREATE_USER');
  expect(script('auto')).toContain('SYSCS_CHECKPOINT_DATABASE');
  expect(config.grants(config.parse({ database: 'd', user: 'odd "name"' }))).toContain('AUTHORIZATION "odd ""name"""');
});

testRefusals(config, [
  [{}, 'database is missing'],
  [{ database: 'd', prot: 1 }, '"prot"'],
  [{ database: 'd', port: '1527' }, 'port'],
  [{ database: 'd', port: 0 }, '65535'],
  [{ database: 'd', dialect: 'db2' }, 'sqlfire'],
  [{ database: 'd', security: 'kerberos' }, 'substitute'],
  [{ database: 'd', ssl: 'prefer' }, 'verify-full'],
  [{ url: 'jdbc:derby:shop' }, 'no server'],
  [{ url: 'drda://h/d?shutdown=true' }, 'shuts the database down'],
  [{ url: 'drda://h/d;shutdown=true' }, 'semicolon'],
  [{ url: 'drda://h/d%3Bcreate=true' }, 'semicolon'],
  [{ url: 'drda://h/?database=d;upgrade=true' }, 'semicolon'],
  [{ database: 'd;restoreFrom=/backup' }, 'semicolon'],
  [{ url: 'drda://h/d?sslx=true' }, '“sslx”'],
]);

testSilenceOnPasswords(config, [
  'http://app:c4nary@host/d',
  'drda://app:c4nary%zz%20@host/d',
  'drda://app:c4n@ry/x@host/d',
  'drda://app:c4nary@host:port/d',
]);

testThroughEmulator(config, { database: 'd' }, 1_527);
