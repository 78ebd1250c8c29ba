import type { ConfigField } from '#engine-api/config.ts';
import {
  caField,
  connectTimeoutField,
  field,
  passwordField,
  portField,
  secretHelp,
} from '#engine-api/server-fields.ts';

/** Login methods by the driver's names; "sql" is its "default". token-credential takes an object: not configurable. */
export const authentications = [
  'sql',
  'ntlm',
  'azure-active-directory-password',
  'azure-active-directory-access-token',
  'azure-active-directory-default',
  'azure-active-directory-service-principal-secret',
  'azure-active-directory-msi-vm',
  'azure-active-directory-msi-app-service',
] as const;

export const encryptions = ['true', 'false', 'strict'] as const;

export const fields: readonly ConfigField[] = [
  field('text', 'url', 'URL', {
    placeholder: 'mssql://user@host:1433/database?encrypt=true',
    help: 'Instead of the single fields; a field given as well wins. What stands behind the ? are fields by their names.',
  }),
  field('text', 'host', 'Host', { placeholder: 'localhost' }),
  portField('1433'),
  field('text', 'instance', 'Named instance', {
    placeholder: 'SQLEXPRESS',
    help: 'Instead of a port: the SQL Server Browser (UDP 1434) on the host knows the instance’s port.',
  }),
  field('text', 'database', 'Database', { placeholder: 'the login’s default database' }),
  field('text', 'user', 'User', { placeholder: 'sa', help: 'For NTLM without the domain.' }),
  passwordField,
  field('choice', 'authentication', 'Authentication', {
    choices: authentications,
    placeholder: 'sql; ntlm with a domain',
    help: 'sql: a login of the server’s own. ntlm: a Windows user by domain and password. azure-active-directory-…: Microsoft Entra. Kerberos (integrated Windows login) is not in the driver.',
  }),
  field('text', 'domain', 'Domain', { help: 'Of a Windows user; for ntlm.' }),
  field('text', 'tenantId', 'Entra tenant', { help: 'Required for a service principal.', advanced: true }),
  field('text', 'clientId', 'Entra client', {
    help: 'Application that logs in: required with a password or as a service principal; for a managed identity which one.',
    advanced: true,
  }),
  field('password', 'clientSecret', 'Entra client secret', {
    help: `Of a service principal. ${secretHelp}`,
    advanced: true,
  }),
  field('password', 'token', 'Entra access token', { help: secretHelp, advanced: true }),
  field('choice', 'encrypt', 'Encryption', {
    choices: encryptions,
    placeholder: 'true',
    help: 'true: TLS 1.2 inside TDS. strict: TDS 8.0, TLS before the first byte; SQL Server 2022 and later. false: only the login is encrypted, where the server can.',
  }),
  field('boolean', 'trustServerCertificate', 'Trust the server’s certificate', {
    help: 'Encrypts without checking whom it talks to. For servers with a certificate of their own making; not with strict.',
  }),
  {
    ...caField,
    help: 'PEM text, or the path of a PEM file, by which the server’s certificate is checked.',
  },
  field('text', 'serverName', 'Name in the certificate', { help: 'Where it is not the host’s name.', advanced: true }),
  field('boolean', 'multiSubnetFailover', 'Multi-subnet failover', {
    help: 'Tries all addresses of an availability group listener at once.',
    advanced: true,
  }),
  field('boolean', 'readOnlyIntent', 'Read-only intent', {
    help: 'Lets a listener route to a readable secondary; experiments that write fail there.',
    advanced: true,
  }),
  field('map', 'sessionSettings', 'Session settings', {
    help: 'SET on every session beyond those that SSMS sets, e.g. LOCK_TIMEOUT: 5000 or TRANSACTION ISOLATION LEVEL: SNAPSHOT.',
  }),
  connectTimeoutField(15_000),
];
