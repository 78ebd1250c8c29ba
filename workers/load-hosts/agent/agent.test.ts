import { join } from 'node:path';
import type { NatsConnection, SubscriptionOptions } from '@nats-io/transport-node';
import type * as v from 'valibot';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { type beginSchema, begunSchema, busNames, factsSchema, type questionSchema, sealFor } from '../bus/frames.ts';
import { type KeyPair, keyName, newKeyPair, type Seals, sealsBetween } from '../bus/seal.ts';
import { openJson, sealJson } from '../bus/sealed-json.ts';
import { Agent, usualLimits } from './agent.ts';
import { targetRules } from './target-rules.ts';

type Question = v.InferOutput<typeof questionSchema>;
type Order = v.InferOutput<typeof beginSchema>;

/** A bus in this process, on which one message at a time is sent. */
function memoryBus() {
  const heard = new Map<string, NonNullable<SubscriptionOptions['callback']>>();
  const bus = {
    subscribe(subject: string, { callback }: SubscriptionOptions) {
      heard.set(subject, callback!);
      return { unsubscribe: () => heard.delete(subject) };
    },
    flush: async () => {},
  } as unknown as NatsConnection;
  /** Null: nobody listens there, or it gets no answer. */
  const ask = async (key: string, data: Uint8Array): Promise<Uint8Array | null> => {
    const callback = heard.get(busNames.agent(await keyName(key)));
    if (!callback) return null;
    const answered = new Promise<Uint8Array>((respond) => callback(null, { data, respond } as never));
    return Promise.race([answered, new Promise<null>((resolve) => setTimeout(resolve, 100, null))]);
  };
  return { bus, ask };
}

async function startAgent(bus: NatsConnection, keys: KeyPair, coordinator: KeyPair, folder: string) {
  return Agent.start({
    ...{ bus, keys, trusted: [coordinator.publicKey], rules: targetRules([]), limits: usualLimits, version: '1' },
    ...{ folder, note: () => {} },
  });
}

const question = (number: number): Question => ({ question: `${number}`.padStart(24, '0') });

test('an agent whose disk takes no spool refuses the run with the reason, and is there for the next one', async () => {
  const [keys, coordinator] = [await newKeyPair(), await newKeyPair()];
  const { bus, ask } = memoryBus();
  await using _agent = await startAgent(bus, keys, coordinator, join(temporaryFolder(), 'gone'));
  const seals = await sealsBetween(coordinator, keys.publicKey);
  for (const session of ['aa'.repeat(12), 'bb'.repeat(12)]) {
    const key = await keyOfNextSession(ask, keys, seals);
    const ofSession = await sealsBetween(coordinator, key);
    const order: Order = { session, key: coordinator.publicKey, version: '1' };
    const answer = await ask(key, sealJson(ofSession(sealFor.begin), order));
    expect(openJson(ofSession(sealFor.begun(session)), answer!, begunSchema)?.refusal).toContain('ENOENT');
  }
});

test('an order to begin a session opens once, and not in an agent of the same key that was started later', async () => {
  const [keys, coordinator] = [await newKeyPair(), await newKeyPair()];
  const seals = await sealsBetween(coordinator, keys.publicKey);
  const { bus, ask } = memoryBus();
  const gone = join(temporaryFolder(), 'gone');
  let order: Uint8Array;
  let key: string;
  {
    await using _agent = await startAgent(bus, keys, coordinator, gone);
    key = await keyOfNextSession(ask, keys, seals);
    const ofSession = await sealsBetween(coordinator, key);
    const asked: Order = { session: 'aa'.repeat(12), key: coordinator.publicKey, version: '1' };
    order = sealJson(ofSession(sealFor.begin), asked);
    expect(await ask(key, order)).not.toBeNull();
    const next = await keyOfNextSession(ask, keys, seals);
    expect(next).not.toBe(key);
    for (const subject of [key, next, keys.publicKey]) expect(await ask(subject, order)).toBeNull();
  }
  await using _later = await startAgent(bus, keys, coordinator, gone);
  const next = await keyOfNextSession(ask, keys, seals);
  for (const subject of [key, next, keys.publicKey]) expect(await ask(subject, order)).toBeNull();
});

test('the answer to an earlier question does not open for a later one', async () => {
  const [keys, coordinator] = [await newKeyPair(), await newKeyPair()];
  const seals = await sealsBetween(coordinator, keys.publicKey);
  const { bus, ask } = memoryBus();
  await using _agent = await startAgent(bus, keys, coordinator, temporaryFolder());
  const answer = await ask(keys.publicKey, sealJson(seals(sealFor.question), question(1)));
  expect(openJson(seals(sealFor.facts(question(1).question)), answer!, factsSchema)?.busy).toBe(false);
  expect(openJson(seals(sealFor.facts(question(2).question)), answer!, factsSchema)).toBeNull();
});

async function keyOfNextSession(
  ask: ReturnType<typeof memoryBus>['ask'],
  { publicKey }: KeyPair,
  seals: Seals,
): Promise<string> {
  const asked = question(7);
  const answer = await ask(publicKey, sealJson(seals(sealFor.question), asked));
  return openJson(seals(sealFor.facts(asked.question)), answer!, factsSchema)!.key;
}
