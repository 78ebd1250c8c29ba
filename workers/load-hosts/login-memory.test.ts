import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DynoError } from '#model/error.ts';
import { watchLoginMemory } from './login-memory.ts';

const mebibytes = (count: number): number => count * 1024 * 1024;

let resident: number | null;
let ended: DynoError[];
const watch = () =>
  watchLoginMemory(
    1,
    (reason) => ended.push(reason),
    () => resident,
  );

beforeEach(() => {
  vi.useFakeTimers();
  resident = mebibytes(80);
  ended = [];
});
afterEach(() => vi.useRealTimers());

it('ends a process that grows too far between loading its driver and being ready, once', () => {
  const memory = watch();
  memory.message({ type: 'loaded' });
  resident = mebibytes(170);
  vi.advanceTimersByTime(100);
  expect(ended).toEqual([]);
  resident = mebibytes(190);
  vi.advanceTimersByTime(1_000);
  expect(ended.map(({ data }) => [data.kind, data.message])).toEqual([
    ['unreachable', 'The driver took 110\u00a0MiB of memory for the login, so it was ended.'],
  ]);
});

it('lets a process take what it needs before and after its login', () => {
  const memory = watch();
  resident = mebibytes(1_000);
  vi.advanceTimersByTime(100);
  memory.message({ type: 'loaded' });
  memory.message({ type: 'ready', identities: [] });
  resident = mebibytes(4_000);
  vi.advanceTimersByTime(1_000);
  expect(ended).toEqual([]);
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
