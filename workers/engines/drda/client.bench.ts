import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'valibot';
import type { DrdaConnection, Statement, Value } from '#drda/index.ts';
import type { Database } from '#engine-api/database.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { derby } from '#managed-servers/servers/derby.ts';
import { missingOf } from '#managed-servers/servers/kinds.ts';
import { snappydata } from '#managed-servers/servers/snappydata.ts';
import { givenUrl, startTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { datasetSchema, type TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import { median } from '../shared/peer-comparison.fixture.ts';
import { config, type DrdaConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { descriptor } from './descriptor.ts';
import { derby as derbyDialect } from './dialects/derby.ts';
import { engine } from './engine.ts';
import { type Effort, type JdbcPeer, startJdbcPeer } from './jdbc-peer.fixture.ts';
import { columnListSql, quote, tableSql } from './names.ts';
import { rowsOf } from './values/values.ts';

/**
 * Our DRDA client against Derby's own JDBC client: the same rows in the same batches, each committed, and reads by key;
 * on the same servers, in the same run, interleaved. Values become bytes within the clock on both sides. Both have one
 * process; JDBC reads with a thread a connection. DYNO_TEST_DRDA names a server.
 */
const rounds = 5;
const most = Number(process.env.DYNO_BENCH_ROWS ?? 20_000);
/** Each a log flush on Derby. */
const single = Math.ceil(most / 40);
const readsPerConnection = Math.ceil(most / 10);
const connections = 4;

const dataset = parse(datasetSchema, {
  rows: most,
  key: 'id',
  columns: {
    id: { type: 'sequence' },
    name: { type: 'text', length: 20 },
    amount: { type: 'decimal', precision: 12, scale: 2 },
    at: { type: 'timestamp' },
  },
});
const table: TablePlan = {
  name: `dyno_bench_${process.pid}`,
  columns: tableColumns(dataset),
  key: 0,
  options: optionsFor(descriptor, defaultSettings),
};
const generated = createGenerator(dataset).fill(0, most, null);
const values = rowsOf(
  generated,
  table.columns.map(({ type }) => type),
  derbyDialect,
);
const insertSql = `INSERT INTO ${tableSql(table)} (${columnListSql(table)}) VALUES (?, ?, ?, ?)`;
const selectSql = `SELECT ${columnListSql(table)} FROM ${tableSql(table)} WHERE ${quote('id')} = ?`;

const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
const rowsFile = join(folder, 'rows.txt');
writeFileSync(rowsFile, values.map((row) => `${row.join('\t')}\n`).join(''));

async function measure(work: () => Promise<unknown>): Promise<Effort> {
  const [used, begin] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(used);
  return { ms: performance.now() - begin, cpuMs: (user + system) / 1_000 };
}

/** One row a call commits by itself; several are committed when all are there. */
async function insert(connection: DrdaConnection, rows: number, batch: number): Promise<Effort> {
  const statement = await connection.prepare(insertSql);
  const effort = await measure(async () => {
    for (let from = 0; from < rows; from += batch) {
      const encoded = statement.encode(values.slice(from, Math.min(from + batch, rows)));
      await statement.execute(encoded, { commit: batch === 1 });
      if (batch > 1) await connection.commit();
    }
  });
  await statement.close();
  return effort;
}

async function read(open: readonly DrdaConnection[], reads: number, commitEach: boolean): Promise<Effort> {
  const statements = await Promise.all(open.map((connection) => connection.prepare(selectSql)));
  const loop = async (connection: DrdaConnection, statement: Statement) => {
    for (let n = 0; n < reads / open.length; n++) {
      const key = values[Math.floor(Math.random() * most)]![0]!;
      await readOne(statement, key, commitEach);
    }
    if (!commitEach) await connection.commit();
  };
  const effort = await measure(() => Promise.all(open.map((connection, one) => loop(connection, statements[one]!))));
  for (const statement of statements) await statement.close();
  return effort;
}

/** Reads one row as the engine does: the commit is sent with the query. */
async function readOne(statement: Statement, key: Value, commit: boolean): Promise<void> {
  const cursor = await statement.open(statement.encode([[key]]), { commit });
  let found = 0;
  for (let block = await cursor.fetch(); block !== null; block = await cursor.fetch()) found += block.length;
  await cursor.close();
  if (found !== 1) throw new Error(`A key found ${found} rows.`);
}

interface Case {
  readonly name: string;
  readonly rows: number;
  readonly isInsert: boolean;
  readonly ours: () => Promise<Effort>;
  readonly theirs: () => Promise<Effort>;
}

const casesOf = (open: readonly DrdaConnection[], peer: JdbcPeer): readonly Case[] => [
  ...[1, 100, 500, 1_000].map((batch) => {
    const rows = batch === 1 ? single : most;
    return {
      name: `insert, batches of ${batch}`,
      rows,
      isInsert: true,
      ours: () => insert(open[0]!, rows, batch),
      theirs: () => peer.insert(rows, batch),
    };
  }),
  ...[1, connections].flatMap((count) =>
    [true, false].map((commitEach) => ({
      name: `read by key, ${count} connection${count === 1 ? '' : 's'}, ${commitEach ? 'a commit each' : 'one commit'}`,
      rows: readsPerConnection * count,
      isInsert: false,
      ours: () => read(open.slice(0, count), readsPerConnection * count, commitEach),
      theirs: () => peer.read(count, readsPerConnection * count, commitEach),
    })),
  ),
];

/** The first rounds let both sides and the server compile what they run, and show that both store the same rows. */
async function compare(database: Database, cases: readonly Case[]): Promise<void> {
  const efforts = cases.map((): { readonly ours: Effort[]; readonly theirs: Effort[] } => ({ ours: [], theirs: [] }));
  for (let round = -2; round < rounds; round++) {
    for (const [index, { isInsert, ours, theirs }] of cases.entries()) {
      const stored: string[] = [];
      for (const [side, run] of [['theirs', theirs] as const, ['ours', ours] as const]) {
        if (isInsert) await database.prepareSchema(table);
        const effort = await run();
        if (round >= 0) efforts[index]![side].push(effort);
        else stored.push(JSON.stringify(await database.checksum(table)));
      }
      if (stored[0] !== stored[1]) throw new Error(`They stored different rows: ${stored.join(' ')}`);
    }
  }
  const { product } = await database.fingerprint();
  console.log(`\n${product}, bigint key, 20 characters, decimal, timestamp; median of ${rounds}`);
  console.log(`${''.padEnd(46)} ${'rows/s'.padStart(18)} ${'client CPU a row'.padStart(20)}`);
  console.log(
    `${''.padEnd(46)} ${'JDBC'.padStart(8)} ${'ours'.padStart(9)} ${'JDBC'.padStart(10)} ${'ours'.padStart(9)}   ours ÷ JDBC`,
  );
  for (const [index, { name, rows }] of cases.entries()) {
    const { ours, theirs } = efforts[index]!;
    const speed = (side: readonly Effort[]) =>
      Math.round((rows / median(side.map(({ ms }) => ms))) * 1_000).toLocaleString('en');
    // The CPU time is that of all rounds together, because Java reports it in hundredths of a second.
    const cpu = (side: readonly Effort[]) =>
      `${((side.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / (rows * rounds)) * 1_000).toFixed(1)} µs`;
    const ratios = ours.map(({ ms }, round) => theirs[round]!.ms / ms).sort((a, b) => a - b);
    console.log(
      `${name.padEnd(46)} ${speed(theirs).padStart(8)} ${speed(ours).padStart(9)} ${cpu(theirs).padStart(10)} ${cpu(ours).padStart(9)}   ${median(ratios).toFixed(2)} (${ratios[0]!.toFixed(2)} to ${ratios.at(-1)!.toFixed(2)})`,
    );
  }
}

async function on(server: TestServer): Promise<void> {
  await using _ = server;
  const target = config.parse(server.raw) as DrdaConfig;
  await using database = await engine.open(target, 'dyno-bench', new AbortController().signal);
  await using peer = startJdbcPeer(target, { insert: insertSql, select: selectSql, rows: rowsFile });
  const open = await Promise.all(Array.from({ length: connections }, () => connect(target, 'dyno-bench')));
  try {
    await compare(database, casesOf(open, peer));
  } finally {
    for (const connection of open) await connection.close();
    await database.drop(table);
  }
}

async function onKind(kind: ServerKind): Promise<void> {
  const missing = await missingOf(kind);
  if (missing) console.log(`SKIPPED: ${kind.label}: ${missing.what} ${missing.fix}`);
  else await on(await startTestServer(kind));
}

try {
  const url = givenUrl('drda');
  if (url) await on({ raw: { url }, admin: { url }, [Symbol.asyncDispose]: async () => {} });
  else for (const kind of [derby, snappydata]) await onKind(kind);
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
