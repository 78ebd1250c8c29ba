import type { ErrorKind } from '#model/error.ts';

export interface Meaning {
  readonly kind: ErrorKind;
  readonly hint?: string;
  readonly retryable?: boolean;
}

const loading: Meaning = {
  kind: 'timeout',
  retryable: true,
  hint: 'The server is busy opening the database: try again in a moment.',
};
const noSpace: Meaning = { kind: 'diskFull', hint: 'Free space on the server’s disk, or use fewer rows.' };
const noMemory: Meaning = { kind: 'limit', hint: 'The server ran out of memory: fewer connections or rows per call.' };
const noIndex: Meaning = { kind: 'other', hint: 'The index is gone: another user has deleted it.' };

/** The server's exceptions by their .NET names without namespace: src/Raven.Client/Exceptions. */
export const byName: Readonly<Record<string, Meaning>> = {
  ConcurrencyException: {
    kind: 'serialization',
    retryable: true,
    hint: 'Another client has changed the same document: the call can be tried again.',
  },
  ClusterTransactionConcurrencyException: { kind: 'serialization', retryable: true },
  DocumentConflictException: {
    kind: 'serialization',
    hint: 'Two nodes have changed the document: resolve the conflict.',
  },
  DatabaseDoesNotExistException: {
    kind: 'badInput',
    hint: 'Correct the target’s database, or let Dyno make it: it does with its first table.',
  },
  DatabaseDisabledException: { kind: 'unreachable', hint: 'The database is disabled: enable it in the Studio.' },
  DatabaseLoadTimeoutException: loading,
  DatabaseConcurrentLoadTimeoutException: loading,
  DatabaseNotRelevantException: { kind: 'serverGone', hint: 'The database has moved to another node of the cluster.' },
  DatabaseSchemaErrorException: {
    kind: 'other',
    hint: 'The data were written by another version: see the server’s log.',
  },
  DatabaseLoadFailureException: { kind: 'other', hint: 'The server cannot open the database: see its log.' },
  DatabaseIdleException: loading,
  ServerLoadFailureException: { kind: 'unreachable', hint: 'The server has not started as it should: see its log.' },
  NoLeaderException: { kind: 'unreachable', retryable: true, hint: 'The cluster has no leader at the moment.' },
  NodeIsPassiveException: { kind: 'unreachable', hint: 'The node belongs to no cluster yet: see the Studio.' },
  AuthorizationException: {
    kind: 'permission',
    hint: 'The certificate lacks the right named above: `dyno grants TARGET` prints what Dyno needs.',
  },
  SecurityException: { kind: 'permission' },
  CertificateNameMismatchException: { kind: 'tls' },
  InsufficientTransportLayerProtectionException: {
    kind: 'tls',
    hint: 'The server is secured: its url begins with https.',
  },
  LicenseLimitException: { kind: 'limit', hint: 'The server’s licence does not cover this.' },
  LicenseActivationException: { kind: 'limit', hint: 'The server’s licence is not valid: see the Studio, About.' },
  LowMemoryException: noMemory,
  EarlyOutOfMemoryException: noMemory,
  OutOfMemoryException: noMemory,
  InsufficientExecutionStackException: noMemory,
  HighDirtyMemoryException: { ...noMemory, retryable: true },
  DiskFullException: noSpace,
  IndexDoesNotExistException: noIndex,
  IndexOrTransformerDoesNotExistException: noIndex,
  IndexCompilationException: { kind: 'syntax' },
  IndexCreationException: { kind: 'syntax' },
  IndexInvalidException: { kind: 'other', hint: 'The index has failed too often: see its errors in the Studio.' },
  InvalidQueryException: { kind: 'syntax' },
  ParseException: { kind: 'syntax' },
  JavaScriptParseException: { kind: 'syntax' },
  JavaScriptException: {
    kind: 'constraint',
    hint: 'The script of a patch has thrown this: nothing is stored of what was to be changed with it.',
  },
  JavaScriptStepsLimitException: { kind: 'limit' },
  RouteNotFoundException: { kind: 'unsupported', hint: 'This version of the server does not have it.' },
  FeaturesAvailabilityException: {
    kind: 'unsupported',
    hint: 'This version has it with Features.Availability: Experimental in its settings only.',
  },
  ClientVersionMismatchException: {
    kind: 'unsupported',
    hint: 'Driver and server do not fit together: the driver is made for RavenDB 7.2 and later.',
  },
  TimeoutException: { kind: 'timeout', retryable: true },
  ReplicaTimeoutException: { kind: 'timeout' },
  OperationCanceledException: { kind: 'cancelled' },
  OperationCancelledException: { kind: 'cancelled' },
  TaskCanceledException: { kind: 'cancelled' },
  BulkInsertAbortedException: { kind: 'cancelled', hint: 'What was stored before remains.' },
  BulkInsertProtocolViolationException: { kind: 'internal' },
  ObjectDisposedException: { kind: 'serverGone', hint: 'The database was closed: see the server’s log.' },
};

const cut: Meaning = { kind: 'serverGone', hint: 'The connection was cut: see the server’s log.' };
const noRoute: Meaning = { kind: 'unreachable', hint: 'There is no route to the host: check the network or VPN.' };

export const tls: Meaning = {
  kind: 'tls',
  hint: 'The server’s certificate was not accepted, or it speaks no TLS: give its CA as ca and use the host name that the certificate names, set verifyServer: false to encrypt without checking, or use an http URL.',
};

/** Node's and undici's, of the socket. */
export const byErrno: Readonly<Record<string, Meaning>> = {
  ENOTFOUND: { kind: 'unreachable', hint: 'No host of that name: check the target’s url.' },
  EAI_AGAIN: { kind: 'unreachable', hint: 'The name could not be looked up: check the target’s url and the network.' },
  ECONNREFUSED: { kind: 'unreachable', hint: 'Nothing listens there: is the server running, on this host and port?' },
  EHOSTUNREACH: noRoute,
  ENETUNREACH: noRoute,
  ETIMEDOUT: { kind: 'unreachable', hint: 'No answer: a firewall may drop the packets.' },
  ECONNRESET: cut,
  EPIPE: cut,
  ERR_STREAM_PREMATURE_CLOSE: cut,
  UND_ERR_SOCKET: cut,
  EPROTO: tls,
};

export const noHttp: Meaning = {
  kind: 'unreachable',
  hint: 'What answers there speaks no HTTP: check host and port of the target’s url.',
};

export const tlsCodes = /^(ERR_TLS_|ERR_SSL_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_OSSL)/;

const taken: Meaning = {
  kind: 'uniqueViolation',
  hint: 'A document of that id is there. Ids ignore case.',
};
const nothingThere: Meaning = {
  kind: 'wrongResult',
  hint: 'Nothing of the transaction is stored. Give the patch a PatchIfMissing where the document need not be there.',
};
const stranger: Meaning = {
  kind: 'authentication',
  hint: 'Register the certificate on the server (Studio: Manage Server, Certificates), or correct the target’s certificate.',
};

const badPort: Meaning = {
  kind: 'unreachable',
  hint: 'The driver’s fetch() refuses ports that are known for other services: give the server another one.',
};

/** Meanings that the words tell, and the name does not; they have priority over the names. */
export const byMessage: readonly (readonly [RegExp, Meaning])[] = [
  [/There is no document .* to change\./, nothingThere],
  // The engine's own errors: it does not tell their names.
  [
    /"message":"(?:Cannot (?:convert|read) |[^"]* is not (?:defined|iterable|a function|a constructor))/,
    { kind: 'syntax' },
  ],
  [/maximum number of statements executed/, { kind: 'limit' }],
  [/was called with expecting new document|expecting new document but the document already exists/i, taken],
  [/certificate .*(?:is unknown to the server|has expired|is not yet valid)/is, stranger],
  [/This server requires client certificate for authentication|No certificate provided/i, stranger],
  [/No space left on device|not enough space on the disk|DiskFullException/i, noSpace],
  [/Key size is too big/, { kind: 'limit', hint: 'An id holds 2,025 bytes at most: shorter keys.' }],
  [/^bad port$/, badPort],
  [/socket hang up|Premature close/i, cut],
  [/was shut ?down|DatabaseShutdown|server is shutting down/i, { kind: 'serverGone', hint: 'See the server’s log.' }],
];
