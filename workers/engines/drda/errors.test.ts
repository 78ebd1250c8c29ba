import { expect, test } from 'vitest';
import { DrdaError } from '#drda/index.ts';
import { isWriteConflict } from '#model/error.ts';
import { casesOf, testHints } from '../shared/recorded-errors.fixture.ts';
import { toError } from './errors.ts';

const member = '(Server=localhost[42633],Thread[DRDAConnThread_11,5,gemfirexd.daemons]) ';

/** Errors that the client makes of an SQLCARD, recorded from Derby 10.16.1.1 and snappydata-store 1.6.5. */
const recorded = casesOf<{ readonly tokens: readonly string[]; readonly words: string }>({
  notOurs: {
    X0Y32: { tokens: ['Table/View', 'T', 'Schema', 'APP', 'X0Y32'], words: 'Table/View T is there already.' },
  },
  badInput: { XJ004: { tokens: ["Database 'nope' not found."], words: "Database 'nope' not found." } },
  permission: {
    42500: {
      tokens: ['LIMITED', 'INSERT', 'DYNO', 'REC', '42500'],
      words: 'LIMITED has no right to INSERT on DYNO.REC.',
    },
    42502: {
      tokens: ['LIMITED', 'SELECT', 'ID', 'DYNO', 'REC', '42502'],
      words: 'LIMITED has no right to SELECT on ID of DYNO.REC.',
    },
    42504: {
      tokens: ['LIMITED', 'EXECUTE', 'ROUTINE', 'SYSCS_UTIL', 'SYSCS_CHECKPOINT_DATABASE', '42504'],
      words: 'LIMITED has no right to EXECUTE the routine SYSCS_UTIL.SYSCS_CHECKPOINT_DATABASE.',
    },
    42507: {
      tokens: [`${member}\u0018\u0018LIMITED`, 'DYNO', '42507'],
      words: 'LIMITED may not do this in the schema DYNO.',
    },
    42508: { tokens: ['LIMITED', 'DYNO9', '42508'], words: 'LIMITED may not create the schema DYNO9.' },
    '4251D': { tokens: ['4251D'], words: 'Only the owner of the database may do this.' },
  },
  uniqueViolation: {
    23505: [
      { tokens: ['REC_PK', 'REC', '23505'], words: 'Duplicate key: REC_PK of REC.' },
      {
        tokens: [`${member}\u0018\u0018primary key constraint`, 'DYNO.REC', '23505'],
        words: 'Duplicate key: primary key constraint of DYNO.REC.',
      },
    ],
  },
  constraint: {
    23502: { tokens: ['ID', '23502'], words: 'Column ID takes no null.' },
    23513: { tokens: ['"DYNO"."REC"', 'REC_CK', '23513'], words: 'Check REC_CK of "DYNO"."REC" is violated.' },
    22001: { tokens: ['VARCHAR', '123456', '5', '22001'], words: 'A value is longer than VARCHAR(5).' },
    22003: {
      tokens: [`${member}\u0018\u0018DECIMAL/NUMERIC(5,2) - 123456.7`, 'D', '22003'],
      words: 'range of DECIMAL/NUMERIC(5,2).',
    },
  },
  'deadlock, retryable': {
    40001: {
      tokens: ['Lock : ROW, REC, (1,8)\n  Waiting XID : {268, X} , DYNO, update …', '268', '40001'],
      words: 'Deadlock',
    },
  },
  'lockTimeout, retryable': { '40XL1': { tokens: ['40XL1'], words: 'A lock was not had in time.' } },
  'serialization, retryable': {
    X0Z02: {
      tokens: [
        `${member}\u0018\u0018Conflict detected on object [VMLocalRowLocationThinRegionEntryHeap@75dcabbe] for mode EX_SH`,
        'X0Z02.T',
      ],
      words: 'Write conflict with another transaction.',
    },
  },
  unsupported: {
    X0Z14: {
      tokens: [`${member}DataDictionary has to be persistent when configuring table 'DYNO.T' with persistence.`],
      words: "DataDictionary has to be persistent when configuring table 'DYNO.T' with persistence.",
    },
    XJ045: { tokens: [`${member}\u0018\u00188`, 'XJ045.S'], words: 'no such isolation' },
  },
  serverGone: { '08003': { tokens: [`${member}No current connection.`], words: 'No current connection.' } },
  syntax: {
    '42X01': {
      tokens: ['Encountered "selec" at line 1, column 1', '42X01'],
      words: 'Syntax error: Encountered "selec"',
    },
    '42X05': { tokens: [`${member}\u0018\u0018DYNO.NOSUCH`, '42X05'], words: 'There is no table DYNO.NOSUCH.' },
  },
  limit: { XJ001: { tokens: ['java.lang.StackOverflowError', '', 'XJ001.U'], words: 'java.lang.StackOverflowError' } },
  other: {
    38000: {
      tokens: [`${member}\u0018\u0018java.lang.IllegalStateException: Disk store not found`, '38000'],
      words: 'Disk store not found',
    },
  },
});

const sqlError = (sqlState: string, tokens: readonly string[], row: number | null = null) =>
  new DrdaError('sql', `SQLSTATE ${sqlState}, SQLCODE -20001: ${tokens.join(' | ')}`, {
    sqlState,
    sqlCode: -20_001,
    tokens,
    row,
  });

test.each(recorded)('%s (retryable: %s): %s %j', (kind, retryable, sqlState, { tokens, words }) => {
  const error = toError(sqlError(sqlState, tokens));
  expect(error).toMatchObject({ kind, retryable, code: sqlState, message: expect.stringContaining(words) });
  expect(error.message).not.toContain('Server=');
});

/** These errors come from the documentation, because they could not be provoked. */
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

/** The client makes these errors without an SQLCARD; they are recorded from it. */
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
  const retried = recorded.filter(([, , state, { tokens }]) => isWriteConflict(toError(sqlError(state, tokens))));
  expect(retried.map(([, , state]) => state)).toEqual(['40001', 'X0Z02']);
});

test('a missing database is told by the reply message, too', () => {
  expect(toError(new DrdaError('protocol', 'RDBNFNRM', { codePoint: 0x2211 }))).toMatchObject({ kind: 'badInput' });
});

testHints(
  recorded.map(([kind, , state, { tokens }]) => [kind, toError(sqlError(state, tokens))]),
  ['unsupported'],
);
