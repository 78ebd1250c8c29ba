import oracledb from 'oracledb';
import { startKind } from '#managed-servers/test-kind.fixture.ts';
import type { Alternative } from '../conformance/conformance.ts';
import type { StartTestServer } from '../conformance/test-server.ts';
import { config, type OracleConfig } from './config.ts';
import { oracleEmulator } from './emulator/oracle-emulator.fixture.ts';
import { dictionaryName, quote } from './names.ts';
import { commentSql } from './schema/tables.ts';
import { listedValues, productValues, typedValues } from './typed-values.fixture.ts';

/** The database that the tests are told to use: oracle://user:password@host:1521/service. */
export const givenServer = process.env.DYNO_TEST_ORACLE;

/** Features in which the emulator does not stand for the product. */
const excused: Readonly<Record<string, string>> = {
  'by bulk': 'The emulator has no direct path load.',
  'direct calls': 'The emulator has no direct path load.',
  'readByKey by arrayBind': 'The emulator has no collection types that the driver can bind.',
  'cancel stops a call as declared': 'The emulator reacts to a break only when the statement has ended.',
  'comments nest': 'PostgreSQL, which answers here, has comments within comments.',
  'an emptied cache': 'The emulator has no buffer cache of its own to empty.',
  'probes never go back': 'The emulator has neither V$SYSTEM_EVENT nor V$EVENT_HISTOGRAM_MICRO, and none is made up.',
};

export const alternatives: readonly Alternative[] = [
  {
    options: {
      table: 'hashPartitioned',
      commit: 'nowaitBatch',
      multiRow: 'insertAll',
      statementCacheSize: 0,
      prefetchRows: 0,
    },
    unchanged: ['cancel', 'injection', 'capturedValues', 'parameterValues', 'readOnlySessions', 'probes', 'cells'],
  },
  ...(givenServer
    ? [
        { options: { table: 'iot', commit: 'waitBatch', serverLoop: 'forall' }, unchanged: ['cells'] as const },
        { options: { table: 'reverseKey' }, unchanged: ['cells'] as const },
      ]
    : []),
];

/** A database that is given, without exceptions; else the emulator. */
export const startTestServer: StartTestServer = async () => {
  const emulator = givenServer ? null : await startKind(oracleEmulator);
  const raw: Record<string, unknown> = emulator ? { ...emulator.raw } : { url: givenServer };
  const { user, password, connectString } = config.parse(raw) as OracleConfig;
  const client = await oracledb.getConnection({ user, password: password ?? undefined, connectString });
  const one = async (sql: string) => Number((await client.execute<[number]>(sql)).rows?.[0]?.[0]);
  return {
    raw,
    values: emulator ? typedValues : [...typedValues, ...productValues],
    listed: listedValues,
    slow: { raw, method: 'serverLoop', rows: 1_000_000 },
    foreign: {
      // No lock(): readers wait for nobody.
      create: async (name) => void (await client.execute(`CREATE TABLE ${quote(name)} AS SELECT 1 AS x FROM DUAL`)),
      async copy(original, name) {
        await client.execute(`CREATE TABLE ${quote(name)} AS SELECT * FROM ${quote(original)} WHERE 1 = 0`);
        const { rows } = await client.execute<[string]>(commentSql, [dictionaryName(original)]);
        await client.execute(`COMMENT ON TABLE ${quote(name)} IS '${rows?.[0]?.[0]}'`);
      },
      count: (name) => one(`SELECT COUNT(*) FROM ${quote(name)}`),
      drop: async (name) => void (await client.execute(`DROP TABLE ${quote(name)}`)),
    },
    ...(emulator && {
      excused,
      noIsolations: ['snapshot'] as const,
      saysIsolation: "SELECT current_setting('transaction_isolation') FROM DUAL",
      noPlans: 'PostgreSQL, which answers here, has no EXPLAIN PLAN.',
    }),
    async [Symbol.asyncDispose]() {
      await client.close();
      await emulator?.[Symbol.asyncDispose]();
    },
  };
};
