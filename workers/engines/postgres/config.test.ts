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
    ssl: 'disable',
    ca: null,
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
  expect(config.parse({ url: 'postgres:///d?host=/run/postgresql' })).toMatchObject({ host: '/run/postgresql' });
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
  [{ url: 'mysql://x' }, 'postgres://'],
  [{ sessionSettings: { 'a; DROP': 1 } }, 'a; DROP'],
  [{ sessionSettings: ['x'] }, 'map'],
  [{ connectTimeoutMs: -1 }, 'connectTimeoutMs'],
]);

testSilenceOnPasswords(config, [
  'http://app:c4nary@host',
  'postgres://app:c4nary%zz@host/d',
  'postgres://app:c4nary@host:port/d',
]);

testThroughEmulator(config, {}, 5_432);
