import type { ConfigField, LocalUse } from '#engine-api/config.ts';
import {
  connectTimeoutField,
  field,
  passwordField,
  portField,
  reachesSocket,
  readsFile,
  tlsField,
} from '#engine-api/server-fields.ts';

export const readConcerns = ['default', 'local', 'available', 'majority', 'linearizable', 'snapshot'] as const;
export const readPreferences = ['primary', 'primaryPreferred', 'secondary', 'secondaryPreferred', 'nearest'] as const;
export const journals = ['default', 'true', 'false'] as const;
export const mechanisms = [
  'default',
  'SCRAM-SHA-256',
  'SCRAM-SHA-1',
  'MONGODB-X509',
  'PLAIN',
  'GSSAPI',
  'MONGODB-AWS',
  'MONGODB-OIDC',
] as const;

/**
 * These mechanisms use no password of the connection: the driver looks for keys, tokens and tickets of this machine.
 */
const logsInAsMachine: readonly LocalUse[] = [
  {
    kind: 'identity',
    does: 'sends the server a token, a ticket or a signature that this machine or account has',
    values: '^(?:GSSAPI|MONGODB-AWS|MONGODB-OIDC)$',
  },
];

/** Options that name where a login comes from, or a file. */
const usesOfOptions: readonly LocalUse[] = [
  {
    kind: 'identity',
    does: 'says which token or ticket of this machine the server gets',
    names: '^authMechanismProperties$',
  },
  { kind: 'file', does: 'is a file that Dyno reads', names: '^tlsCRLFile$' },
];

export const fields: readonly ConfigField[] = [
  field('text', 'url', 'URL', {
    placeholder: 'mongodb://user@host:27017/?replicaSet=rs0',
    help: 'mongodb:// (also of several hosts) or mongodb+srv://, with the options of the manual; a field given as well wins.',
    localUse: 'plain',
  }),
  field('text', 'host', 'Host', {
    placeholder: 'localhost',
    help: 'Members of a replica set with commas between them: a.example:27017,b.example. A path ending in .sock is a Unix socket.',
    localUse: reachesSocket('\\.sock\\s*(?:,|$)'),
  }),
  portField('27017'),
  field('boolean', 'srv', 'Hosts from DNS', {
    help: 'As mongodb+srv:// does: the SRV and TXT records of the host say where the servers are.',
    advanced: true,
    localUse: 'plain',
  }),
  field('text', 'database', 'Database', {
    placeholder: 'dyno',
    help: 'Where Dyno keeps its collections; made when the first one is.',
    localUse: 'plain',
  }),
  field('text', 'user', 'User', { localUse: 'plain' }),
  passwordField,
  field('text', 'authSource', 'Authentication database', {
    placeholder: 'admin',
    help: 'Where the user was created.',
    localUse: 'plain',
  }),
  field('choice', 'authMechanism', 'Authentication', {
    choices: mechanisms,
    placeholder: 'default',
    help: 'default: SCRAM, as the server offers it. GSSAPI and MONGODB-AWS need optional packages of the driver.',
    advanced: true,
    localUse: logsInAsMachine,
  }),
  field('text', 'replicaSet', 'Replica set', {
    help: 'Its name; then the driver finds the members and the primary by itself.',
    localUse: 'plain',
  }),
  field('boolean', 'directConnection', 'This host only', {
    help: 'Speak to this server whatever it is, and look for no other members.',
    advanced: true,
    localUse: 'plain',
  }),
  {
    ...tlsField,
    name: 'tls',
    help: 'require encrypts without checking the certificate; verify-full checks certificate and host name (tls=true of a URL).',
  },
  field('text', 'tlsCAFile', 'CA certificate', { help: 'Path of a PEM file; for verify-full.', localUse: readsFile }),
  field('text', 'tlsCertificateKeyFile', 'Client certificate', {
    help: 'Path of a PEM file with certificate and private key.',
    advanced: true,
    localUse: readsFile,
  }),
  field('password', 'tlsCertificateKeyFilePassword', 'Password of the private key', { advanced: true }),
  field('text', 'w', 'Write concern (w)', {
    placeholder: 'the server’s default',
    help: 'How many members must have a write: a number from 1, majority, or the name of a custom write concern.',
    localUse: 'plain',
  }),
  field('choice', 'journal', 'Wait for the journal (j)', {
    choices: journals,
    placeholder: 'default',
    help: 'default: as the write concern implies (majority waits).',
    localUse: 'plain',
  }),
  field('number', 'wtimeoutMs', 'Write concern time-out (ms)', {
    min: 0,
    max: 3_600_000,
    help: '0: none.',
    advanced: true,
  }),
  field('choice', 'readConcernLevel', 'Read concern', {
    choices: readConcerns,
    placeholder: 'default',
    localUse: 'plain',
  }),
  field('choice', 'readPreference', 'Read preference', {
    choices: readPreferences,
    placeholder: 'primary',
    help: 'Members that reads go to. Transactions, schema and checksums always use the primary.',
    localUse: 'plain',
  }),
  field('boolean', 'retryWrites', 'Retry writes', {
    help: 'The driver’s default is true.',
    advanced: true,
    localUse: 'plain',
  }),
  field('text', 'compressors', 'Compression', {
    placeholder: 'none',
    help: 'Of messages: zlib; with optional packages of the driver also snappy and zstd. Several with commas, in order of preference.',
    advanced: true,
    localUse: 'plain',
  }),
  {
    ...connectTimeoutField(10_000),
    help: 'Also how long to look for a server (a new primary, say) before a call fails.',
  },
  field('map', 'uriOptions', 'Other options', {
    help: 'Further options of a connection string, by their names in the manual: zlibCompressionLevel: 3.',
    advanced: true,
    localUse: usesOfOptions,
  }),
];
