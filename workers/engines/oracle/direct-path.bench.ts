import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Batch } from '#model/batch/batch.ts';
import { decodeColumn } from '#model/batch/decode.ts';
import type { TablePlan } from '#model/dataset/dataset.ts';
import { batchesOf, compareInserts, findPeer, openBench, timeInserts } from '../shared/peer-comparison.fixture.ts';
import { config, type OracleConfig } from './config.ts';
import { engine } from './engine.ts';
import { dictionaryName } from './names.ts';
import { givenServer } from './test-server.fixture.ts';

/**
 * Rows of (number, 20 characters) into a table without a key: direct path load and array DML against SQL*Loader's
 * direct path with the same rows, interleaved. On a real database alone, which DYNO_TEST_ORACLE names: the emulator's
 * timings say nothing about Oracle.
 */
const rows = Number(process.env.DYNO_BENCH_ROWS ?? 500_000);
const rounds = 3;
const rowsPerCall = 25_000;

async function main(url: string): Promise<void> {
  const target = config.parse({ url }) as OracleConfig;
  const columns = { id: { type: 'sequence' }, name: { type: 'text', length: 20 } };
  await using bench = await openBench(engine, target, { rows, columns });
  const { database, table, generator, folder } = bench;
  await using session = await database.openSession({});
  const batches = batchesOf(generator, rows, rowsPerCall);
  const loader = findPeer(['sqlldr'], 'Oracle Instant Client, package Tools');

  /** ms as SQL*Loader's log says it, so that starting it does not count. */
  function peer(program: string): number {
    const log = join(folder, 'load.log');
    const { status, stdout } = spawnSync(program, [`parfile=${join(folder, 'load.par')}`], { encoding: 'utf8' });
    const [, hours, minutes, seconds] =
      /Elapsed time was:\s+(\d+):(\d+):([\d.]+)/.exec(readFileSync(log, 'utf8')) ?? [];
    if (status !== 0 || seconds === undefined) throw new Error(`sqlldr said: ${stdout}`);
    return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  }

  if (loader) writeLoaderFiles(folder, target, table, generator.fill(0, rows, null));
  await compareInserts({
    database,
    table,
    rows,
    rounds,
    of: 'number, 20 characters, no key',
    peer: loader ? ['sqlldr direct=true', () => peer(loader)] : null,
    cases: [
      ['bulk (directPathLoad)', () => timeInserts(session, table, 'bulk', batches, false)],
      ['arrayBind (executeMany)', () => timeInserts(session, table, 'arrayBind', batches, false)],
    ],
  });
}

/** Utilities, "SQL*Loader". The password is in a file that only this user can read. */
function writeLoaderFiles(folder: string, target: OracleConfig, table: TablePlan, batch: Batch): void {
  const [ids, names] = batch.columns.map((column, c) => decodeColumn(column, table.columns[c]!.type, batch.rows));
  const file = (name: string) => join(folder, name);
  writeFileSync(file('load.csv'), ids!.map((id, r) => `${id},${names![r]}\n`).join(''));
  writeFileSync(
    file('load.ctl'),
    `LOAD DATA INFILE '${file('load.csv')}' APPEND INTO TABLE "${dictionaryName(table.name)}" FIELDS TERMINATED BY ',' (ID INTEGER EXTERNAL, NAME CHAR(20))\n`,
  );
  writeFileSync(
    file('load.par'),
    `userid='${target.user}/"${target.password ?? ''}"@${target.connectString}'\ncontrol=${file('load.ctl')}\nlog=${file('load.log')}\nbad=${file('load.bad')}\ndirect=true\nsilent=all\n`,
    { mode: 0o600 },
  );
}

if (givenServer) await main(givenServer);
else console.log('SKIPPED: needs an Oracle database: DYNO_TEST_ORACLE=oracle://user:password@host:1521/service');
