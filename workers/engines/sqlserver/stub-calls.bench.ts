import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { parse } from 'valibot';
import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import { optionsFor } from '#engine-api/support/engine-options.ts';
import type { Batch } from '#model/batch/batch.ts';
import { tableColumns } from '#model/dataset/columns.ts';
import { datasetSchema, type TablePlan } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { MethodName, TableOperation } from '#model/settings/vocabulary.ts';
import { median } from '../shared/peer-comparison.fixture.ts';
import { config, type SqlServerConfig } from './config.ts';
import { connect } from './connection/connect.ts';
import { descriptor } from './descriptor.ts';
import { sessionOptions } from './options.ts';
import { openSession } from './session.ts';
import { LeanPath } from './wire/lean-path.ts';
import { rpcRequest, transactionManager } from './wire/request.ts';
import { done, tdsServer } from './wire/tds-server.fixture.ts';
import {
  columnKinds,
  columnsToken,
  doneToken,
  environmentToken,
  returnStatusToken,
  returnValueToken,
  rowToken,
} from './wire/tokens.fixture.ts';

/**
 * The client's processor time of short calls on both call paths, against a stub of the tests' that answers at once. The
 * paths take turns in one client process, the stub is another process, and each pair of processes is a new one.
 * DYNO_BENCH_CASE: part of a case's name; DYNO_BENCH_ROUNDS: pairs of processes; DYNO_BENCH_ROWS: calls of a turn.
 */
const wanted = process.env.DYNO_BENCH_CASE ?? '';
const rounds = Number(process.env.DYNO_BENCH_ROUNDS ?? 5);
const callsOfTurn = Number(process.env.DYNO_BENCH_ROWS ?? 10_000);
const connections = 8;
const turns = 5;

const paths = ['driver', 'lean'] as const;
type Path = (typeof paths)[number];

const dataset = parse(datasetSchema, {
  rows: 100_000,
  key: 'id',
  columns: {
    id: { type: 'uuid4' },
    name: { type: 'text', length: 20 },
    amount: { type: 'decimal', precision: 12, scale: 2 },
  },
});
const table: TablePlan = {
  name: 'dyno_bench',
  columns: tableColumns(dataset),
  key: 0,
  options: optionsFor(descriptor, defaultSettings),
};
const server = { major: 16, version: '16', edition: '', engineEdition: 3, emulator: null };

const cases: Readonly<Record<string, readonly [TableOperation, MethodName]>> = {
  'read by key, sp_execute': ['readByKey', 'prepared'],
  'read by key, sp_executesql': ['readByKey', 'bind'],
  'delete by key, sp_execute': ['delete', 'prepared'],
};

/** Answers a request as SQL Server does. */
function answer(body: Buffer, type: number): { readonly tokens: Buffer } {
  const transaction = Buffer.alloc(8, 1);
  const none = Buffer.alloc(0);
  if (type === transactionManager)
    return {
      tokens: Buffer.concat([
        body[22] === 5 ? environmentToken(8, transaction, none) : environmentToken(9, none, transaction),
        done(null),
      ]),
    };
  if (type !== rpcRequest) return { tokens: done(null) };
  const procedure = body[24];
  if (procedure === execute) return { tokens: body[handleAt] === ofDelete ? changed : read };
  const isDelete = body.includes(deleteText);
  if (procedure === prepare) return { tokens: prepared(isDelete ? ofDelete : ofRead) };
  return { tokens: isDelete ? changed : read };
}
const [prepare, execute] = [11, 12];
const [ofRead, ofDelete] = [1, 2];
/** The position of the first byte of the handle that sp_execute is given. */
const handleAt = 33;
const deleteText = Buffer.from('DELETE', 'utf16le');
const columns = ['uniqueidentifier', 'varchar', 'decimal'].map((name) => columnKinds[name]!);
const ends = Buffer.concat([returnStatusToken, doneToken('doneProcedure', null)]);
const prepared = (handle: number) =>
  Buffer.concat([returnStatusToken, returnValueToken(handle), doneToken('doneProcedure', null)]);
const read = Buffer.concat([columnsToken(columns), rowToken(columns, 1), doneToken('doneInProcedure', 1), ends]);
const changed = Buffer.concat([doneToken('doneInProcedure', 1), ends]);

async function openOn(port: number, path: Path): Promise<Session> {
  const parsed = config.parse({ host: '127.0.0.1', port, user: 'app', password: 'x', encrypt: 'false' });
  const isLean = path === 'lean';
  const connection = await connect(parsed as SqlServerConfig, 'dyno-bench', { ...sessionOptions({}), isLean });
  return openSession(connection, server, isLean ? new LeanPath(connection) : null);
}

/** Makes calls one after another on a session. */
const callAgain = ({ start, run, encode }: Operation, batches: readonly Batch[], calls: number): Promise<void> =>
  new Promise((resolve, reject) => {
    let left = calls;
    const next = () => {
      if (left-- === 0) return resolve();
      const call = encode(batches[left % batches.length]!);
      if (start) start(call, { answered: next, failed: reject });
      else Promise.resolve(run(call)).then(next, reject);
    };
    next();
  });

/** The processor time of a call of each path, µs. */
async function measure(port: number, [operation, method]: readonly [TableOperation, MethodName]) {
  const settings = { ...defaultSettings, operation, method };
  const keys = { kind: 'fixed', bytes: randomBytes(16 * 64), stride: 16, width: 16, nulls: null } as const;
  const batches = Array.from({ length: 64 }, (_, i): Batch => ({ rows: 1, columns: [{ ...keys, offset: 16 * i }] }));
  const sessions = new Map<Path, Session[]>();
  const operations = new Map<Path, Operation[]>();
  for (const path of paths) {
    const opened = await Promise.all(Array.from({ length: connections }, () => openOn(port, path)));
    sessions.set(path, opened);
    operations.set(path, await Promise.all(opened.map((one) => one.prepare({ table, operation, method, settings }))));
  }
  const taken = new Map<Path, number[]>(paths.map((path) => [path, []]));
  for (let turn = 0; turn <= turns; turn++) {
    for (const path of paths) {
      const used = process.cpuUsage();
      await Promise.all(operations.get(path)!.map((one) => callAgain(one, batches, callsOfTurn / connections)));
      const { user, system } = process.cpuUsage(used);
      // The first turn compiles the code.
      if (turn > 0) taken.get(path)!.push((user + system) / callsOfTurn);
    }
  }
  for (const session of [...sessions.values()].flat()) await session[Symbol.asyncDispose]();
  return Object.fromEntries(paths.map((path) => [path, median(taken.get(path)!)])) as Record<Path, number>;
}

/** Starts this file as another process, and resolves with its first message. */
async function started<T>(role: string, ...given: readonly string[]) {
  const child = fork(import.meta.filename, [role, ...given]);
  const [message] = (await once(child, 'message')) as [T];
  return { child, message };
}

const spread = (values: readonly number[], digits: number): string =>
  `${median(values).toFixed(digits)} (${Math.min(...values).toFixed(digits)} to ${Math.max(...values).toFixed(digits)})`;

async function compare(): Promise<void> {
  console.log(
    `| ${connections} connections, one client process | the driver’s path, µs | the lean path, µs | lean ÷ driver’s |`,
  );
  console.log('| --- | --- | --- | --- |');
  for (const name of Object.keys(cases).filter((one) => one.includes(wanted))) {
    const pairs: Record<Path, number>[] = [];
    for (let round = 0; round < rounds; round++) {
      const stub = await started<number>('stub');
      const client = await started<Record<Path, number>>('client', String(stub.message), name);
      pairs.push(client.message);
      for (const { child } of [client, stub]) child.kill();
    }
    const of = (path: Path) => pairs.map((pair) => pair[path]);
    const ratios = pairs.map(({ lean, driver }) => lean / driver);
    console.log(`| ${name} | ${spread(of('driver'), 1)} | ${spread(of('lean'), 1)} | ${spread(ratios, 2)} |`);
  }
}

if (!process.send) await compare();
else {
  const [, , role, port, name] = process.argv;
  process.send(role === 'stub' ? (await tdsServer(answer)).port : await measure(Number(port), cases[name!]!));
}
