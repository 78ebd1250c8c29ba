import type mysql from 'mysql2/promise';
import * as v from 'valibot';
import type { Database } from '#engine-api/database.ts';
import type { TableFacts } from '#engine-api/table-facts.ts';
import { findEngine } from '#engines/catalog.ts';
import { loadEngine } from '#engines/load.ts';
import { adminOf } from '#engines/mysql/test-server.fixture.ts';
import { connectedClient } from '#engines/postgres/client.fixture.ts';
import { twinOf } from '#experiment/import-tables/twin.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { tablesSchema, withReferences } from '#model/dataset/tables.ts';
import { stagedTables } from '#orchestrator/trial/table-build.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import type { OriginalSchema } from './originals.fixture.ts';

type Rows = readonly (readonly unknown[])[];

/** A server with an original beside which twins are made. */
interface Server extends AsyncDisposable {
  readonly engine: string;
  /** Runs a statement past Dyno. */
  query(text: string): Promise<Rows>;
  /** The name of a table of the original as a statement writes it. */
  original(table: string): string;
  readonly timeType: string;
  /** Renews the statistics of a table. */
  analyse(name: string): Promise<void>;
  /** The rows that the server expects of a query. */
  estimate(query: string): Promise<number>;
  readonly database: Database;
}

const openDatabase = async (engine: string, raw: Readonly<Record<string, unknown>>): Promise<Database> => {
  const loaded = await loadEngine(engine);
  return loaded.open(findEngine(engine)!.config.parse(raw), 'dyno-twin', new AbortController().signal);
};

/** PostgreSQL, with the original in a schema of its own. */
export async function postgresServer(raw: Readonly<Record<string, unknown>>, schema: string): Promise<Server> {
  const client = await connectedClient(raw);
  const database = await openDatabase('postgres', raw);
  const query = async (text: string): Promise<Rows> => (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  await query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
  await query(`CREATE SCHEMA ${schema}`);
  return {
    engine: 'postgres',
    query,
    database,
    original: (table) => `${schema}.${table}`,
    timeType: 'timestamp',
    analyse: async (name) => void (await query(`ANALYZE ${name}`)),
    async estimate(text) {
      const [[plan] = []] = await query(`EXPLAIN (FORMAT JSON) SELECT * ${text}`);
      return (plan as readonly [{ readonly Plan: { readonly 'Plan Rows': number } }])[0].Plan['Plan Rows'];
    },
    async [Symbol.asyncDispose]() {
      await database.dropLeftovers('dyno_twin');
      await database[Symbol.asyncDispose]();
      await query(`DROP SCHEMA ${schema} CASCADE`);
      await client.end();
    },
  };
}

/** MariaDB, with the original in a database of its own. */
export async function mariadbServer(raw: Readonly<Record<string, unknown>>, schema: string): Promise<Server> {
  const admin = await adminOf(raw);
  const query = async (text: string): Promise<Rows> => {
    const [rows] = await admin.query<mysql.RowDataPacket[][]>({ sql: text, rowsAsArray: true });
    return Array.isArray(rows) ? (rows as unknown as Rows) : [];
  };
  await query(`DROP DATABASE IF EXISTS ${schema}`);
  await query(`CREATE DATABASE ${schema}`);
  await query("SET SESSION histogram_size = 254, histogram_type = 'JSON_HB'");
  const database = await openDatabase('mysql', raw);
  return {
    engine: 'mysql',
    query,
    database,
    original: (table) => `${schema}.${table}`,
    timeType: 'datetime',
    analyse: async (name) => void (await query(`ANALYZE TABLE ${name} PERSISTENT FOR ALL`)),
    async estimate(text) {
      const rows = await query(`EXPLAIN EXTENDED SELECT * ${text}`);
      return rows.reduce((product, row) => product * Number(row.at(-3)) * (Number(row.at(-2)) / 100), 1);
    },
    async [Symbol.asyncDispose]() {
      await database.dropLeftovers('dyno_twin');
      await database[Symbol.asyncDispose]();
      await query(`DROP DATABASE ${schema}`);
      await admin.end();
    },
  };
}

const named = (text: string, nameOf: (table: string) => string): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, table: string) => nameOf(table));

const literal = (value: unknown): string =>
  value === null ? 'NULL' : typeof value === 'number' ? String(value) : `'${String(value).replaceAll("'", "''")}'`;

/** Creates and analyses the tables of an original. */
export async function makeOriginal(server: Server, { tables, statistics }: OriginalSchema): Promise<void> {
  const nameOf = (table: string) =>
    table === 'time' ? server.timeType : table === 'schema' ? server.original('').slice(0, -1) : server.original(table);
  for (const [table, { definition, indexes, rows }] of Object.entries(tables)) {
    await server.query(`CREATE TABLE ${nameOf(table)} (${named(definition, nameOf)})`);
    for (let at = 0; at < rows.length; at += 1_000) {
      const values = rows.slice(at, at + 1_000).map((row) => `(${row.map(literal).join(',')})`);
      await server.query(`INSERT INTO ${nameOf(table)} VALUES ${values.join(',')}`);
    }
    for (const column of indexes) await server.query(`CREATE INDEX ${table}_${column} ON ${nameOf(table)} (${column})`);
  }
  for (const text of statistics[server.engine] ?? []) await server.query(named(text, nameOf));
  for (const table of Object.keys(tables)) await server.analyse(nameOf(table));
}

/** The facts that Dyno reads of an original. */
export const factsOn = (server: Server, { tables }: OriginalSchema): Promise<readonly TableFacts[]> =>
  server.database.tableFacts!(Object.keys(tables).map((name) => ({ schema: server.original('').slice(0, -1), name })));

/** Makes the twin of facts on a server by Dyno's engine. Returns the plans of its tables by the originals' names. */
export async function makeTwin(
  server: Server,
  facts: readonly TableFacts[],
  scale = 1,
): Promise<Readonly<Record<string, TablePlan>>> {
  const twin = twinOf(facts, { scale, keepValues: false });
  const { tables } = withReferences({ tables: v.parse(tablesSchema, twin.tables) }) as {
    tables: v.InferOutput<typeof tablesSchema>;
  };
  const dataset = { rows: 1, seed: 1, columns: {} };
  const { descriptor } = findEngine(server.engine)!;
  const options = Object.fromEntries((descriptor.options ?? []).map(({ name, defaultValue }) => [name, defaultValue]));
  const staged = stagedTables(
    { dataset, tables },
    {
      ...{ dates: 'native', documents: 'native', keyCreation: 'beforeLoad', indexCreation: 'afterLoad' },
      ...{ partitions: 1, foreignKeys: true, fillFactor: 0 },
    },
    'dyno_twin',
    options,
    server.engine,
  );
  const plans: Record<string, TablePlan> = {};
  for (const [name, { dataset: own, stages }] of Object.entries(staged)) {
    const { first, complete } = stages;
    await server.database.drop(first);
    await server.database.prepareSchema(first);
    const generator = createGenerator(own);
    const batches = (function* () {
      for (let at = 0; at < own.rows; at += 1_000) yield generator.fill(at, Math.min(1_000, own.rows - at), null);
    })();
    await server.database.load(first, batches, () => {}, new AbortController().signal);
    for (const index of complete.indexes ?? []) await server.database.addIndex(first, index);
    await server.database.settle(complete);
    await server.analyse(`dyno.${complete.name}`);
    plans[
      twin.mapping
        .find((one) => one.name === name)!
        .table.split('.')
        .at(-1)!
    ] = complete;
  }
  return plans;
}

/** A figure of an original and of its twin. */
interface Compared {
  readonly what: string;
  readonly original: number;
  readonly twin: number;
}

/** The twin's error as a factor of at least 1. */
export const errorOf = ({ original, twin }: Compared): number => {
  const [low, high] = [Math.min(original, twin), Math.max(original, twin)].map((rows) => Math.max(1, rows));
  return high! / low!;
};

/** Rows, different values and top frequencies of all columns, and the actual and expected rows of the queries. */
export async function compareTwin(
  server: Server,
  schema: OriginalSchema,
  twinTable: (table: string) => string,
): Promise<{
  readonly columns: readonly Compared[];
  readonly rows: readonly Compared[];
  readonly estimates: readonly Compared[];
}> {
  const sides = [server.original, twinTable] as const;
  const number = async (text: string) => Number((await server.query(text))[0]?.[0] ?? 0);
  const columns: Compared[] = [];
  for (const [table, { definition }] of Object.entries(schema.tables)) {
    const compare = async (what: string, text: (name: string) => string) => {
      const [original, twin] = [await number(text(sides[0](table))), await number(text(sides[1](table)))];
      columns.push({ what: `${table}${what}`, original, twin });
    };
    await compare(': rows', (name) => `SELECT count(*) FROM ${name}`);
    const names = [...definition.matchAll(/(?:^|, )([a-z_]+) (?:\w+|\{time\})/g)].map(([, name]) => name!);
    for (const column of names) {
      await compare(`.${column}: different`, (name) => `SELECT count(DISTINCT ${column}) FROM ${name}`);
      await compare(
        `.${column}: top`,
        (name) =>
          `SELECT count(*) AS n FROM ${name} WHERE ${column} IS NOT NULL GROUP BY ${column} ORDER BY n DESC LIMIT 1`,
      );
      await compare(`.${column}: nulls`, (name) => `SELECT count(*) FROM ${name} WHERE ${column} IS NULL`);
    }
  }
  const rows: Compared[] = [];
  const estimates: Compared[] = [];
  for (const [what, query] of Object.entries(schema.queries)) {
    const [original, twin] = await Promise.all(sides.map((side) => filled(server, query, side)));
    rows.push({
      what,
      original: await number(`SELECT count(*) ${original}`),
      twin: await number(`SELECT count(*) ${twin}`),
    });
    estimates.push({ what, original: await server.estimate(original!), twin: await server.estimate(twin!) });
  }
  return { columns, rows, estimates };
}

/** The query with the names and the frequent values of one side. */
async function filled(server: Server, query: string, side: (table: string) => string): Promise<string> {
  let text = query;
  for (const [whole, table = '', column = '', of, rank] of query.matchAll(/<(\w+)\.(\w+)(?: of (\w+))?:(\d+)>/g)) {
    const [[value] = []] = await server.query(
      `SELECT ${of === undefined ? column : `min(${column})`} FROM ${side(table)} GROUP BY ${of ?? column} ORDER BY count(*) DESC, ${of ?? column} LIMIT 1 OFFSET ${Number(rank) - 1}`,
    );
    text = text.replace(whole, literal(Number.isFinite(Number(value)) ? Number(value) : value));
  }
  return named(text, side);
}

/** The errors as a table in text: how far is the twin off? */
export function errorTable(title: string, compared: readonly Compared[]): string {
  const lines = compared.map((one) => [
    one.what,
    Math.round(one.original),
    Math.round(one.twin),
    errorOf(one).toFixed(2),
  ]);
  return [title, ...lines.map((line) => `  ${line.join(' | ')}`)].join('\n');
}
