import type { ReproducedWork, Reproducer } from '#engine-api/reproducer.ts';
import { characterSet, quote, tableSql } from './names.ts';
import { checksumSql } from './schema/checksum.ts';
import { createTableSql } from './schema/create-table.ts';
import { addIndexSql } from './schema/indexes.ts';
import { statementsOf } from './statements/statements.ts';

/** The database of Dyno's tables where a target names none. */
const database = 'dyno';

const code = String.raw`
// The calls, by mysql2.
async function open() {
  const { createConnection } = await import('mysql2/promise');
  const { MYSQL_HOST, MYSQL_TCP_PORT, MYSQL_UNIX_PORT, MYSQL_USER, MYSQL_PWD } = process.env;
  return createConnection({
    ...(MYSQL_UNIX_PORT ? { socketPath: MYSQL_UNIX_PORT } : { host: MYSQL_HOST ?? '127.0.0.1', port: Number(MYSQL_TCP_PORT ?? 3306) }),
    user: MYSQL_USER ?? 'root',
    password: MYSQL_PWD,
    rowsAsArray: true,
    supportBigNumbers: true,
    dateStrings: true,
  });
}
const query = async (connection, sql) => (await connection.query(sql))[0];
const serverVersion = async (connection) => (await query(connection, 'SELECT VERSION()'))[0][0];
const close = (connection) => connection.end();
const begin = (connection) => connection.query('START TRANSACTION');
const commit = (connection) => connection.query('COMMIT');

function parameter(value, { kind, scale }) {
  if (value === null) return null;
  if (kind === 'uuid') return settings.uuidText ? uuidText(value) : value;
  if (kind === 'decimal') return decimalText(value, scale);
  return kind === 'timestamp' ? timeText(value) : value;
}
function literal(value, type) {
  const sent = parameter(value, type);
  if (sent === null) return 'NULL';
  if (typeof sent === 'boolean') return sent ? '1' : '0';
  if (typeof sent === 'number') return String(sent).startsWith('-') ? '(' + sent + ')' : String(sent);
  if (Buffer.isBuffer(sent)) return "x'" + sent.toString('hex') + "'";
  return sent.includes('\\') ? "_utf8mb4 x'" + Buffer.from(sent).toString('hex') + "'" : "'" + sent.replaceAll("'", "''") + "'";
}

const texts = new Map();
function textFor(rows) {
  if (!texts.has(rows)) texts.set(rows, statementText(rows, () => '?'));
  return texts.get(rows);
}
const prepared = new WeakMap();
async function prepare(connection, rows) {
  if (work.method === 'literal' || work.method === 'bind') return;
  const known = prepared.get(connection) ?? new Map();
  prepared.set(connection, known);
  if (!known.has(rows)) known.set(rows, await connection.prepare(textFor(rows)));
}
const encode = (rows) =>
  work.method === 'literal'
    ? statementText(rows.length, (r, c) => literal(rows[r][c], sent[c]))
    : placed(rows.map((row) => row.map((value, c) => parameter(value, sent[c]))));
async function call(connection, encoded, rows) {
  let answer;
  if (work.method === 'literal') [answer] = await connection.query(encoded);
  else if (work.method === 'bind') {
    [answer] = await connection.execute(textFor(rows), encoded);
    connection.unprepare(textFor(rows));
  } else [answer] = await prepared.get(connection).get(rows).execute(encoded);
  return work.reads ? answer.length : answer.affectedRows;
}
const closed = () => {};
`.trim();

/** The reason why one script cannot create the table on both products; null: it can. */
function tableRefusal({ table }: ReproducedWork): string | null {
  if (table.options.compression === 'page')
    return 'MySQL and MariaDB have different words for the compression of pages.';
  return table.indexes?.some(({ invisible }) => invisible)
    ? 'MySQL and MariaDB have different words for an invisible index.'
    : null;
}
const noScan = 'Dyno streams the rows of a whole table; the script would keep them all.';

export const reproducer: Reproducer = {
  checksum: ({ table }) => checksumSql(database, table),
  jdbc(work) {
    const refusal = tableRefusal(work);
    if (refusal !== null) return { cannot: refusal };
    if (work.operation === 'scan') return { cannot: noScan };
    const uuidText = work.table.options.uuid === 'text';
    return {
      packages: ['org.mariadb.jdbc:mariadb-java-client'],
      url: 'jdbc:mariadb://localhost:3306/',
      properties: { useServerPrepStmts: String(work.method !== 'literal'), cachePrepStmts: 'false' },
      notes: [
        'Calls go through MariaDB’s connector, which also speaks with MySQL; each prepared call is a prepared statement of the server.',
      ],
      uuid: uuidText ? 'text' : 'bytes',
      forms: {
        text: ["'", "'"],
        hexText: ["_utf8mb4 x'", "'"],
        bytes: ["x'", "'"],
        uuid: uuidText ? ["'", "'"] : ["x'", "'"],
        uuidDigits: uuidText ? 'dashes' : 'hex',
        timestamp: ["'", "'"],
        booleans: ['0', '1'],
      },
    };
  },
  options: ['path', 'uuid', 'storageEngine', 'compression', 'keyBlockSize'],
  statement: ({ table, operation, settings }, rows, place) =>
    statementsOf(database, table, operation, settings).sql(rows, place),
  objects: ({ table }) => [
    {
      exists: `SELECT 1 FROM information_schema.schemata WHERE schema_name = '${database}'`,
      create: [`CREATE DATABASE ${quote(database)} ${characterSet}`],
      usedBy: `SELECT 1 FROM information_schema.tables WHERE table_schema = '${database}' LIMIT 1`,
      drop: `DROP DATABASE ${quote(database)}`,
    },
    {
      create: [
        createTableSql(database, table, false),
        ...(table.indexes ?? []).map((index) => addIndexSql(database, table, index, false)),
      ],
      drop: `DROP TABLE ${tableSql(database, table)}`,
    },
  ],
  node(work) {
    const { table, method, operation } = work;
    const refusal = tableRefusal(work);
    if (refusal !== null) return { cannot: refusal };
    if (method === 'bulk') return { cannot: 'LOAD DATA LOCAL from a stream has a form of its own for each value.' };
    if (method === 'serverLoop')
      return { cannot: 'The server makes the rows at random, so that no two runs have the same.' };
    if (method === 'batch')
      return { cannot: 'The script sends one statement at a time, and does not join several in one text.' };
    if (method === 'pipelined' || method === 'arrayBind')
      return { cannot: 'The script uses mysql2, and this method needs the mariadb connector.' };
    if (operation === 'scan') return { cannot: noScan };
    return {
      packages: ['mysql2'],
      environment: [
        'MYSQL_HOST and MYSQL_TCP_PORT, or MYSQL_UNIX_PORT for a socket: the server.',
        'MYSQL_USER and MYSQL_PWD: the account.',
      ],
      notes: [
        'Calls go through query() and execute() of mysql2. Dyno itself writes the same packets with “mysql.path: lean”, which takes less of the client’s processor.',
      ],
      constants: { settings: { uuidText: table.options.uuid === 'text' } },
      code,
    };
  },
};
