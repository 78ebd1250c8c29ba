import type mysql from 'mysql2/promise';
import { config, type MongoConfig } from '#engines/mongodb/config.ts';
import { connect } from '#engines/mongodb/connection/connect.ts';
import { readOptions } from '#engines/mongodb/options.ts';
import { adminOf } from '#engines/mysql/test-server.fixture.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { mariadb } from '#managed-servers/servers/mariadb.ts';
import { mongodb } from '#managed-servers/servers/mongodb.ts';
import { sharedTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Connection } from '#model/connections.ts';
import type { Home } from '#platform/paths.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import type { OriginalSchema } from './originals.fixture.ts';

/** A server with an original, which is dropped when it is disposed of. */
interface OriginalServer extends AsyncDisposable {
  /** The fields of a connection to it. */
  readonly values: Readonly<Record<string, string>>;
  readonly password: string;
  /** The tables of the original as commands name them. */
  readonly tables: readonly string[];
}

type Fields = Readonly<Record<string, string>>;
type Query = (text: string) => Promise<unknown>;

const named = (text: string, nameOf: (table: string) => string): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, table: string) => nameOf(table));

const literal = (value: unknown): string =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;

/** Creates and fills the tables of an original, and collects their statistics. */
async function fill(
  query: Query,
  place: string,
  { tables, statistics }: OriginalSchema,
  { time, analyse, engine }: { readonly time: string; readonly engine: string; analyse(name: string): string },
): Promise<void> {
  const nameOf = (table: string) => (table === 'time' ? time : table === 'schema' ? place : `${place}.${table}`);
  for (const [table, { definition, indexes, rows }] of Object.entries(tables)) {
    await query(`CREATE TABLE ${nameOf(table)} (${named(definition, nameOf)})`);
    for (let at = 0; at < rows.length; at += 1_000) {
      const values = rows.slice(at, at + 1_000).map((row) => `(${row.map(literal).join(',')})`);
      await query(`INSERT INTO ${nameOf(table)} VALUES ${values.join(',')}`);
    }
    for (const column of indexes) await query(`CREATE INDEX ${table}_${column} ON ${nameOf(table)} (${column})`);
  }
  for (const text of statistics[engine] ?? []) await query(named(text, nameOf));
  for (const table of Object.keys(tables)) await query(analyse(nameOf(table)));
}

const withoutSecrets = ({ password, ca: _, tlsCAFile: __, ...values }: Fields) => ({
  ...{ values, password: password ?? '' },
});

async function onPostgres(place: string, schema: OriginalSchema): Promise<OriginalServer> {
  const { admin } = await sharedTestServer();
  const client = await connectedClient(admin);
  await client.query(`DROP SCHEMA IF EXISTS ${place} CASCADE; CREATE SCHEMA ${place}`);
  await fill((text) => client.query(text), place, schema, {
    ...{ engine: 'postgres', time: 'timestamp', analyse: (name) => `ANALYZE ${name}` },
  });
  return {
    ...withoutSecrets(admin as Fields),
    tables: Object.keys(schema.tables).map((table) => `${place}.${table}`),
    async [Symbol.asyncDispose]() {
      await client.query(`DROP SCHEMA ${place} CASCADE`);
      await client.end();
    },
  };
}

async function onMariadb(place: string, schema: OriginalSchema): Promise<OriginalServer> {
  const { admin } = await sharedTestServer(mariadb);
  const client = await adminOf(admin);
  const query = (text: string) => client.query<mysql.RowDataPacket[]>(text);
  await query(`DROP DATABASE IF EXISTS ${place}`);
  await query(`CREATE DATABASE ${place}`);
  await query("SET SESSION histogram_size = 254, histogram_type = 'JSON_HB'");
  await fill(query, place, schema, {
    ...{ engine: 'mysql', time: 'datetime', analyse: (name) => `ANALYZE TABLE ${name} PERSISTENT FOR ALL` },
  });
  return {
    ...withoutSecrets(admin as Fields),
    tables: Object.keys(schema.tables).map((table) => `${place}.${table}`),
    async [Symbol.asyncDispose]() {
      await query(`DROP DATABASE ${place}`);
      await client.end();
    },
  };
}

/** The columns of a definition, in its order. */
const columnsOf = (definition: string): readonly string[] =>
  [...definition.matchAll(/(?:^|, )([a-z_]+) (?:\w+|\{time\})/g)].map(([, name]) => name!);

/** Documents have the key of one column as `_id`, and no field for null. */
async function onMongodb(place: string, { tables }: OriginalSchema): Promise<OriginalServer> {
  const { raw } = await sharedTestServer(mongodb);
  const parsed = config.parse(raw) as MongoConfig;
  const { client } = await connect(parsed, { tag: 'test-fixture', connections: 1, options: readOptions({}) });
  const db = client.db(parsed.database);
  const nameOf = (table: string) => `${place}_${table}`;
  for (const table of Object.keys(tables)) await db.collection(nameOf(table)).drop();
  for (const [table, { definition, indexes, rows }] of Object.entries(tables)) {
    const columns = columnsOf(definition);
    const isTime = new Map(
      [...definition.matchAll(/(\w+) (\{time\}|date)\b/g)].map(([, column]) => [column!, true] as const),
    );
    const hasKey = /^\w+ \w+ PRIMARY KEY/.test(definition);
    for (let at = 0; at < rows.length; at += 1_000)
      await db.collection(nameOf(table)).insertMany(
        rows.slice(at, at + 1_000).map((row) =>
          Object.fromEntries(
            columns.flatMap((column, c) => {
              const value = row[c] ?? null;
              const name = c === 0 && hasKey ? '_id' : column;
              const own = isTime.has(column) ? new Date(`${String(value).replace(' ', 'T')}Z`) : value;
              return value === null ? [] : [[name, own]];
            }),
          ),
        ),
      );
    for (const column of indexes) await db.collection(nameOf(table)).createIndex({ [column]: 1 });
  }
  return {
    ...withoutSecrets(raw as Fields),
    tables: Object.keys(tables).map(nameOf),
    async [Symbol.asyncDispose]() {
      for (const table of Object.keys(tables)) await db.collection(nameOf(table)).drop();
      await client.close();
    },
  };
}

/** The servers of originals, by the ids of their engines. */
export const originalServers = { postgres: onPostgres, mysql: onMariadb, mongodb: onMongodb } as const;

/** Saves a connection of this name, whose password is in a variable until it is disposed of. */
export function savedConnection(
  home: Home,
  name: string,
  engine: string,
  server: OriginalServer,
  more: Pick<Connection, 'production'> = {},
): Disposable {
  const passwords = { password: 'ask' } as const;
  openConnectionStore(home).save({ id: null, name, engine, values: server.values, passwords, ...more });
  const variable = `DYNO_PASSWORD_${name.toUpperCase()}`;
  process.env[variable] = server.password;
  return { [Symbol.dispose]: () => void delete process.env[variable] };
}
