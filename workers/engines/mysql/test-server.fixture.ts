import mysql from 'mysql2/promise';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { type TestServer as Given, givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Alternative } from '../conformance/conformance.ts';
import type { StartTestServer } from '../conformance/test-server.ts';
import { config, type MysqlConfig, ownDatabase } from './config.ts';
import { listedValues, typedValues } from './typed-values.fixture.ts';

/** The other driver, mysql2's own path and the other form of UUIDs must pass the same tests. */
export const alternatives: readonly Alternative[] = [
  { options: { driver: 'mariadb', uuid: 'text' }, unchanged: ['cells'] },
  { options: { path: 'driver' }, unchanged: ['tables', 'keyAndIndexes', 'foreignKeys', 'queryPlans', 'cells'] },
];

/** A connection behind Dyno's back. */
export function adminOf(raw: Given['raw']): Promise<mysql.Connection> {
  const { host, port, user, password, ssl } = config.parse(raw) as MysqlConfig;
  return mysql.createConnection({
    host,
    port,
    user,
    ...(password !== null && { password }),
    ...(ssl !== 'disable' && { ssl: { rejectUnauthorized: false } }),
    multipleStatements: true,
  });
}

export const startTestServer: StartTestServer = async () => {
  const server = await givenOrTestServer(mariadb);
  const { raw } = server;
  const admin = await adminOf(server.admin);
  const database = ownDatabase(config.parse(raw) as MysqlConfig);
  // MySQL from 8.0 on has the first name only, and MariaDB before 11.1 the second name only.
  const [levels] = await admin.query<mysql.RowDataPacket[]>(
    "SHOW VARIABLES WHERE Variable_name IN ('transaction_isolation', 'tx_isolation')",
  );
  const [[row]] = await admin.query<mysql.RowDataPacket[]>('SELECT VERSION() AS version');
  return {
    raw,
    sessionSetting: ['sort_buffer_size', '1048576', '1048576'],
    values: typedValues,
    listed: listedValues(String(row?.version).includes('MariaDB')),
    // COM_STMT_BULK_EXECUTE is MariaDB's.
    ...(!String(row?.version).includes('MariaDB') && { lacks: ['arrayBind'] as const }),
    saysIsolation: `SELECT @@${levels[0]?.Variable_name}`,
    slow: { raw, method: 'serverLoop', rows: 1_000_000 },
    indexes: {
      async list(name) {
        const [rows] = await admin.query<mysql.RowDataPacket[]>(
          'SELECT 1 FROM information_schema.tables WHERE table_schema = ? AND table_name = ?',
          [database, name],
        );
        if (rows.length === 0) return {};
        const [[shown]] = await admin.query<mysql.RowDataPacket[]>(`SHOW CREATE TABLE \`${database}\`.\`${name}\``);
        const lines = String(shown?.['Create Table']).matchAll(/^ *((?:UNIQUE |FULLTEXT )?KEY `(\w+)` .*)$/gm);
        return Object.fromEntries(Array.from(lines, ([, line = '', index = '']) => [index, line]));
      },
      samples: {
        unique: { change: () => ({ unique: true }), shown: /^UNIQUE KEY/ },
        order: { change: (part) => ({ parts: [{ ...part, descending: true }] }), shown: /` DESC/ },
        expression: { change: () => ({ parts: [{ expression: 'upper(code)' }] }), shown: /\(\(upper\(/ },
        path: { change: () => ({ parts: [{ column: 8, path: ['a', 'b'] }] }), shown: /\$\.a\.b/ },
        invisible: { change: () => ({ invisible: true }), shown: / IGNORED|INVISIBLE/ },
      },
    },
    foreign: {
      async lock(name) {
        await admin.query(`LOCK TABLES \`${database}\`.\`${name}\` WRITE`);
        return async () => void (await admin.query('UNLOCK TABLES'));
      },
      create: async (name) => void (await admin.query(`CREATE TABLE \`${database}\`.\`${name}\` AS SELECT 1 AS x`)),
      copy: async (original, name) =>
        void (await admin.query(`CREATE TABLE \`${database}\`.\`${name}\` LIKE \`${database}\`.\`${original}\``)),
      async hold(table, holder) {
        const sql = `CREATE TABLE \`${database}\`.\`${holder}\` LIKE \`${database}\`.\`${table}\``;
        await admin.query(sql);
        await admin.query(
          `ALTER TABLE \`${database}\`.\`${holder}\` ADD FOREIGN KEY (id) REFERENCES \`${database}\`.\`${table}\` (id)`,
        );
      },
      release: async (holder) => void (await admin.query(`DROP TABLE \`${database}\`.\`${holder}\``)),
      async count(name) {
        const [rows] = await admin.query<mysql.RowDataPacket[]>(
          `SELECT COUNT(*) AS n FROM \`${database}\`.\`${name}\``,
        );
        return Number(rows[0]?.n);
      },
      drop: async (name) => void (await admin.query(`DROP TABLE \`${database}\`.\`${name}\``)),
    },
    async [Symbol.asyncDispose]() {
      await admin.end();
      await server[Symbol.asyncDispose]();
    },
  };
};
