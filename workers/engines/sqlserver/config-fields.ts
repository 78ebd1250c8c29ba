import type { ConfigField, LocalUse } from '#engine-api/config.ts';
import {
  caField,
  connectTimeoutField,
  field,
  passwordField,
  portField,
  secretHelp,
} from '#engine-api/server-fields.ts';

/**
 * Login methods by the driver's names; "sql" is its "default". token-credential takes an object, so no target can have
 * it.
 */
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

/**
 * These methods use no secret of the connection: the driver asks this machine's environment, tools and cloud for a
 * token.
 */
const asThisMachine: readonly LocalUse[] = [
  {
    kind: 'identity',
    does: 'sends the server an Entra token of this machine or account',
    values: '^azure-active-directory-(?:default|msi-vm|msi-app-service)$',
  },
];

export const encryptions = ['true', 'false', 'strict'] as const;

export const fields: readonly ConfigField[] = [
  field('text', 'url', 'URL', {
    placeholder: 'mssql://user@host:1433/database?encrypt=true',
    help: 'The URL takes the place of the other fields. A field that is given as well has priority. What stands behind the ? are fields by their names.',
    localUse: 'plain',
  }),
  field('text', 'host', 'Host', { placeholder: 'localhost', localUse: 'plain' }),
  portField('1433'),
  field('text', 'instance', 'Named instance', {
    placeholder: 'SQLEXPRESS',
    help: 'Instead of a port: the SQL Server Browser (UDP 1434) on the host knows the instance’s port.',
    localUse: 'plain',
  }),
  field('text', 'database', 'Database', { placeholder: 'the login’s default database', localUse: 'plain' }),
  field('text', 'user', 'User', { placeholder: 'sa', help: 'For NTLM without the domain.', localUse: 'plain' }),
  passwordField,
  field('choice', 'authentication', 'Authentication', {
    choices: authentications,
    placeholder: 'sql; ntlm with a domain',
    help: 'sql: a login of the server’s own. ntlm: a Windows user by domain and password. azure-active-directory-…: Microsoft Entra. Kerberos (integrated Windows login) is not in the driver.',
    localUse: asThisMachine,
  }),
  field('text', 'domain', 'Domain', { help: 'Of a Windows user; for ntlm.', localUse: 'plain' }),
  field('text', 'tenantId', 'Entra tenant', {
    help: 'Required for a service principal.',
    advanced: true,
    localUse: 'plain',
  }),
  field('text', 'clientId', 'Entra client', {
    help: 'Application that logs in: required with a password or as a service principal; for a managed identity which one.',
    advanced: true,
    localUse: 'plain',
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
    localUse: 'plain',
  }),
  field('boolean', 'trustServerCertificate', 'Trust the server’s certificate', {
    help: 'Encrypts without checking whom it talks to. For servers with a certificate of their own making; not with strict.',
    localUse: 'plain',
  }),
  {
    ...caField,
    help: 'PEM text, or the path of a PEM file, by which the server’s certificate is checked.',
  },
  field('text', 'serverName', 'Name in the certificate', {
    help: 'Where it is not the host’s name.',
    advanced: true,
    localUse: 'plain',
  }),
  field('boolean', 'multiSubnetFailover', 'Multi-subnet failover', {
    help: 'Tries all addresses of an availability group listener at once.',
    advanced: true,
    localUse: 'plain',
  }),
  field('boolean', 'readOnlyIntent', 'Read-only intent', {
    help: 'Lets a listener route to a readable secondary; experiments that write fail there.',
    advanced: true,
    localUse: 'plain',
  }),
  field('map', 'sessionSettings', 'Session settings', {
    help: 'SET on every session beyond those that SSMS sets, e.g. LOCK_TIMEOUT: 5000 or TRANSACTION ISOLATION LEVEL: SNAPSHOT.',
    localUse: 'plain',
  }),
  connectTimeoutField(15_000),
];
