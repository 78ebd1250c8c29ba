import { expect, test, vi } from 'vitest';
import { guarded } from '#integration/trusted.fixture.ts';
import type { LoadHost } from '#load-hosts/load-host.ts';
import { localHost } from '#load-hosts/local-host.ts';
import { endAllWorkers, startWorker } from './fork.ts';
import { instrument } from './targets.ts';

test('a worker whose driver acts on no time limit is killed by this process soon after the limit', async () => {
  vi.useFakeTimers();
  try {
    let kills = 0;
    const looping: LoadHost = {
      ...localHost,
      startWorker(listener) {
        queueMicrotask(() => {
          listener.message({ type: 'hello', pid: 0 });
          listener.message({ type: 'loaded' });
        });
        const kill = () => {
          kills++;
          listener.closed({ code: null, signal: 'SIGKILL', stderr: '' });
        };
        return { pid: 0, hasEnded: false, send() {}, kill };
      },
    };
    const config = guarded({ label: 'x', connectTimeoutMs: 3_000 });
    const started = startWorker({ role: 'control', engine: 'noop', config, tag: 'test', secrets: [] }, looping);
    const failed = expect(started).rejects.toThrow('The login was not complete within 9 s.');
    await vi.advanceTimersByTimeAsync(8_999);
    expect(kills).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(kills).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a server that logs in and answers nothing more is left at the time limit of connecting', async () => {
  vi.useFakeTimers();
  try {
    let kills = 0;
    const told: unknown[] = [];
    const mute: LoadHost = {
      ...localHost,
      startWorker(listener) {
        queueMicrotask(() => {
          listener.message({ type: 'hello', pid: 0 });
          listener.message({ type: 'loaded' });
          listener.message({ type: 'ready', identities: [], endsHere: null });
        });
        const kill = () => {
          kills++;
          listener.closed({ code: null, signal: 'SIGKILL', stderr: '' });
        };
        return { pid: 0, hasEnded: false, send: (message) => told.push(message), kill };
      },
    };
    const config = guarded({ label: 'x', connectTimeoutMs: 3_000 });
    const started = startWorker({ role: 'control', engine: 'noop', config, tag: 'test', secrets: [] }, mute);
    const failed = expect(started).rejects.toMatchObject({
      data: { kind: 'timeout', message: expect.stringContaining('the first statement was not answered within 3 s') },
    });
    await vi.advanceTimersByTimeAsync(2_999);
    expect(told.at(-1)).toEqual({ type: 'request', id: 1, request: { call: 'ping' } });
    expect(kills).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await failed;
    expect(kills).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('a killed worker whose end never comes does not hold up a process that will exit', async () => {
  let kills = 0;
  const deaf: LoadHost = {
    ...localHost,
    startWorker(listener) {
      setImmediate(() => {
        listener.message({ type: 'hello', pid: 0 });
        listener.message({ type: 'loaded' });
        listener.message({ type: 'ready', identities: [], endsHere: null });
      });
      const kill = () => {
        kills++;
      };
      return { pid: 0, hasEnded: false, send() {}, kill };
    },
  };
  await startWorker({ role: 'client', ...instrument, tag: 'test', secrets: [] }, deaf);
  await endAllWorkers(0);
  expect(kills).toBe(1);
});
