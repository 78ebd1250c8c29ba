import { join } from 'node:path';
import type { NatsConnection, SubscriptionOptions } from '@nats-io/transport-node';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { factsSchema } from '../bus/frames.ts';
import { newKeyPair, sealBetween } from '../bus/seal.ts';
import { openJson, sealJson } from '../bus/sealed-json.ts';
import { Agent, usualLimits } from './agent.ts';
import { targetRules } from './target-rules.ts';

test('an agent whose disk takes no spool refuses the run with the reason, and is there for the next one', async () => {
  const [keys, coordinator] = [await newKeyPair(), await newKeyPair()];
  let ask: SubscriptionOptions['callback'];
  const bus = {
    subscribe: (_: string, { callback }: SubscriptionOptions) => {
      ask = callback;
    },
    flush: async () => {},
  } as unknown as NatsConnection;
  await using _agent = await Agent.start({
    ...{ bus, keys, trusted: [coordinator.publicKey], rules: targetRules([]), limits: usualLimits, version: '1' },
    folder: join(temporaryFolder(), 'gone'),
    note: () => {},
  });
  const seal = await sealBetween(coordinator, keys.publicKey);
  for (const session of ['aa'.repeat(12), 'bb'.repeat(12)]) {
    const data = sealJson(seal, { session, key: coordinator.publicKey, version: '1' });
    const answer = await new Promise<Uint8Array>((respond) => ask?.(null, { data, respond } as never));
    expect(openJson(seal, answer, factsSchema)?.refusal).toContain('ENOENT');
  }
});
