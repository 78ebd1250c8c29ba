import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { givenOrTestServer } from '#managed-servers/test-server.fixture.ts';
import type { Batch } from '#model/batch/batch.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { compareInserts, findPeer, openBench } from '../shared/peer-comparison.fixture.ts';
import { config, type PostgresConfig } from './config.ts';
import { engine } from './engine.ts';
import { peerEnvironment } from './peers.fixture.ts';
import { copyBinary, copyLayout } from './values/binary.ts';
import { copyText } from './values/copy-text.ts';

/**
 * COPY of (uuid, 20 characters) into a table without a key: our bulk operation against `psql \copy` of the same rows on
 * the same server, interleaved. DYNO_TEST_POSTGRES names a server; without it an embedded one is started.
 */
const rows = Number(process.env.DYNO_BENCH_ROWS ?? 500_000);
const rounds = 5;
const rowsPerCall = 25_000;

const server = await givenOrTestServer();
const target = config.parse(server.raw) as PostgresConfig;
const columns = { id: { type: 'uuid4' }, name: { type: 'text', length: 20 } };
await using bench = await openBench(engine, target, { rows, columns }, server);
const { database, table, generator, folder } = bench;
const types = table.columns.map((column) => column.type);
const layout = copyLayout(table.columns);
await using first = await database.openSession({});
await using second = await database.openSession({});
const psql = findPeer(['psql'], 'Debian: postgresql-client');

const settings = { ...defaultSettings, method: 'bulk', rowsPerCall } as const;
const starts = Array.from({ length: Math.ceil(rows / rowsPerCall) }, (_, i) => i * rowsPerCall);
const make = (start: number, laidOut: boolean): Batch =>
  generator.fill(start, Math.min(rowsPerCall, rows - start), laidOut ? layout : null);

/**
 * ms for all rows, in one transaction of each session. Prepared: rows are encoded before the clock. Inline: while the
 * server works. Each session takes the next rows that no other has.
 */
async function ours(bulkFormat: 'text' | 'binary', inline: boolean, sessions = [first]): Promise<number> {
  const copies = await Promise.all(
    sessions.map((one) =>
      one.prepare({ table, operation: 'insert', method: 'bulk', settings: { ...settings, bulkFormat } }),
    ),
  );
  const encode = (copy: Operation, start: number) => copy.encode(make(start, Boolean(copy.layout)));
  const ready = inline ? null : new Map(starts.map((start) => [start, encode(copies[0]!, start)]));
  const left = [...starts];
  const load = async (session: Session, copy: Operation) => {
    await session.begin();
    let running: Promise<number> | number = 0;
    for (let start = left.shift(); start !== undefined; start = left.shift()) {
      const call = ready?.get(start) ?? encode(copy, start);
      await running;
      running = copy.run(call);
    }
    await running;
    await session.commit();
  };
  const begin = performance.now();
  await Promise.all(sessions.map((session, i) => load(session, copies[i]!)));
  return performance.now() - begin;
}

/** ms as psql's \timing says it, so that starting psql does not count. */
async function peer(format: 'text' | 'binary'): Promise<number> {
  const child = spawn(psql!, ['-X', '-q', '-v', 'ON_ERROR_STOP=1'], {
    env: peerEnvironment(target),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(`\\timing on\n\\copy dyno."${table.name}" from '${join(folder, format)}' (format ${format})\n`);
  let output = '';
  for await (const chunk of child.stdout) output += String(chunk);
  const ms = Number(/Time: ([\d.]+) ms/.exec(output)?.[1]);
  if (!(ms > 0)) throw new Error(`psql said: ${output}`);
  return ms;
}

const whole = generator.fill(0, rows, null);
writeFileSync(join(folder, 'text'), copyText(whole, types));
writeFileSync(join(folder, 'binary'), copyBinary(whole, types));
for (const format of ['binary', 'text'] as const)
  await compareInserts({
    database,
    table,
    rows,
    rounds,
    of: `COPY ${format}: uuid, 20 characters, no key`,
    peer: psql ? [`psql \\copy, ${format}`, () => peer(format)] : null,
    cases: [
      [`bulk ${format}, rows prepared`, () => ours(format, false)],
      [`bulk ${format}, rows made inline`, () => ours(format, true)],
      [`bulk ${format}, inline, 2 connections`, () => ours(format, true, [first, second])],
    ],
  });
