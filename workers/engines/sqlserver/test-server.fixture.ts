import { DynoError } from '#model/error.ts';
import type { Alternative } from '../conformance/conformance.ts';
import type { StartTestServer } from '../conformance/test-server.ts';
import { config, type SqlServerConfig } from './config.ts';
import { close, connect } from './connection/connect.ts';
import { snapshotsSql } from './connection/isolation.ts';
import { askServer } from './connection/server.ts';
import { sessionOptions } from './options.ts';
import { listedValues, typedValues } from './typed-values.fixture.ts';
import { execute, query } from './wire/request.ts';
import { callByPosition } from './wire/stand-in-calls.fixture.ts';

/** The server of SQL Server's tests; no registry has the server itself. */
function givenServer(): string {
  const url = process.env.DYNO_TEST_SQLSERVER;
  if (url) return url;
  throw new DynoError('unsupported', 'No SQL Server to test on: DYNO_TEST_SQLSERVER is not set.', {
    hint: 'DYNO_TEST_SQLSERVER=mssql://user:password@host:1433/database?trustServerCertificate=true',
  });
}

/** Features that Babelfish 4.3 lacks; SQL Server itself is excused from nothing. */
const lateCancel = 'Babelfish answers an attention only when the statement has ended.';
const failedBulk =
  'Babelfish keeps rows of a bulk load that it has refused, and ends the session at the next one in a transaction.';
/** Values of other types (keys, numbers) arrive intact where they are not null. */
const wideTexts =
  'Babelfish writes nvarchar values of a table-valued parameter into an INSERT as they are, unquoted, or as the word NULL (TdsRecvTypeTable).';
const uuidsAsText = 'Babelfish compares a uniqueidentifier from its first byte to the last, as PostgreSQL does a uuid.';
const excused: Readonly<Record<string, string>> = {
  'by arrayBind (': wideTexts,
  'by arrayBind: calls encoded long': wideTexts,
  'update by arrayBind': wideTexts,
  'by bulk: a failed call leaves': failedBulk,
  'by bulk: a key that is there': failedBulk,
  'by bulk: a row whose foreign key': failedBulk,
  'uuid keys are found in the order': uuidsAsText,
  'cancel stops a call': lateCancel,
  'cancel stops the control connection': lateCancel,
  'probes never go back': 'Babelfish has no sys.dm_os_* and sys.dm_io_* views and no sys.dm_exec_requests.',
};

/** Options whose other values have to pass the same checks as the defaults. */
export const alternatives: readonly Alternative[] = [
  { options: { table: 'nonclustered', packetSize: 512, noDelay: false }, unchanged: ['cells'] },
  {
    options: { tableLock: false, batchHint: false },
    unchanged: [
      'reads',
      'changes',
      'isolation',
      'cancel',
      'foreignKeys',
      'customStatements',
      'injection',
      'capturedValues',
      'parameterValues',
      'readOnlySessions',
      'queryPlans',
      'probes',
      'cells',
    ],
  },
  { options: { driver: 'mssql' }, unchanged: ['cells'] },
  { options: { path: 'driver' }, unchanged: ['tables', 'keyAndIndexes', 'foreignKeys', 'queryPlans', 'cells'] },
];

export const startTestServer: StartTestServer = async () => {
  const raw = { url: givenServer() };
  const connection = await connect(config.parse(raw) as SqlServerConfig, 'dyno-test-admin', sessionOptions({}));
  const { emulator } = await askServer(connection);
  if (emulator !== null) callByPosition();
  const [database] = await query<{ state: number }>(connection, snapshotsSql);
  return {
    raw,
    values: typedValues,
    listed: listedValues,
    saysIsolation: `SELECT CHOOSE(transaction_isolation_level, 'READ UNCOMMITTED', 'READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE', 'SNAPSHOT')
      FROM sys.dm_exec_sessions WHERE session_id = @@SPID`,
    ...(database?.state !== 1 && { noIsolations: ['snapshot'] as const }),
    slow: { raw, method: 'serverLoop', rows: 1_000_000 },
    foreign: {
      async lock(name) {
        await execute(connection, `BEGIN TRANSACTION; SELECT 1 FROM dyno.[${name}] WITH (TABLOCKX, HOLDLOCK)`);
        return async () => void (await execute(connection, 'ROLLBACK TRANSACTION'));
      },
      create: async (name) => void (await execute(connection, `SELECT 1 AS x INTO dyno.[${name}]`)),
      async copy(original, name) {
        await execute(connection, `SELECT TOP (0) * INTO dyno.[${name}] FROM dyno.[${original}]`);
        await execute(
          connection,
          `EXECUTE sys.sp_addextendedproperty @name = N'dyno', @value = N'${original}', @level0type = N'SCHEMA', @level0name = N'dyno', @level1type = N'TABLE', @level1name = N'${name}'`,
        );
      },
      count: async (name) =>
        Number((await query<{ n: number }>(connection, `SELECT COUNT(*) AS n FROM dyno.[${name}]`))[0]?.n),
      drop: async (name) => void (await execute(connection, `DROP TABLE dyno.[${name}]`)),
    },
    ...(emulator === null
      ? {}
      : { excused, noStoredBytes: 'Babelfish has neither sys.dm_db_partition_stats nor sp_spaceused.' }),
    [Symbol.asyncDispose]: () => close(connection),
  };
};
