import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Connection, Request, TYPES } from 'tedious';
import { parse } from 'valibot';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn, type Value } from '#model/batch/decode.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { type Dataset, datasetSchema, type TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import { batchesOf, median } from '../shared/peer-comparison.fixture.ts';
import { config, type SqlServerConfig } from './config.ts';
import { descriptor } from './descriptor.ts';
import { engine } from './engine.ts';
import { tableSql } from './names.ts';
import { tediousOf } from './peers.fixture.ts';
import { execute } from './wire/request.ts';
import { callByPosition } from './wire/stand-in-calls.fixture.ts';

/**
 * The same rows (uuid key, 20 characters) by the same calls: `mssql` over its pool (option driver: mssql), `tedious` by
 * its own calls, and ours, whose bodies are made before the clock, over `tedious`' connection. Beside bulk load the
 * server's own loader, BULK INSERT of a file, where the server can read this machine's files. Interleaved.
 * DYNO_TEST_SQLSERVER names the server.
 */
const rounds = 3;
const url = process.env.DYNO_TEST_SQLSERVER;
if (url) await compare(config.parse({ url }) as SqlServerConfig);
else console.log('SKIPPED: DYNO_TEST_SQLSERVER names no server to measure on.');

async function compare(target: SqlServerConfig): Promise<void> {
  const many = Number(process.env.DYNO_BENCH_ROWS ?? 20_000);
  const single = Math.ceil(many / 20);
  const rowsPerCall = 1_000;
  const dataset: Dataset = parse(datasetSchema, {
    rows: many,
    key: 'id',
    columns: { id: { type: 'uuid4' }, name: { type: 'text', length: 20 } },
  });
  const table: TablePlan = {
    name: `dyno_bench_${process.pid}`,
    columns: tableColumns(dataset),
    key: 0,
    options: optionsFor(descriptor, defaultSettings),
  };
  const generator = createGenerator(dataset);
  const values = (batch: Batch): Value[][] => {
    const columns = batch.columns.map((column, c) => decodeColumn(column, table.columns[c]!.type, batch.rows));
    return Array.from({ length: batch.rows }, (_, row) => columns.map((column) => column[row]!));
  };
  const singles = batchesOf(generator, single, 1);
  const bulks = batchesOf(generator, many, rowsPerCall);
  const singleValues = singles.map((batch) => values(batch)[0]!);
  const bulkValues = bulks.map(values);

  const database = await engine.open(target, 'dyno-bench', new AbortController().signal);
  const { product, emulator } = await database.fingerprint();
  if (emulator !== null) callByPosition();
  const sessions = {
    ours: await database.openSession(table.options),
    mssql: await database.openSession({ ...table.options, driver: 'mssql' }),
  };
  const tedious = await tediousOf(target);
  const insert = `INSERT INTO ${tableSql(table)} (id, name) VALUES (@id, @name)`;
  const select = `SELECT id, name FROM ${tableSql(table)} WHERE id = @id`;

  const tediousCalls = (text: string) => timed(singleValues, (values) => executeByTedious(tedious, text, values));
  async function through(
    driver: keyof typeof sessions,
    operation: 'insert' | 'readByKey',
    method: MethodName,
    from: readonly Batch[],
  ): Promise<number> {
    const settings = { ...defaultSettings, operation, method, rowsPerCall };
    const prepared = await sessions[driver].prepare({ table, operation, method, settings });
    const calls = from.map((batch) =>
      prepared.encode(operation === 'insert' ? batch : { ...batch, columns: batch.columns.slice(0, 1) }),
    );
    return timed(calls, (call) => prepared.run(call));
  }
  const tediousBulk = () => timed(bulkValues, (rows) => loadByTedious(tedious, table, rows));

  const folder = mkdtempSync(join(tmpdir(), 'dyno-bench-'));
  chmodSync(folder, 0o755); // for the server’s account
  const file = join(folder, 'rows.txt');
  writeFileSync(file, bulkValues.flatMap((rows) => rows.map((row) => `${row.join('\t')}\n`)).join(''), { mode: 0o644 });
  const loader = () =>
    timed([file], (path) =>
      execute(
        tedious,
        `BULK INSERT ${tableSql(table)} FROM N'${path}' WITH (TABLOCK, BATCHSIZE = ${rowsPerCall}, FIELDTERMINATOR = '\\t', ROWTERMINATOR = '0x0a')`,
      ),
    );
  const empty = () => database.prepareSchema(table);
  const filled = async () => {
    await empty();
    await database.load(table, bulks, () => {}, new AbortController().signal);
  };
  async function canLoadFiles(): Promise<boolean> {
    try {
      await empty();
      await loader();
      return true;
    } catch (error) {
      console.log(`SKIPPED: BULK INSERT as a peer: ${engine.toError(error).message}`);
      return false;
    }
  }
  const arrayBind: Case = [
    'table-valued parameter of 1,000',
    'ours',
    many,
    empty,
    () => through('ours', 'insert', 'arrayBind', bulks),
  ];
  const cases: readonly Case[] = [
    ['insert, sp_executesql', 'mssql', single, empty, () => through('mssql', 'insert', 'bind', singles)],
    ['insert, sp_executesql', 'tedious', single, empty, () => tediousCalls(insert)],
    ['insert, sp_executesql', 'ours', single, empty, () => through('ours', 'insert', 'bind', singles)],
    ['insert, sp_execute', 'mssql', single, empty, () => through('mssql', 'insert', 'prepared', singles)],
    ['insert, sp_execute', 'ours', single, empty, () => through('ours', 'insert', 'prepared', singles)],
    ['read by key, sp_executesql', 'mssql', single, filled, () => through('mssql', 'readByKey', 'bind', singles)],
    ['read by key, sp_executesql', 'tedious', single, filled, () => tediousCalls(select)],
    ['read by key, sp_executesql', 'ours', single, filled, () => through('ours', 'readByKey', 'bind', singles)],
    ['read by key, sp_execute', 'mssql', single, filled, () => through('mssql', 'readByKey', 'prepared', singles)],
    ['read by key, sp_execute', 'ours', single, filled, () => through('ours', 'readByKey', 'prepared', singles)],
    ['bulk of 1,000', 'mssql', many, empty, () => through('mssql', 'insert', 'bulk', bulks)],
    ['bulk of 1,000', 'tedious', many, empty, tediousBulk],
    ...((await canLoadFiles()) ? [['bulk of 1,000', 'BULK INSERT of a file', many, empty, loader] as const] : []),
    ['bulk of 1,000', 'ours', many, empty, () => through('ours', 'insert', 'bulk', bulks)],
    // Babelfish mistakes values of such a parameter for nulls.
    ...(emulator === null ? [arrayBind] : []),
    ['multi-row VALUES of 1,000', 'ours', many, empty, () => through('ours', 'insert', 'multiRow', bulks)],
  ];
  try {
    const measured = await measure(cases);
    console.log(`${product}${emulator === null ? '' : ` (emulator: ${emulator})`}; median of ${rounds}`);
    print(cases, measured);
  } finally {
    for (const session of Object.values(sessions)) await session[Symbol.asyncDispose]();
    await database.drop(table);
    await database[Symbol.asyncDispose]();
    tedious.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function executeByTedious(tedious: Connection, text: string, [id, name]: readonly Value[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new Request(text, (error) => (error ? reject(error) : resolve()));
    request.addParameter('id', TYPES.UniqueIdentifier, id);
    request.addParameter('name', TYPES.VarChar, name, { length: 20 });
    tedious.execSql(request);
  });
}

function loadByTedious(tedious: Connection, table: TablePlan, rows: Value[][]): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error ? reject(error) : resolve());
    const load = tedious.newBulkLoad(tableSql(table), { lockTable: true }, done);
    load.addColumn('id', TYPES.UniqueIdentifier, { nullable: false });
    load.addColumn('name', TYPES.VarChar, { length: 20, nullable: false });
    tedious.execBulkLoad(load, rows);
  });
}

type Case = readonly [what: string, by: string, rows: number, before: () => Promise<void>, run: () => Promise<number>];
/** Medians over the rounds. */
interface Measured {
  readonly ms: number;
  readonly cpuUs: number;
}

/** Runs the cases interleaved; the first round is not counted. */
async function measure(cases: readonly Case[]): Promise<readonly Measured[]> {
  const taken = cases.map((): Measured[] => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [index, [, , , before, run]] of cases.entries()) {
      await before();
      const used = process.cpuUsage();
      const ms = await run();
      const { user, system } = process.cpuUsage(used);
      if (round > 0) taken[index]!.push({ ms, cpuUs: user + system });
    }
  }
  return taken.map((one) => ({ ms: median(one.map(({ ms }) => ms)), cpuUs: median(one.map(({ cpuUs }) => cpuUs)) }));
}

function print(cases: readonly Case[], measured: readonly Measured[]): void {
  for (const [index, [what, by, rows]] of cases.entries()) {
    const { ms, cpuUs } = measured[index]!;
    const reference = measured[cases.findIndex(([other, peer]) => other === what && peer === 'mssql')];
    const ratio = reference === undefined ? '' : `  ${(reference.ms / ms).toFixed(2)} × mssql`;
    const speed = Math.round((rows / ms) * 1_000).toLocaleString('en');
    const used = (cpuUs / rows).toFixed(1);
    console.log(
      `${`${what}: ${by}`.padEnd(42)} ${speed.padStart(9)} rows/s ${used.padStart(7)} µs client CPU a row${ratio}`,
    );
  }
}

async function timed<T>(items: readonly T[], run: (item: T) => Promise<unknown> | unknown): Promise<number> {
  const begin = performance.now();
  for (const item of items) await run(item);
  return performance.now() - begin;
}
