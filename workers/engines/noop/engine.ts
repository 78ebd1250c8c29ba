import { setImmediate } from 'node:timers/promises';
import type { Database } from '#engine-api/database.ts';
import type { Engine } from '#engine-api/engine.ts';
import { toErrorData } from '#model/error.ts';
import { config } from './config.ts';
import { descriptor } from './descriptor.ts';
import { openSession } from './session.ts';

/** Implements the whole interface and does nothing: it measures the harness itself. */
export const engine: Engine = {
  descriptor,
  probeInfo: {},
  async open(raw, _tag, signal) {
    signal.throwIfAborted();
    const delayMs = Number(config.parse(raw).delayMs);
    return openDatabase(delayMs);
  },
  toError: toErrorData,
};

function openDatabase(delayMs: number): Database {
  return {
    fingerprint: async () => ({
      product: 'No-op engine 1',
      version: '1',
      emulator: null,
      durability: { storage: 'none' },
      memory: {},
      other: { delay: `${delayMs} ms` },
      unavailable: [],
    }),
    ping: async () => {},
    prove: async () => {},
    prepareSchema: async () => {},
    addKey: async () => {},
    addIndex: async () => {},
    async load(_table, batches, onRows, signal) {
      let rows = 0;
      for (const batch of batches) {
        signal.throwIfAborted();
        rows += batch.rows;
        onRows(rows);
        await setImmediate(); // without this wait no abort could arrive
      }
    },
    settle: async () => {},
    probe: async () => ({ counters: {}, gauges: {}, unavailable: [] }),
    checksum: async () => null,
    storedBytes: async () => null,
    drop: async () => {},
    leftovers: async () => [],
    dropLeftovers: async () => ({ dropped: [], kept: [] }),
    openSession: async ({ workUs }) => openSession(delayMs, Number(workUs ?? 0)),
    cancel: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
