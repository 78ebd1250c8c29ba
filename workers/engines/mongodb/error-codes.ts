import { connectionCut, errorTable, type Meaning, networkErrors, unreadable } from '../shared/error-table.ts';

const gone: Meaning = {
  kind: 'serverGone',
  hint: 'The server was shut down or is no longer the primary: see its log.',
};
const conflict: Meaning = {
  kind: 'serialization',
  retryable: true,
  hint: 'Another session has changed the same document: the transaction can be tried again.',
};
const tooLarge: Meaning = { kind: 'limit', hint: 'Fewer rows per call, or fewer calls per commit.' };
const noMemory: Meaning = {
  kind: 'limit',
  hint: 'A stage needs more memory than it may have: give it an index or fewer documents, or let it use the disk (allowDiskUse: true).',
};
const tooLong: Meaning = { kind: 'limit', hint: 'A document holds 16 MiB at most: shorter columns.' };

/** Server's codes: src/mongo/base/error_codes.yml. */
export const byNumber: Readonly<Record<number, Meaning>> = {
  2: { kind: 'syntax' }, // BadValue
  6: {
    kind: 'unreachable',
    hint: 'A member of the cluster does not reach another one: see its log.',
  }, // HostUnreachable
  7: { kind: 'unreachable', hint: 'A member of the cluster does not find another one: see its log.' }, // HostNotFound
  9: { kind: 'syntax' }, // FailedToParse
  11: { kind: 'authentication', hint: 'Check user and authentication database of the target.' }, // UserNotFound
  13: { kind: 'permission', hint: '`dyno grants TARGET` prints what a user of Dyno needs.' }, // Unauthorized
  14: { kind: 'syntax' }, // TypeMismatch
  18: {
    kind: 'authentication',
    hint: 'Check user and password of the target, and its authSource: the database where the user was created.',
  }, // AuthenticationFailed
  20: { kind: 'unsupported' }, // IllegalOperation
  24: {
    kind: 'lockTimeout',
    retryable: true,
    hint: 'Another session holds the lock: see db.currentOp().',
  }, // LockTimeout
  26: {
    kind: 'other',
    hint: 'There is no such collection or database: check its name, or another user has dropped it.',
  }, // NamespaceNotFound
  46: { kind: 'lockTimeout', retryable: true }, // LockBusy
  48: { kind: 'notOurs' }, // NamespaceExists
  50: {
    kind: 'statementTimeout',
    retryable: true,
    hint: 'Raise maxTimeMS or timeoutMS of the target.',
  }, // MaxTimeMSExpired
  59: {
    kind: 'unsupported',
    hint: 'The server has no such command: check its name (letters count), and the version of the server.',
  }, // CommandNotFound
  64: {
    kind: 'timeout',
    hint: 'Members of the replica set are too slow or away: see rs.status(), wtimeoutMs.',
  }, // WriteConcernTimeout
  72: { kind: 'badInput' }, // InvalidOptions
  79: {
    kind: 'badInput',
    hint: 'w names no write concern of this replica set: see rs.conf().settings.',
  }, // UnknownReplWriteConcern
  89: { kind: 'timeout', retryable: true }, // NetworkTimeout
  91: gone, // ShutdownInProgress
  100: { kind: 'badInput', hint: 'w asks for more members than the replica set has.' }, // UnsatisfiableWriteConcern
  112: conflict, // WriteConflict
  121: { kind: 'constraint' }, // DocumentValidationFailure
  133: {
    kind: 'unreachable',
    retryable: true,
    hint: 'No member fits the read preference.',
  }, // FailedToSatisfyReadPreference
  175: { kind: 'cancelled' }, // QueryPlanKilled
  189: gone, // PrimarySteppedDown
  225: {
    ...conflict,
    hint: 'A later transaction of the session has begun: this one can be tried again.',
  }, // TransactionTooOld
  237: { kind: 'cancelled' }, // CursorKilled
  246: {
    ...conflict,
    hint: 'The collection changed after the snapshot was taken: the transaction can be tried again.',
  }, // SnapshotUnavailable
  251: {
    ...conflict,
    hint: 'The server has ended the transaction, by a conflict or after transactionLifetimeLimitSeconds: it can be tried again.',
  }, // NoSuchTransaction
  257: tooLarge, // TransactionTooLarge
  262: { kind: 'timeout', retryable: true }, // ExceededTimeLimit
  263: {
    kind: 'unsupported',
    hint: 'The server cannot do this in a transaction: callsPerCommit: 1, or a statement by itself in place of a step.',
  }, // OperationNotSupportedInTransaction
  290: {
    kind: 'timeout',
    hint: 'Transactions end after transactionLifetimeLimitSeconds (60): fewer calls per commit.',
  }, // TransactionExceededLifetimeLimitSeconds
  292: noMemory, // QueryExceededMemoryLimitNoDiskUseAllowed
  293: noMemory, // ExceededMemoryLimit
  334: { kind: 'authentication', hint: 'The server does not offer this authMechanism.' }, // MechanismUnavailable
  365: { kind: 'permission', hint: 'The server is being downgraded or upgraded; see featureCompatibilityVersion.' },
  391: { kind: 'authentication', hint: 'The login has expired: connect again.' }, // ReauthenticationRequired
  394: tooLarge, // TransactionTooLargeForCache
  8000: {
    kind: 'authentication',
    hint: 'Check user and password of the target (Atlas: Database Access).',
  }, // AtlasError
  10107: gone, // NotWritablePrimary
  10334: tooLong, // BSONObjectTooLarge
  11000: { kind: 'uniqueViolation' }, // DuplicateKey
  11001: { kind: 'uniqueViolation' },
  11600: gone, // InterruptedAtShutdown
  11601: { kind: 'cancelled' }, // Interrupted
  11602: gone, // InterruptedDueToReplStateChange
  12582: { kind: 'uniqueViolation' },
  13435: gone, // NotPrimaryNoSecondaryOk
  13436: {
    kind: 'unreachable',
    retryable: true,
    hint: 'The member is starting or recovering: try again in a moment.',
  }, // NotPrimaryOrSecondary
  14031: { kind: 'diskFull', hint: 'Free space on the server’s disk, or use fewer rows.' }, // OutOfDiskSpace
  17280: {
    kind: 'limit',
    hint: 'Index shorter values: before MongoDB 4.2 a key has 1,024 bytes at most.',
  }, // KeyTooLong
  40414: { kind: 'syntax' }, // IDLFailedToParse
  40415: { kind: 'syntax' }, // IDLUnknownField
};

/** Node's, of the socket below the driver's own error. */
export const byErrno = errorTable([
  ...networkErrors,
  ['ENODATA', 'unreachable', 'DNS has no SRV record for that host: check the name, or do without srv.'],
  ['ENOENT', 'unreachable', 'There is no such Unix socket, or file named in tls…File: check the target.'],
]);

export const tls: Meaning = {
  kind: 'tls',
  hint: 'The server’s certificate was not accepted, or it speaks no TLS: give its CA as tlsCAFile and use the host name that the certificate names, tls: require to encrypt without checking, or tls: disable.',
};

/** The driver looked for a server that fits until its time was up. */
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

/** Meanings that the words tell, but neither code nor class; they have priority over both. */
export const byMessage: readonly (readonly [RegExp, Meaning])[] = [
  [
    /requires authentication/,
    { kind: 'authentication', hint: 'The server wants to know who asks: give the target a user and a password.' },
  ],
  [/wire version/, { kind: 'unsupported', hint: 'The driver needs MongoDB 4.2 or later.' }],
  [
    /[Rr]ead preference in a transaction must be primary/,
    { kind: 'badInput', hint: 'Transactions need readPreference: primary.' },
  ],
  [
    /Transaction numbers are only allowed on a replica set/,
    { kind: 'unsupported', hint: 'Transactions need a replica set, which may have a single member (--replSet).' },
  ],
  [/before secure TLS connection was established/, tls],
  [/^Message size cannot be negative|^BSON element "[^"]*" is missing|numberReturned is an invalid|^n\/a$/, unreadable],
  // Errors of the driver's serialiser and of its bulk writes.
  [/^offset is out of bounds$|Document is larger than the maximum size/, tooLong],
];
