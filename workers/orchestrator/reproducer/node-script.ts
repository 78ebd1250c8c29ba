import type { Cannot, ReproducedClient, Reproducer } from '#engine-api/reproducer.ts';
import type { ColumnType } from '#model/dataset/dataset.ts';
import { nodeGenerator } from './node-generator.ts';
import type { ReproducedCell } from './reproduced-cell.ts';
import { wrapped } from './script-header.ts';
import { statementsFor, workOf } from './script-work.ts';

/**
 * A script for Node. The engine's code has open, query, serverVersion, close, begin, commit, literal, prepare, encode,
 * call and closed; without SQL also create, drop and load. Names and texts of the experiment stand in it as JSON alone.
 */
export function nodeScript(
  cell: ReproducedCell,
  reproducer: Reproducer,
  client: ReproducedClient,
  header: readonly string[],
  packages: readonly string[],
): string | Cannot {
  const { work } = cell;
  const statements = statementsFor(reproducer, cell);
  if (statements !== null && 'cannot' in statements) return statements;
  const constants = {
    work: workOf(cell),
    columns: cell.columns.map(({ name, type, maker, nulls }) => ({ name, ...typeOf(type), maker, nulls })),
    ...client.constants,
    ...(statements !== null && {
      statements: { one: statements.one, several: statements.several, load: statements.load },
      objects: reproducer.objects(work),
      checksum: reproducer.checksum?.(work) ?? null,
    }),
  };
  const install = packages.length === 0 ? '' : `//\n//   npm install ${packages.join(' ')}\n`;
  return [
    `${wrapped(header, '//')}\n${install}//\n//   node FILE           measures\n//   node FILE --rows 5  prints the first rows, without a server\n//   KEEP=1 node FILE    leaves the table there`,
    ["import process from 'node:process';", ...(client.imports ?? [])].join('\n'),
    Object.entries(constants)
      .map(([name, value]) => `const ${name} = ${json(value)};`)
      .join('\n'),
    common,
    nodeGenerator,
    ...(statements === null ? [] : [sqlCode]),
    client.code,
    ...(statements === null ? [] : [objectCode]),
    measuring,
    '',
  ].join('\n\n');
}

/** JSON as a literal of JavaScript, which may contain any text. */
const json = (value: unknown): string =>
  JSON.stringify(value, null, 2).replaceAll(
    /[\u007f-\uffff]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const typeOf = (type: ColumnType) => ({
  kind: type.kind,
  ...(type.kind === 'decimal' && { scale: type.scale }),
  ...(type.kind === 'text' && { ascii: type.ascii }),
});

const common = `
const sent = work.sent.map((column) => columns[column]);
const uuidText = (bytes) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
function decimalText(value, scale) {
  const digits = String(Math.abs(value)).padStart(scale + 1, '0');
  const text = scale === 0 ? digits : digits.slice(0, -scale) + '.' + digits.slice(-scale);
  return value < 0 ? '-' + text : text;
}
const timeText = (us) =>
  new Date(Math.floor(us / 1000)).toISOString().slice(0, -1).replace('T', ' ') + String(((us % 1000) + 1000) % 1000).padStart(3, '0');
`.trim();

const sqlCode = `
// The texts of the statements.
const sqlOf = ({ first, between, next, last, columns: order }, rows, place) => {
  const row = (r) => order.map((c, i) => (i === 0 ? '' : between[i - 1]) + place(r, c)).join('');
  return first + Array.from({ length: rows }, (_, r) => row(r)).join(next) + last;
};
const partsFor = (rows) => (rows === 1 || statements.several === null ? statements.one : statements.several);
const statementText = (rows, place) => sqlOf(partsFor(rows), rows, place);
const placed = (rows) => rows.flatMap((row) => partsFor(rows.length).columns.map((c) => row[c]));
`.trim();

const objectCode = `
const made = [];
async function create(connection) {
  for (const object of objects) {
    if (object.exists !== undefined && (await query(connection, object.exists)).length > 0) continue;
    for (const [i, sql] of object.create.entries()) {
      await query(connection, sql);
      if (i === 0) made.unshift(object);
    }
  }
}
async function drop(connection) {
  for (const object of made) {
    if (object.usedBy === undefined || (await query(connection, object.usedBy)).length === 0) await query(connection, object.drop);
  }
}
/** The number of rows and the checksum of each column, as Dyno computes them; null: the server has no MD5. */
async function tableText(connection) {
  if (checksum === null) return null;
  const [count, ...sums] = Object.values((await query(connection, checksum))[0]);
  return 'table: ' + count + ' rows; checksum ' + columns.map(({ name }, c) => name + ' ' + (sums[c] ?? 'unknown')).join(', ');
}
async function load(connection, rows) {
  await query(connection, sqlOf(statements.load, rows.length, (r, c) => literal(rows[r][c], columns[c])));
}
`.trim();

const measuring = `
// The measurement.
const rowsOf = (first, count) => Array.from({ length: count }, (_, r) => columns.map((_, c) => valueOf(c, first + r)));
function callRows(first, count) {
  switch (work.operation) {
    case 'insert':
      return rowsOf(first, count);
    case 'delete':
      return Array.from({ length: count }, (_, r) => [valueOf(work.key, deleteOrder(first + r))]);
    case 'scan':
      return [[]];
    default:
      return chooseRows(first, count).map((row, r) =>
        work.sent.map((column) => (column === work.key ? valueOf(column, row) : valueOf(column, first + r, 2 + (work.trialSeed >>> 0)))),
      );
  }
}

let nextRow = work.operation === 'delete' ? 0 : work.loadedRows;
/** Takes the rows of the next call before the end; null: none is left. */
function take(end) {
  const count = work.operation === 'scan' && nextRow < end ? work.rowsPerCall : Math.min(work.rowsPerCall, end - nextRow);
  if (count <= 0 || (work.operation === 'delete' && nextRow + count > work.loadedRows)) return null;
  nextRow += count;
  return { rows: count, first: nextRow - count };
}
const ready = ({ rows, first }) => ({ rows, encoded: encode(callRows(first, rows)) });

/** Runs calls on all connections, until the rows or the time end. Calls before the clock are made ahead. */
async function phase(connections, { rows, seconds }) {
  const ahead = [];
  const end = rows === undefined ? Number.POSITIVE_INFINITY : nextRow + rows;
  const isAhead = rows !== undefined && rows <= 1000000;
  if (isAhead) for (let one = take(end); one !== null; one = take(end)) ahead.push(ready(one));
  const counts = [...new Set([work.operation === 'scan' ? 1 : work.rowsPerCall, ...ahead.map((one) => one.rows)])];
  for (const connection of connections) for (const count of counts) await prepare(connection, work.operation === 'scan' ? 1 : count);
  let at = 0;
  let generatedMs = 0;
  const next = () => {
    if (isAhead) return ahead[at++] ?? null;
    const start = performance.now();
    const taken = take(end);
    const one = taken && ready(taken);
    generatedMs += performance.now() - start;
    return one;
  };
  const times = [];
  let touched = 0;
  const started = performance.now();
  const isOver = () => seconds !== undefined && performance.now() - started >= seconds * 1000;
  await Promise.all(
    connections.map(async (connection) => {
      for (let calls = 0, open = false; ; ) {
        const one = isOver() ? null : next();
        if (one === null) {
          if (open) await commit(connection);
          return;
        }
        if (!open && work.callsPerCommit > 1) {
          await begin(connection);
          open = true;
        }
        const start = performance.now();
        const answered = await call(connection, one.encoded, one.rows);
        times.push(performance.now() - start);
        if (answered !== one.rows) throw new Error('A call of ' + one.rows + ' rows touched ' + answered + '.');
        touched += answered;
        if (++calls % work.callsPerCommit === 0 && open) {
          await commit(connection);
          open = false;
        }
      }
    }),
  );
  return { times, touched, generatedMs, ms: performance.now() - started };
}

const count = (value) => Math.round(value).toLocaleString('en-US');
function percentile(times, share) {
  const sorted = Float64Array.from(times).sort();
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

async function main() {
  const at = process.argv.indexOf('--rows');
  if (at !== -1) {
    const plain = (value) => (Buffer.isBuffer(value) ? value.toString('hex') : value);
    for (const row of rowsOf(0, Number(process.argv[at + 1]))) console.log(JSON.stringify(row.map(plain)));
    return;
  }
  const connections = [];
  try {
    for (let c = 0; c < work.connections; c++) connections.push(await open());
    const [control] = connections;
    console.log('server: ' + (await serverVersion(control)) + ', Node ' + process.versions.node);
    await create(control);
    for (let first = 0; first < work.loadedRows; first += 500)
      await load(control, rowsOf(first, Math.min(500, work.loadedRows - first)));
    const isTimed = work.seconds !== undefined;
    const warmup = isTimed ? { seconds: work.warmupSeconds } : { rows: work.warmupRows };
    if ((warmup.seconds ?? warmup.rows) > 0) await phase(connections, warmup);
    const { times, touched, generatedMs, ms } = await phase(connections, isTimed ? { seconds: work.seconds } : { rows: work.rows });
    if (times.length === 0) throw new Error('No call was made.');
    console.log('measured: ' + count(touched) + ' rows in ' + count(times.length) + ' calls and ' + (ms / 1000).toFixed(3) + ' s');
    console.log('throughput: ' + count((touched * 1000) / ms) + ' rows/s, ' + count((times.length * 1000) / ms) + ' calls/s');
    console.log('call: p50 ' + percentile(times, 0.5).toFixed(3) + ' ms, p99 ' + percentile(times, 0.99).toFixed(3) + ' ms, without commits');
    console.log('making rows took ' + ((generatedMs * 100) / ms).toFixed(1) + ' % of the time');
    const table = await tableText(control);
    if (table !== null) console.log(table);
  } finally {
    // After an error, a connection may have a transaction open, which would keep the table from being dropped.
    await Promise.allSettled(connections.map(async (connection) => close(connection)));
    if (connections.length > 0 && process.env.KEEP !== '1') {
      const last = await open();
      await drop(last);
      await close(last);
      closed();
    }
  }
}

await main();
`.trim();
