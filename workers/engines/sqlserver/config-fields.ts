import type { ConfigField } from '#engine-api/config.ts';
import { caField, connectTimeoutField, passwordField, portField, secretHelp } from '#engine-api/server-fields.ts';

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
  {
    name: 'url',
    label: 'URL',
    kind: 'text',
    placeholder: 'mssql://user@host:1433/database?encrypt=true',
    help: 'Instead of the single fields; a field given as well wins. What stands behind the ? are fields by their names.',
  },
  { name: 'host', label: 'Host', kind: 'text', placeholder: 'localhost' },
  portField('1433'),
  {
    name: 'instance',
    label: 'Named instance',
    kind: 'text',
    placeholder: 'SQLEXPRESS',
    help: 'Instead of a port: the SQL Server Browser (UDP 1434) on the host knows the instance’s port.',
  },
  { name: 'database', label: 'Database', kind: 'text', placeholder: 'the login’s default database' },
  { name: 'user', label: 'User', kind: 'text', placeholder: 'sa', help: 'For NTLM without the domain.' },
  passwordField,
  {
    name: 'authentication',
    label: 'Authentication',
    kind: 'choice',
    choices: authentications,
    placeholder: 'sql; ntlm with a domain',
    help: 'sql: a login of the server’s own. ntlm: a Windows user by domain and password. azure-active-directory-…: Microsoft Entra. Kerberos (integrated Windows login) is not in the driver.',
  },
  { name: 'domain', label: 'Domain', kind: 'text', help: 'Of a Windows user; for ntlm.' },
  {
    name: 'tenantId',
    label: 'Entra tenant',
    kind: 'text',
    help: 'Required for a service principal.',
    advanced: true,
  },
  {
    name: 'clientId',
    label: 'Entra client',
    kind: 'text',
    help: 'Application that logs in: required with a password or as a service principal; for a managed identity which one.',
    advanced: true,
  },
  {
    name: 'clientSecret',
    label: 'Entra client secret',
    kind: 'password',
    help: `Of a service principal. ${secretHelp}`,
    advanced: true,
  },
  { name: 'token', label: 'Entra access token', kind: 'password', help: secretHelp, advanced: true },
  {
    name: 'encrypt',
    label: 'Encryption',
    kind: 'choice',
    choices: encryptions,
    placeholder: 'true',
    help: 'true: TLS 1.2 inside TDS. strict: TDS 8.0, TLS before the first byte; SQL Server 2022 and later. false: only the login is encrypted, where the server can.',
  },
  {
    name: 'trustServerCertificate',
    label: 'Trust the server’s certificate',
    kind: 'boolean',
    help: 'Encrypts without checking whom it talks to. For servers with a certificate of their own making; not with strict.',
  },
  {
    ...caField,
    help: 'PEM text, or the path of a PEM file, by which the server’s certificate is checked.',
  },
  {
    name: 'serverName',
    label: 'Name in the certificate',
    kind: 'text',
    help: 'Where it is not the host’s name.',
    advanced: true,
  },
  {
    name: 'multiSubnetFailover',
    label: 'Multi-subnet failover',
    kind: 'boolean',
    help: 'Tries all addresses of an availability group listener at once.',
    advanced: true,
  },
  {
    name: 'readOnlyIntent',
    label: 'Read-only intent',
    kind: 'boolean',
    help: 'Lets a listener route to a readable secondary; experiments that write fail there.',
    advanced: true,
  },
  {
    name: 'sessionSettings',
    label: 'Session settings',
    kind: 'map',
    help: 'SET on every session beyond those that SSMS sets, e.g. LOCK_TIMEOUT: 5000 or TRANSACTION ISOLATION LEVEL: SNAPSHOT.',
  },
  connectTimeoutField(15_000),
];
