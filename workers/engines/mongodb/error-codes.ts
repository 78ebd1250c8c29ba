import {
  connectionCut,
  errorTable,
  type Meaning,
  networkErrors,
  unreadable,
  type WordsRow,
} from '../shared/error-table.ts';

const gone = 'The server was shut down or is no longer the primary: see its log.';
const conflict = 'Another session has changed the same document: the transaction can be tried again.';
const tooLarge = 'Fewer rows per call, or fewer calls per commit.';
const noMemory =
  'A stage needs more memory than it may have: give it an index or fewer documents, or let it use the disk (allowDiskUse: true).';
const tooLong = 'A document holds 16 MiB at most: shorter columns.';

/** Server's codes: src/mongo/base/error_codes.yml. */
export const byNumber = errorTable([
  [2, 'syntax'], // BadValue
  [6, 'unreachable', 'A member of the cluster does not reach another one: see its log.'], // HostUnreachable
  [7, 'unreachable', 'A member of the cluster does not find another one: see its log.'], // HostNotFound
  [9, 'syntax'], // FailedToParse
  [11, 'authentication', 'Check user and authentication database of the target.'], // UserNotFound
  [13, 'permission', '`dyno grants TARGET` prints what a user of Dyno needs.'], // Unauthorized
  [14, 'syntax'], // TypeMismatch
  [
    18,
    'authentication',
    'Check user and password of the target, and its authSource: the database where the user was created.',
  ], // AuthenticationFailed
  [20, 'unsupported'], // IllegalOperation
  [24, 'lockTimeout', 'Another session holds the lock: see db.currentOp().', 'retryable'], // LockTimeout
  // NamespaceNotFound
  [26, 'other', 'There is no such collection or database: check its name, or another user has dropped it.'],
  [46, 'lockTimeout', null, 'retryable'], // LockBusy
  [48, 'notOurs'], // NamespaceExists
  [50, 'statementTimeout', 'Raise maxTimeMS or timeoutMS of the target.', 'retryable'], // MaxTimeMSExpired
  // CommandNotFound
  [59, 'unsupported', 'The server has no such command: check its name (letters count), and the version of the server.'],
  // WriteConcernTimeout
  [64, 'timeout', 'Members of the replica set are too slow or away: see rs.status(), wtimeoutMs.'],
  [72, 'badInput'], // InvalidOptions
  // UnknownReplWriteConcern
  [79, 'badInput', 'w names no write concern of this replica set: see rs.conf().settings.'],
  [89, 'timeout', null, 'retryable'], // NetworkTimeout
  [91, 'serverGone', gone], // ShutdownInProgress
  [100, 'badInput', 'w asks for more members than the replica set has.'], // UnsatisfiableWriteConcern
  [112, 'serialization', conflict, 'retryable'], // WriteConflict
  [121, 'constraint'], // DocumentValidationFailure
  [133, 'unreachable', 'No member fits the read preference.', 'retryable'], // FailedToSatisfyReadPreference
  [175, 'cancelled'], // QueryPlanKilled
  [189, 'serverGone', gone], // PrimarySteppedDown
  // TransactionTooOld
  [225, 'serialization', 'A later transaction of the session has begun: this one can be tried again.', 'retryable'],
  [237, 'cancelled'], // CursorKilled
  [
    246,
    'serialization',
    'The collection changed after the snapshot was taken: the transaction can be tried again.',
    'retryable',
  ], // SnapshotUnavailable
  [
    251,
    'serialization',
    'The server has ended the transaction, by a conflict or after transactionLifetimeLimitSeconds: it can be tried again.',
    'retryable',
  ], // NoSuchTransaction
  [257, 'limit', tooLarge], // TransactionTooLarge
  [262, 'timeout', null, 'retryable'], // ExceededTimeLimit
  [
    263,
    'unsupported',
    'The server cannot do this in a transaction: callsPerCommit: 1, or a statement by itself in place of a step.',
  ], // OperationNotSupportedInTransaction
  // TransactionExceededLifetimeLimitSeconds
  [290, 'timeout', 'Transactions end after transactionLifetimeLimitSeconds (60): fewer calls per commit.'],
  [292, 'limit', noMemory], // QueryExceededMemoryLimitNoDiskUseAllowed
  [293, 'limit', noMemory], // ExceededMemoryLimit
  [334, 'authentication', 'The server does not offer this authMechanism.'], // MechanismUnavailable
  [365, 'permission', 'The server is being downgraded or upgraded; see featureCompatibilityVersion.'],
  [391, 'authentication', 'The login has expired: connect again.'], // ReauthenticationRequired
  [394, 'limit', tooLarge], // TransactionTooLargeForCache
  [8000, 'authentication', 'Check user and password of the target (Atlas: Database Access).'], // AtlasError
  [10107, 'serverGone', gone], // NotWritablePrimary
  [10334, 'limit', tooLong], // BSONObjectTooLarge
  [11000, 'uniqueViolation'], // DuplicateKey
  [11001, 'uniqueViolation'],
  [11600, 'serverGone', gone], // InterruptedAtShutdown
  [11601, 'cancelled'], // Interrupted
  [11602, 'serverGone', gone], // InterruptedDueToReplStateChange
  [12582, 'uniqueViolation'],
  [13435, 'serverGone', gone], // NotPrimaryNoSecondaryOk
  // NotPrimaryOrSecondary
  [13436, 'unreachable', 'The member is starting or recovering: try again in a moment.', 'retryable'],
  [14031, 'diskFull', 'Free space on the server’s disk, or use fewer rows.'], // OutOfDiskSpace
  [17280, 'limit', 'Index shorter values: before MongoDB 4.2 a key has 1,024 bytes at most.'], // KeyTooLong
  [40414, 'syntax'], // IDLFailedToParse
  [40415, 'syntax'], // IDLUnknownField
]);

/** Node's, of the socket below the driver's own error. */
export const byErrno = errorTable([
  ...networkErrors,
  ['ENODATA', 'unreachable', 'DNS has no SRV record for that host: check the name, or do without srv.'],
  ['ENOENT', 'unreachable', 'There is no such Unix socket, or file named in tls…File: check the target.'],
]);

export const tls = {
  kind: 'tls',
  hint: 'The server’s certificate was not accepted, or it speaks no TLS: give its CA as tlsCAFile and use the host name that the certificate names, tls: require to encrypt without checking, or tls: disable.',
} as const satisfies Meaning;

/** The driver looked for a suitable server until its time was up. */
export const lost: Meaning = {
  kind: 'serverGone',
  hint: 'The server was lost and no other took its place: see its log, and rs.status().',
};

/** The driver's own classes, by name. */
export const byClass = errorTable([
  [
    'MongoNetworkTimeoutError',
    'unreachable',
    'No answer in time: a firewall, a wrong host, or connectTimeoutMs too short.',
  ],
  [['MongoNetworkError', 'PoolClearedOnNetworkError', 'MongoPoolClearedError'], 'serverGone', connectionCut],
  [['MongoTopologyClosedError', 'MongoClientClosedError', 'MongoNotConnectedError'], 'serverGone'],
  [['PoolClosedError', 'MongoServerClosedError', 'MongoExpiredSessionError'], 'serverGone'],
  ['MongoOperationTimeoutError', 'statementTimeout', 'Raise timeoutMS of the target.', 'retryable'],
  ['MongoParseError', 'badInput', 'Options are named in the manual, “Connection String Options”.'],
  [['MongoInvalidArgumentError', 'MongoAPIError'], 'badInput'],
  ['MongoMissingCredentialsError', 'badInput', 'Give the target a user and what its authMechanism needs.'],
  [
    'MongoMissingDependencyError',
    'unsupported',
    'Install the package named above beside Dyno, or use another setting.',
  ],
  [['MongoCompatibilityError'], 'unsupported'],
  [['BSONOffsetError', 'MongoDecompressionError'], unreadable.kind, unreadable.hint],
  ['MongoTransactionError', 'badInput'],
]);

/** Meanings that only the message shows; they have priority over code and class. */
export const byMessage: readonly WordsRow[] = [
  [
    /requires authentication/,
    'authentication',
    'The server wants to know who asks: give the target a user and a password.',
  ],
  [/wire version/, 'unsupported', 'The driver needs MongoDB 4.2 or later.'],
  [/[Rr]ead preference in a transaction must be primary/, 'badInput', 'Transactions need readPreference: primary.'],
  [
    /Transaction numbers are only allowed on a replica set/,
    'unsupported',
    'Transactions need a replica set, which may have a single member (--replSet).',
  ],
  [/before secure TLS connection was established/, 'tls', tls.hint],
  [
    /^Message size cannot be negative|^BSON element "[^"]*" is missing|numberReturned is an invalid|^n\/a$/,
    unreadable.kind,
    unreadable.hint,
  ],
  // Errors of the driver's serialiser and of its bulk writes.
  [/^offset is out of bounds$|Document is larger than the maximum size/, 'limit', tooLong],
];
