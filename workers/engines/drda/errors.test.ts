import { expect, test } from 'vitest';
import { DrdaError } from '#drda/index.ts';
import { type ErrorKind, isWriteConflict } from '#model/error.ts';
import { testHints } from '../shared/recorded-errors.fixture.ts';
import { toError } from './errors.ts';

const member = '(Server=localhost[42633],Thread[DRDAConnThread_11,5,gemfirexd.daemons]) ';

/** As the client makes them of an SQLCARD: recorded from Derby 10.16.1.1 and snappydata-store 1.6.5. */
const recorded: readonly (readonly [ErrorKind, boolean, string, readonly string[], string])[] = [
  ['notOurs', false, 'X0Y32', ['Table/View', 'T', 'Schema', 'APP', 'X0Y32'], 'Table/View T is there already.'],
  ['badInput', false, 'XJ004', ["Database 'nope' not found."], "Database 'nope' not found."],
  [
    'permission',
    false,
    '42500',
    ['LIMITED', 'INSERT', 'DYNO', 'REC', '42500'],
    'LIMITED has no right to INSERT on DYNO.REC.',
  ],
  [
    'permission',
    false,
    '42502',
    ['LIMITED', 'SELECT', 'ID', 'DYNO', 'REC', '42502'],
    'LIMITED has no right to SELECT on ID of DYNO.REC.',
  ],
  [
    'permission',
    false,
    '42504',
    ['LIMITED', 'EXECUTE', 'ROUTINE', 'SYSCS_UTIL', 'SYSCS_CHECKPOINT_DATABASE', '42504'],
    'LIMITED has no right to EXECUTE the routine SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE.',
  ],
  [
    'permission',
    false,
    '42507',
    [`${member}\u0018\u0018LIMITED`, 'DYNO', '42507'],
    'LIMITED may not do this in the schema DYNO.',
  ],
  ['permission', false, '42508', ['LIMITED', 'DYNO9', '42508'], 'LIMITED may not create the schema DYNO9.'],
  ['permission', false, '4251D', ['4251D'], 'Only the owner of the database may do this.'],
  ['uniqueViolation', false, '23505', ['REC_PK', 'REC', '23505'], 'Duplicate key: REC_PK of REC.'],
  [
    'uniqueViolation',
    false,
    '23505',
    [`${member}\u0018\u0018primary key constraint`, 'DYNO.REC', '23505'],
    'Duplicate key: primary key constraint of DYNO.REC.',
  ],
  ['constraint', false, '23502', ['ID', '23502'], 'Column ID takes no null.'],
  ['constraint', false, '23513', ['"DYNO"."REC"', 'REC_CK', '23513'], 'Check REC_CK of "DYNO"."REC" is violated.'],
  ['constraint', false, '22001', ['VARCHAR', '123456', '5', '22001'], 'A value is longer than VARCHAR(5).'],
  [
    'constraint',
    false,
    '22003',
    [`${member}\u0018\u0018DECIMAL/NUMERIC(5,2) - 123456.7`, 'D', '22003'],
    'range of DECIMAL/NUMERIC(5,2).',
  ],
  [
    'deadlock',
    true,
    '40001',
    ['Lock : ROW, REC, (1,8)\n  Waiting XID : {268, X} , DYNO, update …', '268', '40001'],
    'Deadlock',
  ],
  ['lockTimeout', true, '40XL1', ['40XL1'], 'A lock was not had in time.'],
  [
    'serialization',
    true,
    'X0Z02',
    [
      `${member}\u0018\u0018Conflict detected on object [VMLocalRowLocationThinRegionEntryHeap@75dcabbe] for mode EX_SH`,
      'X0Z02.T',
    ],
    'Write conflict with another transaction.',
  ],
  [
    'unsupported',
    false,
    'X0Z14',
    [`${member}DataDictionary has to be persistent when configuring table 'DYNO.T' with persistence.`],
    "DataDictionary has to be persistent when configuring table 'DYNO.T' with persistence.",
  ],
  ['serverGone', false, '08003', [`${member}No current connection.`], 'No current connection.'],
  ['syntax', false, '42X01', ['Encountered "selec" at line 1, column 1', '42X01'], 'Syntax error: Encountered "selec"'],
  ['syntax', false, '42X05', [`${member}\u0018\u0018DYNO.NOSUCH`, '42X05'], 'There is no table DYNO.NOSUCH.'],
  ['limit', false, 'XJ001', ['java.lang.StackOverflowError', '', 'XJ001.U'], 'java.lang.StackOverflowError'],
  ['unsupported', false, 'XJ045', [`${member}\u0018\u00188`, 'XJ045.S'], 'no such isolation'],
  [
    'other',
    false,
    '38000',
    [`${member}\u0018\u0018java.lang.IllegalStateException: Disk store not found`, '38000'],
    'Disk store not found',
  ],
];

const sqlError = (sqlState: string, tokens: readonly string[], row: number | null = null) =>
  new DrdaError('sql', `SQLSTATE ${sqlState}, SQLCODE -20001: ${tokens.join(' | ')}`, {
    sqlState,
    sqlCode: -20_001,
    tokens,
    row,
  });

test.each(recorded)('%s (retryable: %s): %s %j', (kind, retryable, sqlState, tokens, words) => {
  const error = toError(sqlError(sqlState, tokens));
  expect(error).toMatchObject({ kind, retryable, code: sqlState, message: expect.stringContaining(words) });
  expect(error.message).not.toContain('Server=');
});

/** By documentation, for they could not be provoked. */
test.each([
  ['diskFull', 'XSLA4', ['XSLA4.D']],
  ['diskFull', 'XSDG1', ['Page(1,Container(0, 1073))', 'XSDG1.D']],
  ['cancelled', 'XCL56', [`${member}The statement has been cancelled due to a user request.`]],
  ['limit', 'XCL54', [`${member}\u0018\u0018localhost`, 'XCL54.T']],
  ['serverGone', '08006', ['Database dyno shutdown.']],
  ['serialization', 'X0Z18', [`${member}Bucket moved`]],
] as const)('%s: %s, as the manuals have it', (kind, sqlState, tokens) => {
  expect(toError(sqlError(sqlState, tokens))).toMatchObject({ kind, code: sqlState });
});

/** As the client makes them without an SQLCARD; recorded from it. */
test.each([
  ['authentication', 'security', 'Login refused: the user or password is wrong (SECCHKCD 0x13).', null],
  ['unreachable', 'unreachable', '127.0.0.1:1 cannot be reached: ECONNREFUSED.', 'ECONNREFUSED'],
  ['unreachable', 'unreachable', 'no.such.host.invalid:1527 cannot be reached: ENOTFOUND.', 'ENOTFOUND'],
  ['tls', 'tls', 'TLS with 127.0.0.1:1527 failed: ERR_SSL_WRONG_VERSION_NUMBER.', 'ERR_SSL_WRONG_VERSION_NUMBER'],
  ['serverGone', 'closed', 'The connection was closed by the server.', 'ECONNRESET'],
  ['timeout', 'timeout', 'No answer within 10000 ms.', null],
] as const)('%s: %s', (kind, from, message, code) => {
  const cause = code === null ? undefined : Object.assign(new Error('cause'), { code });
  const error = toError(new DrdaError(from, message, { cause }));
  expect(error).toMatchObject({ kind, code, message });
  expect(error.hint).toBeTruthy();
});

test('a row of a chain is named, counted from one', () => {
  expect(toError(sqlError('23505', ['REC_PK', 'REC', '23505'], 1)).message).toBe(
    'Row 2 of the call: Duplicate key: REC_PK of REC.',
  );
});

test('deadlocks and write conflicts are what a runner tries again', () => {
  const retried = recorded.filter(([, , state, tokens]) => isWriteConflict(toError(sqlError(state, tokens))));
  expect(retried.map(([, , state]) => state)).toEqual(['40001', 'X0Z02']);
});

test('a missing database is told by the reply message, too', () => {
  expect(toError(new DrdaError('protocol', 'RDBNFNRM', { codePoint: 0x2211 }))).toMatchObject({ kind: 'badInput' });
});

testHints(
  recorded.map(([kind, , state, tokens]) => [kind, toError(sqlError(state, tokens))]),
  ['unsupported'],
);
