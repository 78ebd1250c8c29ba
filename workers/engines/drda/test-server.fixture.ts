import { missingError, missingOf } from '#host/lab/kinds.ts';
import type { ServerKind } from '#host/lab/server-kind.ts';
import { derby } from '#host/lab/servers/derby.ts';
import { snappydata } from '#host/lab/servers/snappydata.ts';
import {
  givenOrTestServer,
  type TestServer as Started,
  startTestServer as startServer,
} from '#host/lab/test-server.fixture.ts';
import type { StartTestServer, TestServer } from '../test-server.ts';
import { config, type DrdaConfig } from './config.ts';
import { connect } from './connect.ts';
import { quote, schemaName } from './names.ts';
import { one, run } from './query.ts';
import { typedValues } from './typed-values.fixture.ts';

/** DYNO_TEST_DRDA=drda://user:password@host:port/database names a server; without it a Derby is started. */
export const startTestServer: StartTestServer = async () => asTestServer(await givenOrTestServer(derby), 9);

/** SQLFire's descendant, where a fitting JDK is. */
export const otherServers: Readonly<Record<string, StartTestServer>> = {
  'snappydata-store': async () => {
    await requireKind(snappydata);
    return {
      ...(await asTestServer(await startServer(snappydata), 6)),
      noIsolations: ['readUncommitted', 'serializable'],
      uncheckedUnique: 'The row store looks at rows that come after the index alone.',
    };
  },
};

async function requireKind(kind: ServerKind): Promise<void> {
  const missing = await missingOf(kind);
  if (missing) throw missingError(kind, missing);
}

/** `digits` of a second that a TIMESTAMP is sent with. */
async function asTestServer(server: Started, digits: number): Promise<TestServer> {
  const { raw } = server;
  const admin = await connect(config.parse(raw) as DrdaConfig, 'test-fixture');
  const table = (name: string) => `${schemaName}.${quote(name)}`;
  return {
    raw,
    values: typedValues(digits),
    saysIsolation: 'VALUES CURRENT ISOLATION',
    slow: { raw, method: 'prepared', rows: 1 },
    foreign: {
      async create(name) {
        await run(admin, `CREATE TABLE ${table(name)} (X INTEGER)`);
        await run(admin, `INSERT INTO ${table(name)} VALUES (1)`);
      },
      count: async (name) => Number(await one(admin, `SELECT COUNT(*) FROM ${table(name)}`)),
      drop: async (name) => void (await run(admin, `DROP TABLE ${table(name)}`)),
    },
    async [Symbol.asyncDispose]() {
      await admin.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
