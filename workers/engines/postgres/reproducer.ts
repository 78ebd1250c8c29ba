import type { Cannot, ReproducedWork, Reproducer } from '#engine-api/reproducer.ts';
import { ownMark } from '../shared/own-tables.ts';
import { schemaMark, schemaName, tableSql } from './names.ts';
import { checksumSql } from './schema/checksum.ts';
import { createPartitionsSql, createTableSql } from './schema/create-table.ts';
import { addIndexSql } from './schema/indexes.ts';
import { statementsOf } from './statements/statements.ts';

const code = String.raw`
// The calls, by pg. It takes host, port, user, password and database from the environment variables of libpq.
async function open() {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ types: { getTypeParser: () => (text) => text } });
  await client.connect();
  return client;
}
const query = async (client, sql) => (await client.query({ text: sql, rowMode: 'array' })).rows;
const serverVersion = async (client) => 'PostgreSQL ' + (await query(client, 'SHOW server_version'))[0][0];
const close = (client) => client.end();
const begin = (client) => client.query('BEGIN');
const commit = (client) => client.query('COMMIT');

function parameter(value, { kind, scale }) {
  if (value === null || Buffer.isBuffer(value)) return value !== null && kind === 'uuid' ? uuidText(value) : value;
  if (kind === 'decimal') return decimalText(value, scale);
  return kind === 'timestamp' ? timeText(value).replace(' ', 'T') + 'Z' : value;
}
function literal(value, type) {
  const sent = parameter(value, type);
  if (sent === null) return 'NULL';
  if (typeof sent === 'boolean') return String(sent);
  if (typeof sent === 'number') return String(sent).startsWith('-') ? '(' + sent + ')' : String(sent);
  if (Buffer.isBuffer(sent)) return "E'\\\\x" + sent.toString('hex') + "'";
  const quoted = sent.replaceAll("'", "''");
  return quoted.includes('\\') ? "E'" + quoted.replaceAll('\\', '\\\\') + "'" : "'" + quoted + "'";
}

const place = (rows) => (r, c) => '$' + (r * sent.length + c + 1);
const texts = new Map();
function textFor(rows) {
  if (!texts.has(rows)) texts.set(rows, statementText(rows, place(rows)));
  return texts.get(rows);
}
// pg parses a named statement at its first call.
const prepare = async () => {};
function encode(rows) {
  if (work.method === 'literal') return { text: statementText(rows.length, (r, c) => literal(rows[r][c], sent[c])) };
  const values = rows.flatMap((row) => row.map((value, c) => parameter(value, sent[c])));
  const text = textFor(rows.length);
  return work.method === 'bind' ? { text, values } : { name: 'call_' + rows.length, text, values };
}
async function call(client, encoded) {
  const { rows, rowCount } = await client.query({ ...encoded, rowMode: 'array' });
  return work.reads ? rows.length : rowCount;
}
const closed = () => {};
`.trim();

export const reproducer: Reproducer = {
  checksum: ({ table }) => checksumSql(table),
  jdbc: ({ method }) => ({
    packages: ['org.postgresql:postgresql'],
    url: 'jdbc:postgresql://localhost:5432/postgres',
    // The driver keeps statements and names them after some calls of one text; here the method alone decides.
    properties:
      method === 'bind' ? { prepareThreshold: '0', preparedStatementCacheQueries: '0' } : { prepareThreshold: '1' },
    notes: ['Calls go through pgjdbc, which sends each call in the extended protocol.'],
    uuid: 'object',
    forms: {
      text: ["'", "'"],
      hexText: null,
      bytes: ["'\\x", "'"],
      uuid: ["'", "'"],
      uuidDigits: 'dashes',
      timestamp: ["'", "Z'"],
      booleans: ['false', 'true'],
    },
  }),
  options: ['toastCompression', 'path'],
  statement: ({ table, operation, settings }, rows, place) => statementsOf(table, operation, settings).sql(rows, place),
  objects: ({ table }) => [
    {
      exists: `SELECT 1 FROM pg_namespace WHERE nspname = '${schemaName}'`,
      create: [`CREATE SCHEMA ${schemaName}`, `COMMENT ON SCHEMA ${schemaName} IS '${schemaMark}'`],
      usedBy: `SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '${schemaName}' LIMIT 1`,
      drop: `DROP SCHEMA ${schemaName}`,
    },
    {
      create: [
        createTableSql(table),
        `COMMENT ON TABLE ${tableSql(table)} IS '${ownMark(table.name)}'`,
        ...createPartitionsSql(table),
        ...(table.indexes ?? []).map((index) => addIndexSql(table, index)),
      ],
      drop: `DROP TABLE ${tableSql(table)}`,
    },
  ],
  node: (work) =>
    cannotDo(work) ?? {
      packages: ['pg'],
      environment: [
        'PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE: the connection, as for psql. A password file works, too.',
      ],
      notes: [
        'Calls go through query() of pg. Dyno itself writes the same messages with “postgres.path: lean”, which takes less of the client’s processor.',
      ],
      code,
    },
};

/** The reason why the calls of a method are not those of pg's query(). */
function cannotDo({ method, operation }: ReproducedWork): Cannot | null {
  switch (method) {
    case 'pipelined':
      return { cannot: 'The script waits for the answer of each call, and does not keep several in flight.' };
    case 'batch':
      return { cannot: 'pg itself sends each call as a message of its own; Dyno writes the messages of a batch.' };
    case 'bulk':
      return { cannot: 'Dyno writes the messages of COPY itself, in binary form; pg alone has no COPY.' };
    case 'arrayBind':
      return { cannot: 'Dyno binds arrays in binary form, and pg sends them as text.' };
    case 'serverLoop':
      return { cannot: 'The server makes the rows at random, so that no two runs have the same.' };
    default:
      return operation === 'scan' && method !== 'literal'
        ? { cannot: 'Dyno reads the table through a portal in pieces, for which pg needs another package.' }
        : null;
  }
}
