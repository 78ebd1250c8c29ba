import { expect, test } from 'vitest';
import { type ErrorKind, mayGoOtherwise } from '#model/error.ts';
import { testHints } from '../shared/recorded-errors.fixture.ts';
import { toError } from './errors.ts';

/** Errors as `pg` throws them, recorded from PostgreSQL 18 and Node 24. */
const recorded: readonly (readonly [ErrorKind, boolean, string | null, string])[] = [
  ['authentication', false, '28P01', 'password authentication failed for user "postgres"'],
  [
    'authentication',
    false,
    '28000',
    'no pg_hba.conf entry for host "10.0.0.7", user "app", database "app", no encryption',
  ],
  ['authentication', false, null, 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'],
  ['badInput', false, '3D000', 'database "nope" does not exist'],
  ['permission', false, '42501', 'permission denied for database postgres'],
  ['uniqueViolation', false, '23505', 'duplicate key value violates unique constraint "dyno_t1_pkey"'],
  ['notOurs', false, '42P07', 'relation "t" already exists'],
  ['constraint', false, '23502', 'null value in column "id" of relation "t" violates not-null constraint'],
  ['constraint', false, '22001', 'value too long for type character varying(5)'],
  [
    'constraint',
    false,
    '22P05',
    'character with byte sequence 0xe9 0xa3 0xaf in encoding "UTF8" has no equivalent in encoding "LATIN1"',
  ],
  ['deadlock', true, '40P01', 'deadlock detected'],
  ['lockTimeout', true, '55P03', 'canceling statement due to lock timeout'],
  ['serialization', true, '40001', 'could not serialize access due to concurrent update'],
  ['cancelled', false, '57014', 'canceling statement due to user request'],
  ['statementTimeout', false, '57014', 'canceling statement due to statement timeout'],
  ['serverGone', false, '57P01', 'terminating connection due to administrator command'],
  ['unreachable', true, '57P03', 'the database system is starting up'],
  ['serverGone', false, null, 'Connection terminated unexpectedly'],
  ['serverGone', false, 'ECONNRESET', 'read ECONNRESET'],
  ['diskFull', false, '53100', 'could not extend file "base/5/16400": No space left on device'],
  ['other', false, '26000', 'prepared statement "dyno_1" does not exist'],
  ['other', false, '42P05', 'prepared statement "dyno_1" already exists'],
  ['connectionLimit', false, '53300', 'sorry, too many clients already'],
  ['limit', false, '53200', 'out of memory'],
  ['syntax', false, '42601', 'syntax error at or near "SELEC"'],
  ['unreachable', false, 'ENOTFOUND', 'getaddrinfo ENOTFOUND no.such.host.invalid'],
  ['unreachable', false, 'ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:1'],
  ['unreachable', false, 'ENOENT', 'connect ENOENT /tmp/none/.s.PGSQL.5432'],
  ['unreachable', false, null, 'timeout expired'],
  ['tls', false, null, 'The server does not support SSL connections'],
  ['tls', false, 'DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate'],
  ['tls', false, 'ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames"],
];

const errorOf = (code: string | null, message: string) =>
  toError(Object.assign(new Error(message), code === null ? {} : { code }));

test.each(recorded)('%s (retryable: %s): %s %s', (kind, retryable, code, message) => {
  expect(errorOf(code, message)).toMatchObject({ kind, retryable, code, message: expect.stringContaining(message) });
});

testHints(
  recorded.map(([kind, , code, message]) => [kind, errorOf(code, message)]),
  ['serialization'],
);

test('a repeat would meet the limit on the time of a statement again, and a user who cancels it not', () => {
  const [ofLimit, ofUser] = ['statement timeout', 'user request'].map((why) =>
    errorOf('57014', `canceling statement due to ${why}`),
  );
  expect([mayGoOtherwise(ofLimit!.kind), mayGoOtherwise(ofUser!.kind)]).toEqual([false, true]);
});

test('a host with several addresses fails with the reason of the first', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:5432'), { code: 'ECONNREFUSED' });
  const error = Object.assign(new AggregateError([refused, new Error('another')]), { code: 'ECONNREFUSED' });
  expect(toError(error)).toMatchObject({ kind: 'unreachable', message: 'connect ECONNREFUSED ::1:5432' });
});

test('a detail of the server is part of the message', () => {
  const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (id)=(7) already exists.' });
  expect(toError(error).message).toBe('duplicate key (Key (id)=(7) already exists.)');
});
