import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { keyIndex, tableColumns } from '#model/dataset/columns.ts';
import type { Dataset } from '#model/dataset/dataset.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import type { ControlRequest, ToHost, ToWorker } from '#protocol/messages.ts';
import { createGenerator } from '../generator/generator.ts';
import { createChecksumSum } from '../verify/checksum.ts';

const dataset: Dataset = { rows: 5_000, seed: 1, key: 'id', columns: { id: { type: 'uuid7', nulls: 0 } } };
const table = { name: 'dyno_test', columns: tableColumns(dataset), key: keyIndex(dataset), options: {} };

let child: ChildProcess | null = null;
afterEach(() => {
  child?.kill('SIGKILL');
  child = null;
});

/** A real worker process with the no-op engine; `next` waits for a message of that type. */
async function worker(role: 'control' | 'client', delayMs = 0) {
  const process = fork(new URL('../../worker.ts', import.meta.url), [], { serialization: 'advanced', execArgv: [] });
  child = process;
  const messages: ToHost[] = [];
  const waiting: { type: ToHost['type']; resolve(message: ToHost): void }[] = [];
  process.on('message', (raw) => {
    const message = raw as ToHost;
    const index = waiting.findIndex(({ type }) => type === message.type);
    if (index === -1) messages.push(message);
    else waiting.splice(index, 1)[0]!.resolve(message);
  });
  const next = async <T extends ToHost['type']>(type: T) => {
    const index = messages.findIndex((message) => message.type === type);
    const message =
      index < 0
        ? await new Promise<ToHost>((resolve) => waiting.push({ type, resolve }))
        : messages.splice(index, 1)[0]!;
    return message as ToHost & { type: T };
  };
  const send = (message: ToWorker) => process.send(message);
  const hello = await next('hello');
  send({ type: 'init', role, engine: 'noop', config: { delayMs }, tag: 'test' });
  await next('ready');
  const ask = async (request: ControlRequest) => {
    send({ type: 'request', id: 1, request });
    return (await next('response')).result;
  };
  return { process, hello, next, send, ask };
}

const job = (delayed: boolean) =>
  ({
    type: 'prepare',
    job: {
      worker: 0,
      workers: 1,
      table,
      dataset,
      settings: { ...defaultSettings, callsPerCommit: 10, connections: 2 },
      connections: 2,
      measure: {
        repeats: 1,
        until: delayed ? 'time' : 'rows',
        rows: dataset.rows,
        seconds: 60,
        warmupSeconds: 0.1,
        warmupRows: 100,
        timeoutSeconds: 60,
        order: 'interleaved',
        seed: 1,
      },
      loadedRows: 0,
      trialSeed: 1,
    },
  }) as const satisfies ToWorker;

test('a client worker goes from hello to its result, and leaves when asked', async () => {
  const { process, hello, next, send } = await worker('client');
  expect(hello.pid).toBe(process.pid);
  send(job(false));
  await next('prepared');
  send({ type: 'warmup' });
  await next('warm');
  send({ type: 'measure', atNs: null });
  const { lastEndNs } = await next('measured');
  send({ type: 'counted' });
  const { result } = await next('result');
  expect(result.lastEndNs).toBe(lastEndNs);
  expect(result.totals).toMatchObject({ calls: 5_000, rows: 5_000, commits: 500 });
  expect(result.acknowledged?.rows).toBe(5_100);
  expect(BigInt(result.lastEndNs) > BigInt(result.firstStartNs)).toBe(true);
  send({ type: 'exit' });
  expect(await once(process, 'exit')).toEqual([0, null]);
});

test('a worker leaves when its host is gone', async () => {
  const { process, next, send } = await worker('client', 20);
  send(job(true));
  await next('prepared');
  send({ type: 'warmup' });
  await next('warm');
  send({ type: 'measure', atNs: null });
  await next('snapshot');
  process.disconnect();
  expect(await once(process, 'exit')).toEqual([0, null]);
});

test('a control worker answers requests and reports errors as data', async () => {
  const { ask } = await worker('control');
  expect(await ask({ call: 'fingerprint' })).toMatchObject({
    ok: true,
    value: { product: expect.stringContaining('No-op engine') },
  });
  const sum = createChecksumSum(table.columns.map(({ type }) => type));
  sum.add(createGenerator(dataset).fill(0, 12_345, null));
  expect(await ask({ call: 'load', table, dataset, storedAs: {}, rows: { first: 0, end: 12_345 } })).toEqual({
    ok: true,
    value: { checksum: sum.total(), bytes: 16 * 12_345 },
  });
  const bad = { ...dataset, columns: { id: { type: 'integer' as const, min: 2, max: 1, nulls: 0 } } };
  expect(await ask({ call: 'load', table, dataset: bad, storedAs: {}, rows: { first: 0, end: 1 } })).toMatchObject({
    ok: false,
    error: { kind: 'badInput' },
  });
  expect(await ask({ call: 'roundTrip', seconds: 0.05 })).toMatchObject({ ok: true });
  // This many calls are enough, so the answer does not take the ten minutes.
  expect(await ask({ call: 'roundTrip', seconds: 600, calls: 5 })).toMatchObject({ ok: true });
  const generation = await ask({ call: 'generation', dataset, seconds: 0.05 });
  expect(generation.ok && (generation.value as { rowsPerSecond: number }).rowsPerSecond).toBeGreaterThan(1_000);
});

test('a client worker loads a range of the rows and leaves; the control worker’s requests are not answered', async () => {
  const { process, ask, send, next } = await worker('client');
  const sum = createChecksumSum(table.columns.map(({ type }) => type));
  sum.add(createGenerator(dataset).fill(5_000, 7_345, null));
  const load = { call: 'load', table, dataset, storedAs: {}, rows: { first: 5_000, end: 12_345 } } as const;
  expect(await ask(load)).toEqual({ ok: true, value: { checksum: sum.total(), bytes: 16 * 7_345 } });
  expect(await ask({ call: 'drop', table })).toMatchObject({ ok: false, error: { kind: 'internal' } });
  send({ type: 'request', id: 2, request: { ...load, rows: { first: 0, end: 1e9 } } });
  await next('progress');
  send({ type: 'stop', cancel: true });
  expect((await next('response')).result).toMatchObject({ ok: false, error: { kind: 'cancelled' } });
  send({ type: 'exit' });
  expect(await once(process, 'exit')).toEqual([0, null]);
});

test('a trial that cannot be prepared fails with the reason', async () => {
  const { process, next, send } = await worker('client');
  const { job: good } = job(false);
  send({ type: 'prepare', job: { ...good, settings: { ...good.settings, operation: 'scan', method: 'bulk' } } });
  expect((await next('failed')).error).toMatchObject({
    kind: 'unsupported',
    message: 'No-op engine cannot scan by bulk.',
  });
  expect(await once(process, 'exit')).toEqual([1, null]);
});
