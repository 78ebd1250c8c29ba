import { connectionCut, errorTable, type Meaning, networkErrors, type WordsRow } from '../shared/error-table.ts';

const loading = 'The server is busy opening the database: try again in a moment.';
const noSpace = 'Free space on the server’s disk, or use fewer rows.';
const noMemory = 'The server ran out of memory: fewer connections or rows per call.';
const noIndex = 'The index is gone: another user has deleted it.';

/** The server's exceptions by their .NET names without namespace: src/Raven.Client/Exceptions. */
export const byName = errorTable([
  [
    'ConcurrencyException',
    'serialization',
    'Another client has changed the same document: the call can be tried again.',
    'retryable',
  ],
  ['ClusterTransactionConcurrencyException', 'serialization', null, 'retryable'],
  ['DocumentConflictException', 'serialization', 'Two nodes have changed the document: resolve the conflict.'],
  [
    'DatabaseDoesNotExistException',
    'badInput',
    'Correct the target’s database, or let Dyno make it: it does with its first table.',
  ],
  ['DatabaseDisabledException', 'unreachable', 'The database is disabled: enable it in the Studio.'],
  [['DatabaseLoadTimeoutException', 'DatabaseConcurrentLoadTimeoutException'], 'timeout', loading, 'retryable'],
  ['DatabaseNotRelevantException', 'serverGone', 'The database has moved to another node of the cluster.'],
  ['DatabaseSchemaErrorException', 'other', 'The data were written by another version: see the server’s log.'],
  ['DatabaseLoadFailureException', 'other', 'The server cannot open the database: see its log.'],
  ['DatabaseIdleException', 'timeout', loading, 'retryable'],
  ['ServerLoadFailureException', 'unreachable', 'The server has not started as it should: see its log.'],
  ['NoLeaderException', 'unreachable', 'The cluster has no leader at the moment.', 'retryable'],
  ['NodeIsPassiveException', 'unreachable', 'The node belongs to no cluster yet: see the Studio.'],
  [
    'AuthorizationException',
    'permission',
    'The certificate lacks the right named above: `dyno grants TARGET` prints what Dyno needs.',
  ],
  ['SecurityException', 'permission'],
  ['CertificateNameMismatchException', 'tls'],
  ['InsufficientTransportLayerProtectionException', 'tls', 'The server is secured: its url begins with https.'],
  ['LicenseLimitException', 'limit', 'The server’s licence does not cover this.'],
  ['LicenseActivationException', 'limit', 'The server’s licence is not valid: see the Studio, About.'],
  [
    ['LowMemoryException', 'EarlyOutOfMemoryException', 'OutOfMemoryException', 'InsufficientExecutionStackException'],
    'limit',
    noMemory,
  ],
  ['HighDirtyMemoryException', 'limit', noMemory, 'retryable'],
  ['DiskFullException', 'diskFull', noSpace],
  [['IndexDoesNotExistException', 'IndexOrTransformerDoesNotExistException'], 'other', noIndex],
  [['IndexCompilationException', 'IndexCreationException'], 'syntax'],
  ['IndexInvalidException', 'other', 'The index has failed too often: see its errors in the Studio.'],
  [['InvalidQueryException', 'ParseException', 'JavaScriptParseException'], 'syntax'],
  [
    'JavaScriptException',
    'constraint',
    'The script of a patch has thrown this: nothing is stored of what was to be changed with it.',
  ],
  ['JavaScriptStepsLimitException', 'limit'],
  ['RouteNotFoundException', 'unsupported', 'This version of the server does not have it.'],
  [
    'FeaturesAvailabilityException',
    'unsupported',
    'This version has it with Features.Availability: Experimental in its settings only.',
  ],
  [
    'ClientVersionMismatchException',
    'unsupported',
    'Driver and server do not fit together: the driver is made for RavenDB 7.2 and later.',
  ],
  ['TimeoutException', 'timeout', null, 'retryable'],
  ['ReplicaTimeoutException', 'timeout'],
  [['OperationCanceledException', 'OperationCancelledException', 'TaskCanceledException'], 'cancelled'],
  ['BulkInsertAbortedException', 'cancelled', 'What was stored before remains.'],
  ['BulkInsertProtocolViolationException', 'internal'],
  ['ObjectDisposedException', 'serverGone', 'The database was closed: see the server’s log.'],
]);

export const tls = {
  kind: 'tls',
  hint: 'The server’s certificate was not accepted, or it speaks no TLS: give its CA as ca and use the host name that the certificate names, set verifyServer: false to encrypt without checking, or use an http URL.',
} as const satisfies Meaning;

/** Codes of Node and undici about the socket. */
export const byErrno = errorTable([
  ...networkErrors,
  ['ENOTFOUND', 'unreachable', 'No host of that name: check the target’s url.'],
  ['EAI_AGAIN', 'unreachable', 'The name could not be looked up: check the target’s url and the network.'],
  [['ERR_STREAM_PREMATURE_CLOSE', 'UND_ERR_SOCKET'], 'serverGone', connectionCut],
  ['EPROTO', 'tls', tls.hint],
]);

export const noHttp: Meaning = {
  kind: 'unreachable',
  hint: 'What answers there speaks no HTTP: check host and port of the target’s url.',
};

const taken = 'A document of that id is there. Ids ignore case.';
const nothingThere =
  'Nothing of the transaction is stored. Give the patch a PatchIfMissing where the document need not be there.';
const stranger =
  'Register the certificate on the server (Studio: Manage Server, Certificates), or correct the target’s certificate.';

const badPort = 'The driver’s fetch() refuses ports that are known for other services: give the server another one.';

/** Meanings that only the message shows; they have priority over the names. */
export const byMessage: readonly WordsRow[] = [
  [/There is no document .* to change\./, 'wrongResult', nothingThere],
  // Errors of the indexing engine itself, whose names it does not send.
  [/"message":"(?:Cannot (?:convert|read) |[^"]* is not (?:defined|iterable|a function|a constructor))/, 'syntax'],
  [/maximum number of statements executed/, 'limit'],
  [
    /was called with expecting new document|expecting new document but the document already exists/i,
    'uniqueViolation',
    taken,
  ],
  [/certificate .*(?:is unknown to the server|has expired|is not yet valid)/is, 'authentication', stranger],
  [/This server requires client certificate for authentication|No certificate provided/i, 'authentication', stranger],
  [/No space left on device|not enough space on the disk|DiskFullException/i, 'diskFull', noSpace],
  [/Key size is too big/, 'limit', 'An id holds 2,025 bytes at most: shorter keys.'],
  [/^bad port$/, 'unreachable', badPort],
  [/socket hang up|Premature close/i, 'serverGone', connectionCut],
  [/was shut ?down|DatabaseShutdown|server is shutting down/i, 'serverGone', 'See the server’s log.'],
];
