import { expect, test } from 'vitest';
import { canary, leak, testRefusals, testSilenceOnPasswords } from '../conformance/config-refusal.fixture.ts';
import { config } from './config.ts';

test('fields have defaults', () => {
  expect(config.parse({})).toEqual({
    url: 'http://localhost:8080',
    database: 'dyno',
    certificate: null,
    certificatePassword: null,
    ca: null,
    verifyServer: true,
    connectTimeoutMs: 10_000,
  });
});

test('a URL may name the database, and a field given as well wins', () => {
  expect(config.parse({ url: 'http://a.example:8080/sales' })).toMatchObject({ database: 'sales' });
  expect(config.parse({ url: 'http://a.example:8080/databases/sales/' })).toMatchObject({ database: 'sales' });
  const parsed = config.parse({ url: 'http://a.example/sales', database: 'bench' });
  expect(parsed).toMatchObject({ url: 'http://a.example', database: 'bench' });
  expect(config.describe(parsed).address).toBe('http://a.example/bench');
});

test('nodes of a cluster are given with commas between them', () => {
  const parsed = config.parse({
    url: 'https://a.example:4430/bench, https://[::1]:8443,https://c.example',
    certificate: '/keys/bench.pfx',
  });
  expect(parsed).toMatchObject({
    url: 'https://a.example:4430,https://[::1]:8443,https://c.example',
    database: 'bench',
  });
  expect(config.endpoints(parsed)).toEqual([
    { host: 'a.example', port: 4_430 },
    { host: '::1', port: 8_443 },
    { host: 'c.example', port: 443 },
  ]);
});

test('a parsed configuration is parsed to the same again', () => {
  const parsed = config.parse({
    url: 'https://a,https://b:1/x',
    certificate: '/c.pem',
    certificatePassword: 'p',
    ca: '/ca.pem',
    verifyServer: false,
  });
  expect(config.parse(parsed)).toEqual(parsed);
});

test('neither the description nor the rights script holds a secret', () => {
  const parsed = config.parse({
    url: 'https://a.example',
    certificate: '/c.pfx',
    certificatePassword: canary,
    verifyServer: false,
  });
  const shown = JSON.stringify([config.describe(parsed), config.grants(parsed)]);
  expect(shown).not.toMatch(leak);
  expect(config.describe(parsed).details).toEqual({ certificate: '/c.pfx', verifyServer: 'false' });
  expect(config.grants(parsed)).toMatch(/"Permissions": \{\s*"dyno": "Admin"\s*\}/);
  expect(config.grants(config.parse({}))).toContain('not secured');
});

testRefusals(config, [
  [{ ulr: 1 }, '"ulr"'],
  [{ url: 'ravendb://a' }, 'https://'],
  [{ url: 'http://' }, 'host'],
  [{ url: 'http://a,https://b', certificate: '/c.pfx' }, 'mixes'],
  [{ url: 'http://a?ssl=true' }, '“ssl”'],
  [{ url: 'https://a' }, 'certificate is missing'],
  [{ url: 'http://a', certificate: '/c.pfx' }, 'https'],
  [{ certificatePassword: 'x' }, 'none is given'],
  [{ url: 'https://a', certificate: '-----BEGIN PRIVATE KEY-----' }, 'path'],
  [{ database: 'a b' }, 'database'],
  [{ database: 'System' }, 'database'],
  [{ database: '..' }, 'database'],
  [{ verifyServer: 'no' }, 'verifyServer'],
  [{ connectTimeoutMs: 0 }, 'connectTimeoutMs'],
]);

testSilenceOnPasswords(config, [
  'ftp://app:c4nary@host',
  'http://app:c4nary@host',
  'http://app:c4nary%zz@host/d',
  'http://app:c4n@ry@host/d',
  'http://app:c4nary@host:port/d',
  'http://host/d?password=c4nary',
]);

test('through a network emulator only the connections go elsewhere, those of every node', () => {
  const parsed = config.parse({ url: 'http://a.example:8080,http://b.example' });
  const through = config.through!(parsed, ({ host, port }) => ({ host: `emulator-of-${host}`, port: port + 1 }));
  expect(through).toEqual({
    ...parsed,
    via: {
      'http://a.example:8080': { host: 'emulator-of-a.example', port: 8081 },
      'http://b.example': { host: 'emulator-of-b.example', port: 81 },
    },
  });
  expect(config.describe(through)).toEqual(config.describe(parsed));
});
