import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DynoError } from '#model/error.ts';
import type { ClientJob, ToHost, ToWorker } from '#protocol/messages.ts';
import { watchWorkerMemory } from './worker-memory.ts';

const mebibytes = (count: number): number => count * 1024 * 1024;

let resident: number | null;
let ended: DynoError[];
const watch = (environment = {}) =>
  watchWorkerMemory(
    1,
    (reason) => ended.push(reason),
    () => resident,
    environment,
  );
const fingerprint: ToWorker = { type: 'request', id: 1, request: { call: 'fingerprint' } };
const answer = (id: number): ToHost => ({ type: 'response', id, result: { ok: true, value: null } });

beforeEach(() => {
  vi.useFakeTimers();
  resident = mebibytes(80);
  ended = [];
});
afterEach(() => vi.useRealTimers());

it('ends a process that grows too far between loading its driver and being ready, once', () => {
  const memory = watch();
  memory.message({ type: 'loaded' });
  resident = mebibytes(140);
  vi.advanceTimersByTime(100);
  expect(ended).toEqual([]);
  resident = mebibytes(150);
  vi.advanceTimersByTime(1_000);
  expect(ended.map(({ data }) => [data.kind, data.message])).toEqual([
    ['unreachable', 'The driver took 70.0\u00a0MiB of memory for the login, so it was ended.'],
  ]);
});

it('lets a process take what it needs before its login, and for its part of a trial', () => {
  const memory = watch();
  resident = mebibytes(1_000);
  vi.advanceTimersByTime(100);
  memory.message({ type: 'loaded' });
  memory.message({ type: 'ready', identities: [], endsHere: null });
  memory.told({ type: 'prepare', job: {} as ClientJob });
  resident = mebibytes(4_000);
  vi.advanceTimersByTime(1_000);
  expect(ended).toEqual([]);
  resident = mebibytes(6_000);
  vi.advanceTimersByTime(1_000);
  expect(ended.map(({ message }) => message)).toEqual([expect.stringContaining('while it ran its part of the trial')]);
});

it('ends a process that grows beyond the limit of what it was asked for, and says what that was', () => {
  const memory = watch();
  memory.message({ type: 'loaded' });
  memory.message({ type: 'ready', identities: [], endsHere: null });
  memory.told(fingerprint);
  resident = mebibytes(300);
  vi.advanceTimersByTime(200);
  expect(ended).toEqual([]);
  memory.message(answer(1));
  memory.told({ ...fingerprint, id: 2 });
  resident = mebibytes(550);
  vi.advanceTimersByTime(200);
  expect(ended, 'what it grew by before is not counted again').toEqual([]);
  resident = mebibytes(600);
  vi.advanceTimersByTime(200);
  expect(ended.map(({ data }) => [data.kind, data.message])).toEqual([
    [
      'workerGone',
      'The process that talks to the server took 300\u00a0MiB of memory while it read version and settings, so it was ended.',
    ],
  ]);
  expect(ended[0]!.data.hint).toContain('DYNO_WORKER_MEMORY_MIB');
});

it('requests that overlap share the larger limit; a process that waits has one, too', () => {
  const memory = watch();
  memory.message({ type: 'loaded' });
  memory.message({ type: 'ready', identities: [], endsHere: null });
  const query = { call: 'query', text: 'SELECT 1', tables: {}, options: {}, most: 5, isUndone: false } as const;
  memory.told({ type: 'request', id: 2, request: query });
  memory.told(fingerprint);
  resident = mebibytes(3_000);
  vi.advanceTimersByTime(200);
  expect(ended).toEqual([]);
  memory.message(answer(2));
  memory.message(answer(1));
  resident = mebibytes(3_300);
  vi.advanceTimersByTime(200);
  expect(ended.map(({ message }) => message)).toEqual([expect.stringContaining('while it waited for its next task')]);
});

it('a limit after the login can be raised, and that of the login cannot', () => {
  const memory = watch({ DYNO_WORKER_MEMORY_MIB: '1000' });
  memory.message({ type: 'loaded' });
  memory.message({ type: 'ready', identities: [], endsHere: null });
  memory.told(fingerprint);
  resident = mebibytes(1_000);
  vi.advanceTimersByTime(200);
  expect(ended).toEqual([]);
  resident = mebibytes(1_100);
  vi.advanceTimersByTime(200);
  expect(ended).toHaveLength(1);
  memory.message({ type: 'loaded' });
  resident = mebibytes(1_300);
  vi.advanceTimersByTime(200);
  expect(ended).toHaveLength(2);
});

it('watches nothing where the system does not tell, or the process has gone', () => {
  resident = null;
  watch().message({ type: 'loaded' });
  resident = mebibytes(80);
  const gone = watch();
  gone.message({ type: 'loaded' });
  gone.close();
  resident = mebibytes(900);
  vi.advanceTimersByTime(1_000);
  expect(ended).toEqual([]);
});
