import { MongoServerError, MongoTransactionError } from 'mongodb';
import { expect, test } from 'vitest';
import { DrdaError } from '#drda/index.ts';
import type { ErrorData } from '#model/error.ts';
import { toError as drda } from './drda/errors.ts';
import { toError as mongodb } from './mongodb/errors.ts';
import { toError as mysql } from './mysql/errors.ts';
import { toError as oracle } from './oracle/errors.ts';
import { toError as postgres } from './postgres/errors.ts';
import { toError as sqlite } from './sqlite/errors.ts';

/** Errors as the drivers throw them: a code, a message, and what else the driver adds. */
const thrownBy = {
  postgres: (code: string, message: string, more: object = {}) =>
    postgres(Object.assign(new Error(message), { code, ...more })),
  mysql: (code: number | string, message: string) =>
    mysql(
      Object.assign(new Error(message), typeof code === 'number' ? { errno: code, sqlMessage: message } : { code }),
    ),
  oracle: (code: string, message: string) => oracle(Object.assign(new Error(`${code}: ${message}`), { code })),
  sqlite: (code: number, message: string) => sqlite(Object.assign(new Error(message), { errcode: code })),
  mongodb: (code: number, message: string) => mongodb(new MongoServerError({ code, message, errmsg: message })),
  drda: (state: string, message: string) => drda(new DrdaError('sql', message, { sqlState: state, tokens: [message] })),
} satisfies Record<string, (...error: never[]) => ErrorData>;

const ofFile = (code: string) => [code, `${code}: no such file, open '/etc/dyno/ca.pem'`] as const;

/** A hint, an error of its cause, and errors of other causes that come by the same code or by one like it. */
interface Case {
  readonly hint: RegExp;
  readonly for: ErrorData;
  readonly notFor: readonly ErrorData[];
}

const { postgres: pg, mysql: my, oracle: ora, sqlite: lite, mongodb: mongo, drda: dr } = thrownBy;

const supplies = 'bind message supplies 0 parameters, but prepared statement "" requires 1';
const tooMany = 'bind message has 0 parameter formats but 4464 parameters';

const cases: Readonly<Record<string, readonly Case[]>> = {
  postgres: [
    {
      hint: /Lower rowsPerCall: a message holds 65,535 parameters/,
      for: pg('08P01', tooMany),
      notFor: [pg('08P01', supplies), pg('08P01', 'no such database: shop'), pg('54000', 'row is too big: size 9000')],
    },
    {
      hint: /write parameters as :name/,
      for: pg('08P01', supplies),
      notFor: [
        pg('08P01', tooMany),
        pg('08P01', 'query_wait_timeout'),
        pg('42P18', 'could not determine data type of parameter $1'),
      ],
    },
    {
      hint: /write parameters as :name/,
      for: pg('42P02', 'there is no parameter $1'),
      notFor: [pg('42703', 'column "$1" does not exist')],
    },
    {
      hint: /:name::integer/,
      for: pg('42P18', 'could not determine data type of parameter $1'),
      notFor: [pg('42P18', 'could not determine polymorphic type'), pg('42P02', 'there is no parameter $1')],
    },
    {
      hint: /entry of a B-tree/,
      for: pg('54000', 'index row size 2712 exceeds btree version 4 maximum 2704 for index "i"'),
      notFor: [
        pg('54000', 'row is too big: size 9000, maximum size 8160'),
        pg('54000', 'cannot have more than 2^32-2 commands in a transaction'),
      ],
    },
    {
      hint: /max_stack_depth/,
      for: pg('54001', 'stack depth limit exceeded'),
      notFor: [pg('54011', 'tables can have at most 1600 columns')],
    },
    {
      hint: /max_locks_per_transaction/,
      for: pg('53200', 'out of shared memory'),
      notFor: [pg('53200', 'out of memory')],
    },
    { hint: /ran out of memory/, for: pg('53200', 'out of memory'), notFor: [pg('53200', 'out of shared memory')] },
    {
      hint: /raise max_connections/,
      for: pg('53300', 'sorry, too many clients already'),
      notFor: [
        pg('53300', 'too many connections for role "app"'),
        pg('53300', 'too many connections for database "a"'),
      ],
    },
    {
      hint: /pg_hba\.conf lets it in/,
      for: pg('28000', 'no pg_hba.conf entry for host "::1", user "a", database "a", no encryption'),
      notFor: [pg('28000', 'role "nobody" does not exist'), pg('28000', 'role "a" is not permitted to log in')],
    },
    {
      hint: /right named above/,
      for: pg('42501', 'permission denied for table t'),
      notFor: [
        pg('42501', 'new row violates row-level security policy for table "t"'),
        pg('42501', 'must be owner of table t'),
      ],
    },
    {
      hint: /target’s database/,
      for: pg('3D000', 'database "nope" does not exist', { severity: 'FATAL' }),
      notFor: [pg('3D000', 'database "nope" does not exist', { severity: 'ERROR' })],
    },
    {
      hint: /give the target one/,
      for: postgres(new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string')),
      notFor: [postgres(new Error('SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match'))],
    },
    { hint: /Unix socket/, for: pg('ENOENT', 'connect ENOENT /tmp/.s.PGSQL.5432'), notFor: [pg(...ofFile('ENOENT'))] },
    {
      hint: /firewall/,
      for: pg('ETIMEDOUT', 'connect ETIMEDOUT 10.0.0.1:5432'),
      notFor: [pg('ETIMEDOUT', 'read ETIMEDOUT')],
    },
    {
      hint: /statement_timeout/,
      for: pg('57014', 'canceling statement due to statement timeout'),
      notFor: [pg('57014', 'canceling statement due to user request')],
    },
  ],
  mysql: [
    {
      hint: /NO_ZERO_DATE/,
      for: my(1292, "Incorrect date value: '0000-00-00' for column `s`.`t`.`d` at row 1"),
      notFor: [
        my(1292, "Incorrect datetime value: '2024-13-01' for column d"),
        my(1292, "Truncated incorrect DOUBLE value: 'x'"),
        my(1366, "Incorrect integer value: 'a'"),
      ],
    },
    {
      hint: /takes no writes/,
      for: my(1290, 'The MariaDB server is running with the --read-only option so it cannot execute this statement'),
      notFor: [
        my(1290, 'The MySQL server is running with the --secure-file-priv option so it cannot execute this statement'),
      ],
    },
    {
      hint: /max_connections/,
      for: my(1040, 'Too many connections'),
      notFor: [my(1226, "User 'a' has exceeded the 'max_questions' resource (current value: 5)")],
    },
    {
      hint: /ran out of memory/,
      for: my(1037, 'Out of memory; restart server and try again'),
      notFor: [
        my(1038, 'Out of sort memory, consider increasing server sort buffer size'),
        my(1206, 'The total number of locks exceeds the lock table size'),
        my(1436, 'Thread stack overrun'),
      ],
    },
    { hint: /sort_buffer_size/, for: my(1038, 'Out of sort memory'), notFor: [my(1037, 'Out of memory')] },
    {
      hint: /innodb_buffer_pool_size/,
      for: my(1206, 'The total number of locks exceeds the lock table size'),
      notFor: [my(1205, 'Lock wait timeout exceeded')],
    },
    {
      hint: /right named above/,
      for: my(1142, "SELECT command denied to user 'a'@'h' for table 't'"),
      notFor: [my(1095, 'You are not owner of thread 4'), my(1044, "Access denied for user 'a'@'%' to database 'x'")],
    },
    {
      hint: /max_heap_table_size/,
      for: my(1114, "The table 't' is full"),
      notFor: [my(1021, 'Disk full (/tmp); waiting for someone to free some space')],
    },
    { hint: /Unix socket/, for: my('ENOENT', 'connect ENOENT /run/mysqld.sock'), notFor: [my(...ofFile('ENOENT'))] },
  ],
  oracle: [
    {
      hint: /literals fill it/,
      for: ora('ORA-04031', 'unable to allocate 4160 bytes of shared memory ("shared pool","select","KGLH0","x")'),
      notFor: [ora('ORA-04031', 'unable to allocate 65560 bytes of shared memory ("large pool","unknown object")')],
    },
    {
      hint: /two rows have the same key/,
      for: ora('ORA-26026', 'unique index DYNO.DYNO_1_PK initially in unusable state'),
      notFor: [ora('ORA-01502', "index 'SHOP.ORDERS_I' or partition of such index is in unusable state")],
    },
    {
      hint: /split the list/,
      for: ora('ORA-01795', 'maximum number of expressions in a list is 1000'),
      notFor: [ora('ORA-00913', 'too many values')],
    },
  ],
  sqlite: [
    {
      hint: /32,766 parameters/,
      for: lite(1, 'too many SQL variables'),
      notFor: [lite(25, 'column index out of range'), lite(1, 'no such column: x'), lite(18, 'string or blob too big')],
    },
    {
      hint: /fewer parameters than there are values/,
      for: lite(25, 'column index out of range'),
      notFor: [lite(1, 'too many SQL variables')],
    },
    {
      hint: /nested too deeply/,
      for: lite(1, 'Expression tree is too large (maximum depth 1000)'),
      notFor: [lite(1, 'near "x": syntax error')],
    },
    {
      hint: /moved or deleted/,
      for: lite(1_032, 'attempt to write a readonly database'),
      notFor: [lite(8, 'attempt to write a readonly database')],
    },
    {
      hint: /folder is read-only/,
      for: lite(8, 'attempt to write a readonly database'),
      notFor: [lite(1_032, 'attempt to write a readonly database')],
    },
  ],
  mongodb: [
    {
      hint: /Fewer rows per call/,
      for: mongo(257, 'Total size of all transaction operations must be less than 16793600'),
      notFor: [
        mongo(292, 'Sort exceeded memory limit of 104857600 bytes'),
        mongo(293, '$push used too much memory'),
        mongo(17280, 'key too large to index'),
      ],
    },
    {
      hint: /allowDiskUse/,
      for: mongo(292, 'Sort exceeded memory limit of 104857600 bytes'),
      notFor: [mongo(257, 'Transaction is too large')],
    },
    {
      hint: /changed the same document/,
      for: mongo(112, 'Write conflict during plan execution and yielding is disabled.'),
      notFor: [
        mongo(251, 'Transaction with { txnNumber: 3 } has been aborted.'),
        mongo(246, 'Unable to read from a snapshot due to pending collection catalog changes'),
      ],
    },
    {
      hint: /need readPreference/,
      for: mongodb(new MongoTransactionError('Read preference in a transaction must be primary, not: secondary')),
      notFor: [mongodb(new MongoTransactionError('Cannot call commitTransaction twice'))],
    },
    {
      hint: /need a replica set/,
      for: mongo(20, 'Transaction numbers are only allowed on a replica set member or mongos'),
      notFor: [mongo(20, 'Cannot create field in a capped collection')],
    },
  ],
  drda: [
    {
      hint: /larger stack/,
      for: dr('XJ001', 'Java exception: : java.lang.StackOverflowError'),
      notFor: [dr('XJ001', 'Java exception: : java.lang.OutOfMemoryError')],
    },
    {
      hint: /larger heap/,
      for: dr('53000', 'Java exception: : java.lang.OutOfMemoryError'),
      notFor: [dr('54000', 'Reached a limit of the language'), dr('XJ001', 'java.lang.StackOverflowError')],
    },
    {
      hint: /maxThreads/,
      for: drda(new DrdaError('timeout', 'No connection to 127.0.0.1:1527 within 5000 ms.')),
      notFor: [
        drda(new DrdaError('timeout', 'The server did not answer for 60000 ms.')),
        drda(new DrdaError('protocol', 'Malformed reply: QRYDTA ended.')),
      ],
    },
  ],
};

const all = Object.entries(cases).flatMap(([engine, some]) =>
  some.map((one) => [engine, String(one.hint), one] as const),
);

test.each(all)('%s: %s is given for its cause', (_, __, { hint, for: error }) => {
  expect(error.hint).toMatch(hint);
});

test.each(all)('%s: %s is given for no other cause', (_, __, { hint, notFor }) => {
  expect(notFor.length).toBeGreaterThan(0);
  for (const error of notFor) expect(error.hint ?? '', error.message).not.toMatch(hint);
});

test('a hint of the server’s own comes before Dyno’s', () => {
  const hint = 'You might need to increase "max_locks_per_transaction".';
  expect(pg('53200', 'out of shared memory', { hint }).hint).toBe(hint);
});
