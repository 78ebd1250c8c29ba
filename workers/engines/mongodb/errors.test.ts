import {
  Int32,
  MongoBulkWriteError,
  MongoClientBulkWriteError,
  MongoCompatibilityError,
  MongoInvalidArgumentError,
  MongoMissingDependencyError,
  MongoNetworkError,
  MongoParseError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { expect, test } from 'vitest';
import { DynoError, type ErrorKind } from '#model/error.ts';
import { casesOf, testHints } from '../shared/recorded-errors.fixture.ts';
import { config, type MongoConfig } from './config.ts';
import { connectError } from './connection/connect-error.ts';
import { toError } from './errors.ts';

/** Errors that MongoDB 8.2 answers with: code, its name, errmsg. */
const fromServer = casesOf({
  authentication: {
    '18 AuthenticationFailed': 'Authentication failed.',
    '13 Unauthorized': 'Command listCollections requires authentication',
    '334 MechanismUnavailable': 'Received authentication for mechanism PLAIN which is not enabled',
    '8000 AtlasError': 'bad auth : authentication failed',
  },
  permission: { '13 Unauthorized': 'not authorized on dyno to execute command { create: "dyno_x" }' },
  uniqueViolation: { 11000: 'E11000 duplicate key error collection: dyno.e index: _id_ dup key: { _id: 1 }' },
  constraint: { 121: 'Document failed validation' },
  'serialization, retryable': {
    '112 WriteConflict': 'Caused by :: Write conflict during plan execution and yielding is disabled.',
    '251 NoSuchTransaction': 'Given transaction number 4 does not match any in-progress transactions.',
  },
  'lockTimeout, retryable': { '24 LockTimeout': 'Unable to acquire lock within 5ms' },
  'statementTimeout, retryable': { '50 MaxTimeMSExpired': 'operation exceeded time limit' },
  timeout: { '64 WriteConcernTimeout': 'waiting for replication timed out' },
  badInput: {
    '79 UnknownReplWriteConcern': "No write concern mode named 'foo' found in replica set configuration",
    '100 UnsatisfiableWriteConcern': 'Not enough data-bearing nodes',
  },
  cancelled: {
    '11601 Interrupted': 'operation was interrupted',
    '237 CursorKilled': 'cursor killed',
  },
  serverGone: {
    '11600 InterruptedAtShutdown': 'interrupted at shutdown',
    '91 ShutdownInProgress': 'The server is in quiesce mode and will shut down',
    '10107 NotWritablePrimary': 'not primary',
    '189 PrimarySteppedDown': 'primary stepped down while waiting for replication',
  },
  diskFull: { '14031 OutOfDiskSpace': 'available disk space of 0 bytes is less than required minimum of 524288000' },
  limit: {
    '10334 BSONObjectTooLarge': 'BSONObj size: 17825851 (0x110003B) is invalid.',
    '257 TransactionTooLarge': 'Total size of all transaction operations must be less than server limit',
  },
  unsupported: {
    '59 CommandNotFound': "no such command: 'bulkWrite'",
    '20 IllegalOperation': 'Transaction numbers are only allowed on a replica set member or mongos',
  },
  syntax: {
    '2 BadValue': 'unknown top level operator: $foo.',
    '40415 IDLUnknownField': "BSON field 'insert.foo' is an unknown field.",
  },
  other: { '424242 Brandnew': 'something of a later version' },
});

function serverError(named: string, errmsg: string) {
  const [code, codeName] = named.split(' ');
  return toError(new MongoServerError({ code: Number(code), errmsg, ...(codeName && { codeName }) }));
}

test.each(fromServer)('%s (retryable: %s): %s %s', (kind, retryable, code, errmsg) => {
  expect(serverError(code, errmsg)).toMatchObject({ kind, retryable, code, message: expect.stringContaining(errmsg) });
});

testHints(
  fromServer.map(([kind, , code, errmsg]) => [kind, serverError(code, errmsg)]),
  ['unsupported', 'other'],
);

const socketError = (message: string, code: string) => Object.assign(new Error(message), { code });
const network = (message: string, code?: string) =>
  new MongoNetworkError(message, code === undefined ? {} : { cause: socketError(message, code) });

/** Errors that the driver throws, recorded from mongodb 7.8 and Node 24. */
const fromDriver: readonly (readonly [ErrorKind, Error])[] = [
  ['serverGone', network('read ECONNRESET', 'ECONNRESET')],
  ['serverGone', network('connection 3 to 127.0.0.1:27017 closed')],
  ['unreachable', network('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED')],
  ['unreachable', network('getaddrinfo ENOTFOUND no.such.host.invalid', 'ENOTFOUND')],
  ['tls', network('Client network socket disconnected before secure TLS connection was established', 'ECONNRESET')],
  ['tls', network('self-signed certificate', 'DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['tls', network("Hostname/IP does not match certificate's altnames: Host: a", 'ERR_TLS_CERT_ALTNAME_INVALID')],
  ['badInput', new MongoParseError('option foobar is not supported')],
  ['badInput', new MongoInvalidArgumentError('Value for "x" must be a number')],
  ['limit', new MongoInvalidArgumentError('Document is larger than the maximum size 16777216')],
  ['limit', new RangeError('offset is out of bounds')],
  ['unsupported', new MongoCompatibilityError('Server at a reports maximum wire version 6')],
  [
    'unsupported',
    new MongoMissingDependencyError('Optional module `snappy` not found.', {
      cause: new Error('x'),
      dependencyName: 'snappy',
    }),
  ],
];

test.each(fromDriver)('%s: %s', (kind, thrown) => {
  expect(toError(thrown)).toMatchObject({ kind, message: expect.stringContaining(thrown.message) });
});

const selection = (message: string, cause?: Error) =>
  new MongoServerSelectionError(message, { error: cause ?? null, servers: new Map() } as never);

test('a server that is not found again was lost; one that is not found at first is not reachable', () => {
  const error = selection('…', network('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED'));
  expect(toError(error)).toMatchObject({ kind: 'serverGone' });
  const target = config.parse({ user: 'app', password: 'c4nary' }) as MongoConfig;
  expect(toError(connectError(target, error))).toMatchObject({ kind: 'unreachable', code: 'ECONNREFUSED' });
  const unfit = toError(connectError(target, selection('Server selection timed out after 3000 ms')));
  expect(unfit).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining('replica set') });
  const closed = toError(connectError(target, network('connection <monitor> to 127.0.0.1:27017 closed')));
  expect(closed).toMatchObject({ kind: 'unreachable', hint: expect.stringContaining('maxIncomingConnections') });
  const echo = toError(connectError(target, new MongoParseError('option c4nary is not supported')));
  expect(JSON.stringify([unfit, closed, echo])).not.toContain('c4nary');
});

test('of many writes, the first that failed tells what it was', () => {
  const errmsg = 'E11000 duplicate key error collection: dyno.e index: _id_ dup key: { _id: 1 }';
  const bulk = new MongoBulkWriteError({ message: errmsg, code: 11_000, writeErrors: [] }, {} as never);
  expect(toError(bulk)).toMatchObject({ kind: 'uniqueViolation', message: errmsg });
  const client = new MongoClientBulkWriteError({
    message: 'Mongo client ordered bulk write encountered a write error.',
  });
  client.writeErrors.set(0, { code: 11_000, message: errmsg });
  expect(toError(client)).toMatchObject({ kind: 'uniqueViolation', code: '11000', message: errmsg });
});

test('a bulk write that lost its server is no error of the bulk write', () => {
  const wrapped = (error: Error) => toError(new MongoBulkWriteError(error, {} as never));
  expect(wrapped(network('read ECONNRESET', 'ECONNRESET'))).toMatchObject({ kind: 'serverGone', code: 'ECONNRESET' });
  expect(wrapped(selection('…', network('connect ECONNREFUSED 127.0.0.1:1', 'ECONNREFUSED')))).toMatchObject({
    kind: 'serverGone',
  });
});

test('an abort of our own is not taken for the server’s code 20', () => {
  expect(toError(new DOMException('This operation was aborted', 'AbortError'))).toMatchObject({ kind: 'cancelled' });
  expect(toError(new DynoError('notOurs', 'x'))).toMatchObject({ kind: 'notOurs' });
});

test('knows an error by its number where the answer keeps the types of BSON', () => {
  const error = new MongoServerError({ code: new Int32(2) as never, codeName: 'BadValue', errmsg: 'no $where here' });
  expect(toError(error)).toMatchObject({ kind: toError(new MongoServerError({ code: 2, errmsg: 'x' })).kind });
  expect(toError(error)).toMatchObject({ code: '2 BadValue', message: 'no $where here' });
});
