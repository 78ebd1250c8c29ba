import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { derby, derbyByVersion } from '#managed-servers/servers/derby.ts';
import { missingError, missingOf } from '#managed-servers/servers/kinds.ts';
import { snappydata } from '#managed-servers/servers/snappydata.ts';
import {
  givenOrTestServer,
  type TestServer as Started,
  sharedTestServer,
} from '#managed-servers/test-server.fixture.ts';
import type { StartTestServer, TestServer } from '../conformance/test-server.ts';
import { config, type DrdaConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { one, query, run } from './connection/query.ts';
import { catalogName, quote, schemaName } from './names.ts';
import { listedValues, typedValues } from './typed-values.fixture.ts';

/** The version of `local-derby`, whose conformance is tested as a whole. */
const usualVersion = 'derby@10.16';

/** DYNO_TEST_DRDA=drda://user:password@host:port/database names a server; without it a Derby is started. */
export const startTestServer: StartTestServer = async () => asTestServer(await givenOrTestServer(derby), 9);

/** The versions of Derby beside the usual one, by their targets; `npm test` has a smoke test of each. */
export const otherVersions: Readonly<Record<string, StartTestServer>> = Object.fromEntries(
  derbyByVersion
    .filter(({ id }) => id !== usualVersion)
    .map((kind) => [
      kind.id,
      async () => {
        await requireKind(kind);
        return asTestServer(await sharedTestServer(kind), 9);
      },
    ]),
);

/** SQLFire's descendant, where a fitting JDK is. */
export const otherServers: Readonly<Record<string, StartTestServer>> = {
  'snappydata-store': async () => {
    await requireKind(snappydata);
    return {
      ...(await asTestServer(await sharedTestServer(snappydata), 6)),
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
    listed: listedValues,
    saysIsolation: 'VALUES CURRENT ISOLATION',
    slow: { raw, method: 'prepared', rows: 1 },
    indexes: {
      // Order and uniqueness are in objects of Java, which SQL does not take apart.
      async list(name) {
        const rows = await query(
          admin,
          `SELECT c.CONGLOMERATENAME FROM SYS.SYSCONGLOMERATES c JOIN SYS.SYSTABLES t ON t.TABLEID = c.TABLEID
            WHERE c.ISINDEX AND NOT c.ISCONSTRAINT AND t.TABLENAME = '${catalogName(name)}'`,
        );
        return Object.fromEntries(rows.map(([index]) => [String(index).toLowerCase(), 'an index']));
      },
      samples: {
        unique: { change: () => ({ unique: true }) },
        order: { change: (part) => ({ parts: [{ ...part, descending: true }] }) },
      },
    },
    foreign: {
      async create(name) {
        await run(admin, `CREATE TABLE ${table(name)} (X INTEGER)`);
        await run(admin, `INSERT INTO ${table(name)} VALUES (1)`);
      },
      hold: async (held, holder) =>
        void (await run(admin, `CREATE VIEW ${table(holder)} AS SELECT * FROM ${table(held)}`)),
      release: async (holder) => void (await run(admin, `DROP VIEW ${table(holder)}`)),
      count: async (name) => Number(await one(admin, `SELECT COUNT(*) FROM ${table(name)}`)),
      drop: async (name) => void (await run(admin, `DROP TABLE ${table(name)}`)),
    },
    async [Symbol.asyncDispose]() {
      await admin.close();
      await server[Symbol.asyncDispose]();
    },
  };
}
