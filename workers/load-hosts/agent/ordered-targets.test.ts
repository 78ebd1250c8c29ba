import { expect, test } from 'vitest';
import type { ClientJob, ToWorker } from '#protocol/messages.ts';
import { targetsIn } from './ordered-targets.ts';

test('every target of an order is found, wherever the order has it', () => {
  const target = { engine: 'postgres', config: { host: 'anywhere' } };
  const orders = {
    init: { type: 'init', role: 'client', tag: 't', ...target },
    prepare: { type: 'prepare', job: { sourceTarget: target } as unknown as ClientJob },
    request: { type: 'request', id: 1, request: { call: 'abort' } },
    warmup: { type: 'warmup' },
    measure: { type: 'measure', atNs: null },
    counted: { type: 'counted' },
    nextCall: { type: 'nextCall' },
    stop: { type: 'stop', cancel: true },
    exit: { type: 'exit' },
  } satisfies { readonly [T in ToWorker['type']]: ToWorker & { readonly type: T } };
  for (const order of Object.values(orders))
    expect(targetsIn(order)).toHaveLength(JSON.stringify(order).split('"engine":').length - 1);
});
