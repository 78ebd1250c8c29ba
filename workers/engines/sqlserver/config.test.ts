import { expect, test } from 'vitest';
import {
  canary,
  leak,
  testRefusals,
  testSilenceOnPasswords,
  testThroughEmulator,
} from '../conformance/config-refusal.fixture.ts';
import { config, type SqlServerConfig } from './config.ts';

test('fields have defaults: encrypted, the certificate checked', () => {
  expect(config.parse({})).toEqual({
    host: 'localhost',
    port: 1433,
    instance: null,
    database: null,
    authentication: 'sql',
    user: 'sa',
    password: null,
    domain: null,
    tenantId: null,
    clientId: null,
    clientSecret: null,
    token: null,
    encrypt: 'true',
    trustServerCertificate: false,
    ca: null,
    serverName: null,
    multiSubnetFailover: false,
    readOnlyIntent: false,
    sessionSettings: {},
    connectTimeoutMs: 15_000,
  });
});

test('a URL fills the fields, and fields given as well win', () => {
  const url = `mssql://app:${encodeURIComponent(canary)}@db.example:1533/sales?encrypt=false&connectTimeoutMs=700&multiSubnetFailover=true`;
  expect(config.parse({ url, port: 7000 })).toMatchObject({
    host: 'db.example',
    port: 7000,
    database: 'sales',
    user: 'app',
    password: canary,
    encrypt: 'false',
    connectTimeoutMs: 700,
    multiSubnetFailover: true,
  });
  expect(config.parse({ url: 'sqlserver://u@[::1]/d?trustServerCertificate=true' })).toMatchObject({
    host: '::1',
    port: 1433,
    trustServerCertificate: true,
  });
});

test('a named instance is looked up, and its port is nobody’s business before', () => {
  const named = config.parse({ host: 'db', instance: 'SQLEXPRESS' });
  expect(config.endpoints(named)).toEqual([{ host: 'db', port: null }]);
  expect(config.describe(named).address).toBe('db\\SQLEXPRESS');
  expect(config.parse({ url: 'mssql://u@db%5CSQLEXPRESS/sales' })).toMatchObject({
    host: 'db',
    instance: 'SQLEXPRESS',
    port: null,
  });
  expect(config.endpoints(config.parse({ host: 'db' }))).toEqual([{ host: 'db', port: 1433 }]);
});

test('a domain means NTLM', () => {
  const windows = config.parse({ domain: 'CORP', user: 'app', password: canary }) as SqlServerConfig;
  expect(windows.authentication).toBe('ntlm');
  expect(config.describe(windows).details.user).toBe('CORP\\app');
});

test('YAML’s booleans become what SET takes', () => {
  expect(config.parse({ encrypt: true, sessionSettings: { XACT_ABORT: true, LOCK_TIMEOUT: 500 } })).toMatchObject({
    encrypt: 'true',
    sessionSettings: { XACT_ABORT: 'ON', LOCK_TIMEOUT: '500' },
  });
});

test('neither the description nor the grants hold a secret', () => {
  const parsed = config.parse({
    user: 'app',
    password: canary,
    clientId: 'c',
    clientSecret: canary,
    tenantId: 't',
    token: canary,
    sessionSettings: { LOCK_TIMEOUT: 500 },
  });
  const shown = JSON.stringify([config.describe(parsed), config.grants(parsed)]);
  expect(shown).not.toMatch(leak);
  expect(shown).toContain('"SET LOCK_TIMEOUT":"500"');
});

test('grants name the user and the database, for each way to log in', () => {
  const sql = config.grants(config.parse({ user: 'a]b', database: 'sales' }))!;
  expect(sql).toContain('CREATE LOGIN [a]]b] WITH PASSWORD');
  expect(sql).toContain('USE [sales];');
  expect(config.grants(config.parse({ domain: 'CORP', user: 'app', password: 'x' }))).toContain(
    'CREATE LOGIN [CORP\\app] FROM WINDOWS',
  );
  const entra = { authentication: 'azure-active-directory-password', user: 'app@x', password: 'x', clientId: 'c' };
  expect(config.grants(config.parse(entra))).toContain('CREATE USER [app@x] FROM EXTERNAL PROVIDER');
});

testRefusals(config, [
  [{ server: 'x' }, '"server"'],
  [{ port: '1433' }, 'port'],
  [{ port: 0 }, '65535'],
  [{ encrypt: 'yes' }, 'strict'],
  [{ port: 1433, instance: 'X' }, 'exclude'],
  [{ authentication: 'ntlm' }, 'domain'],
  [{ authentication: 'azure-active-directory-access-token' }, 'token'],
  [{ authentication: 'azure-active-directory-service-principal-secret', clientId: 'x' }, 'clientSecret'],
  [{ authentication: 'kerberos' }, 'ntlm'],
  [{ url: 'postgres://x' }, 'mssql://'],
  [{ url: 'mssql://u@h/d?trustServerCertificate=maybe' }, 'true or false'],
  [{ url: 'mssql://u@h/d?encrypted=yes' }, '“encrypted”'],
  [{ sessionSettings: { 'a; DROP': 1 } }, 'a; DROP'],
  [{ sessionSettings: { LOCK_TIMEOUT: '1; DROP TABLE t' } }, 'LOCK_TIMEOUT'],
  [{ sessionSettings: ['x'] }, 'map'],
  [{ connectTimeoutMs: -1 }, 'connectTimeoutMs'],
]);

testSilenceOnPasswords(config, [
  'http://app:c4nary@host',
  'mssql://app:c4nary%zz%20@host/d',
  'mssql://app:c4n@ry/x@host/d',
  'mssql://app:c4nary@host:port/d',
]);

testThroughEmulator(config, {}, 1_433);

test('no network emulator can be put before an instance whose port is looked up', () => {
  const named = config.parse({ host: 'db', instance: 'SQLEXPRESS' });
  expect(() => config.through!(named, (endpoint) => endpoint)).toThrow(/looks up the port of the instance SQLEXPRESS/);
});
