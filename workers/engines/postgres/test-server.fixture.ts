import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Alternative } from '../conformance/conformance.ts';
import type { StartTestServer } from '../conformance/test-server.ts';
import { connectedClient } from './client.fixture.ts';
import { config, type PostgresConfig } from './config.ts';
import { listedValues, typedValues } from './typed-values.fixture.ts';

/** The driver's path must behave like the lean path, so the answers of both are compared with the same expectations. */
export const alternatives: readonly Alternative[] = [
  { options: { path: 'driver' }, unchanged: ['tables', 'keyAndIndexes', 'foreignKeys', 'queryPlans', 'cells'] },
];

export const startTestServer: StartTestServer = async () => {
  const server = await givenOrTestServer();
  const { raw } = server;
  const { host, port, database, user, password } = config.parse(raw) as PostgresConfig;
  const client = await connectedClient({ host, port, database, user, password: password ?? undefined });
  return {
    raw,
    sessionSetting: ['work_mem', '9MB', '9MB'],
    values: typedValues,
    listed: listedValues,
    saysIsolation: 'SHOW transaction_isolation',
    slow: { raw, method: 'serverLoop', rows: 1_000_000 },
    indexes: {
      async list(name) {
        const { rows } = await client.query<{ indexname: string; indexdef: string }>(
          "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'dyno' AND tablename = $1 AND indexname NOT LIKE '%_pkey'",
          [name],
        );
        return Object.fromEntries(rows.map(({ indexname, indexdef }) => [indexname, indexdef]));
      },
      samples: {
        unique: { change: () => ({ unique: true }), shown: /CREATE UNIQUE INDEX/ },
        order: { change: (part) => ({ parts: [{ ...part, descending: true }] }), shown: / DESC/ },
        include: { change: () => ({ include: [4, 6] }), shown: / INCLUDE \(price, flag\)/ },
        where: { change: () => ({ where: 'price > 5' }), shown: / WHERE \(price > \(5\)::numeric\)/ },
        expression: {
          change: (_, kind) => ({
            parts: [
              { expression: kind === 'gin' || kind === 'gist' ? "to_tsvector('simple', upper(text))" : 'upper(text)' },
            ],
          }),
          shown: /upper\(/,
        },
        path: {
          change: (_, kind) => ({
            parts: [
              kind === 'gin' || kind === 'gist'
                ? { expression: "to_tsvector('simple', details)" }
                : { column: 8, path: ['a', 'b'] },
            ],
          }),
          shown: /'a'::text\).* '?b|to_tsvector\('simple'::regconfig, \(?details/,
        },
      },
    },
    foreign: {
      async lock(name) {
        await client.query(`BEGIN; LOCK TABLE dyno."${name}"`);
        return async () => void (await client.query('ROLLBACK'));
      },
      create: async (name) => void (await client.query(`CREATE TABLE dyno."${name}" AS SELECT 1 AS x`)),
      async copy(original, name) {
        const comment = await client.query(`SELECT obj_description('dyno."${original}"'::regclass) AS text`);
        await client.query(`CREATE TABLE dyno."${name}" (LIKE dyno."${original}" INCLUDING ALL)`);
        await client.query(`COMMENT ON TABLE dyno."${name}" IS '${comment.rows[0].text}'`);
      },
      hold: async (table, holder) =>
        void (await client.query(`CREATE VIEW dyno."${holder}" AS SELECT * FROM dyno."${table}"`)),
      release: async (holder) => void (await client.query(`DROP VIEW dyno."${holder}"`)),
      count: async (name) => Number((await client.query(`SELECT count(*) AS n FROM dyno."${name}"`)).rows[0].n),
      drop: async (name) => void (await client.query(`DROP TABLE dyno."${name}"`)),
    },
    async [Symbol.asyncDispose]() {
      await client.end();
      await server[Symbol.asyncDispose]();
    },
  };
};
