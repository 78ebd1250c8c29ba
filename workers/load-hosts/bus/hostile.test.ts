import { expect, test } from 'vitest';
import { defaultSettings } from '#model/settings/settings.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { factsSchema, readToAgent, readToCoordinator, sealFor, type ToAgent, type ToCoordinator } from './frames.ts';
import { newKeyPair, sealsBetween } from './seal.ts';
import { openJson, sealJson } from './sealed-json.ts';

const random = new Sfc32(7, 1);
const below = (most: number): number => random.below(most);

const job = {
  worker: 0,
  workers: 2,
  connections: 4,
  table: { name: 't', columns: [], key: 0, options: {} },
  dataset: { rows: 1, seed: 1, key: 'id', columns: {} },
  settings: defaultSettings,
  measure: { until: 'time', seconds: 1 },
  loadedRows: 0,
  trialSeed: 1,
};
const load = {
  ...{ call: 'load', table: job.table, dataset: job.dataset, storedAs: { dates: 'native' } },
  rows: { first: 500, end: 1_000 },
};
const unreachable = { kind: 'unreachable', code: null, message: 'Nobody.', hint: null, retryable: false } as const;
const toAgent = [
  { type: 'start', worker: 0 },
  { type: 'tell', worker: 0, message: { type: 'init', role: 'client', engine: 'noop', config: {}, tag: 'dyno-1' } },
  { type: 'tell', worker: 0, message: { type: 'prepare', job } },
  { type: 'tell', worker: 0, message: { type: 'request', id: 1, request: load } },
  { type: 'tell', worker: 0, message: { type: 'measure', atNs: '12345' } },
  { type: 'kill', worker: 0 },
  { type: 'end' },
] as unknown as readonly ToAgent[];
const toCoordinator = [
  { type: 'told', worker: 0, message: { type: 'hello', pid: 12 } },
  { type: 'told', worker: 0, message: { type: 'measured', lastEndNs: '99' } },
  {
    ...{ type: 'told', worker: 0 },
    message: {
      type: 'response',
      id: 1,
      result: { ok: true, value: { checksum: { rows: 500, columns: ['-12', null] }, bytes: 8_000 } },
    },
  },
  { type: 'told', worker: 0, message: { type: 'response', id: 1, result: { ok: false, error: unreachable } } },
  { type: 'closed', worker: 0, code: 0, signal: null, stderr: '' },
  { type: 'abandoned', afterMs: 10_000 },
] as const satisfies readonly ToCoordinator[];

test('what both sides say is read', () => {
  expect(toAgent.map(readToAgent)).toEqual(toAgent);
  expect(toCoordinator.map(readToCoordinator)).toEqual(toCoordinator);
});

test('an agent takes no control worker, and nothing that a client worker is not told', () => {
  const told = (message: object) => readToAgent({ type: 'tell', worker: 0, message });
  expect(told({ type: 'init', role: 'control', engine: 'noop', config: {}, tag: 't' })).toBeNull();
  expect(told({ type: 'request', id: 1, request: { call: 'drop' } })).toBeNull();
});

test('no changed byte and no cut of a sealed message is taken for the partner’s', async () => {
  const [mine, its, other] = [await newKeyPair(), await newKeyPair(), await newKeyPair()];
  const [to, from, stranger] = [
    (await sealsBetween(mine, its.publicKey))(sealFor.question),
    (await sealsBetween(its, mine.publicKey))(sealFor.question),
    (await sealsBetween(other, its.publicKey))(sealFor.question),
  ];
  const sealed = to.seal(Buffer.from(JSON.stringify({ secret: 'tiger' })));
  expect(Buffer.from(sealed).includes('tiger')).toBe(false);
  expect(Buffer.from(from.open(sealed)!).toString()).toContain('tiger');
  expect(from.open(stranger.seal(Buffer.from('{}')))).toBeNull();
  for (let i = 0; i < 10_000; i++) {
    const changed = Uint8Array.from(sealed);
    changed[below(changed.length)]! ^= 1 + below(255);
    expect(from.open(i % 4 === 0 ? sealed.subarray(0, below(sealed.length)) : changed)).toBeNull();
  }
});

test('a message opens for the other side alone, for its purpose and its session alone', async () => {
  const [coordinator, agent] = [await newKeyPair(), await newKeyPair()];
  const sides = {
    coordinator: await sealsBetween(coordinator, agent.publicKey),
    agent: await sealsBetween(agent, coordinator.publicKey),
  };
  const sessions = ['aa'.repeat(12), 'bb'.repeat(12)];
  const purposes = [
    ...[sealFor.question, sealFor.begin],
    ...sessions.flatMap((one) => [sealFor.facts, sealFor.begun, sealFor.stream, sealFor.ping].map((of) => of(one))),
  ];
  const other = { coordinator: 'agent', agent: 'coordinator' } as const;
  let opened = 0;
  for (const from of ['coordinator', 'agent'] as const)
    for (const purpose of purposes) {
      const recorded = sides[from](purpose).seal(Buffer.from(purpose));
      for (const at of ['coordinator', 'agent'] as const)
        for (const expected of purposes) {
          const plain = sides[at](expected).open(recorded);
          if (at === other[from] && expected === purpose) {
            expect(Buffer.from(plain!).toString()).toBe(purpose);
            opened++;
          } else expect(plain, `${purpose} of the ${from}, sent to the ${at} as ${expected}`).toBeNull();
        }
    }
  expect(opened).toBe(2 * purposes.length);
});

test('a partner that was taken over can say nothing that is not read or refused', async () => {
  const [mine, its] = [await newKeyPair(), await newKeyPair()];
  const [to, from] = [
    (await sealsBetween(mine, its.publicKey))(sealFor.question),
    (await sealsBetween(its, mine.publicKey))(sealFor.question),
  ];
  for (let i = 0; i < 10_000; i++) {
    const frame = [...toAgent, ...toCoordinator][i % (toAgent.length + toCoordinator.length)]!;
    const text = mutated(JSON.stringify(frame));
    openJson(from, to.seal(Buffer.from(text)), factsSchema);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      continue;
    }
    const read = readToAgent(value) ?? readToCoordinator(value);
    if (read !== null) expect(JSON.stringify(read).length).toBeLessThanOrEqual(JSON.stringify(value).length);
  }
  expect(openJson(from, sealJson(to, { version: 1 }), factsSchema)).toBeNull();
});

function mutated(text: string): string {
  const at = below(text.length);
  const pieces = ['', '{', '}', '"', '-1', '1e999', 'null', '[]', '__proto__', '\\u0000', '99999999999999999999'];
  const piece = pieces[below(pieces.length)]!;
  return text.slice(0, at) + piece + text.slice(at + below(4));
}
