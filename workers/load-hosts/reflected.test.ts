import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { expect, test, vi } from 'vitest';
import { startWorker } from '#orchestrator/worker/fork.ts';
import { instrument } from '#orchestrator/worker/targets.ts';
import { allProcs } from '#platform/processes.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { Agent, usualLimits } from './agent/agent.ts';
import { targetRules } from './agent/target-rules.ts';
import { noBus, startBus } from './agents.fixture.ts';
import { connectBus } from './bus/connect-bus.ts';
import { newKeyPair } from './bus/seal.ts';
import { AgentHost } from './coordinator/agent-host.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

interface Recorded {
  readonly subject: string;
  readonly data: Uint8Array;
}

const job = { role: 'client', ...instrument, tag: 'dyno-test', secrets: [] } as const;

test.skipIf(noBus !== null)(
  noBus ?? 'nothing that was heard on the bus does anything when it is sent again, wherever that is',
  async () => {
    await using stack = new AsyncDisposableStack();
    const { url } = stack.use(await startBus());
    const connect = async (name: string): Promise<NatsConnection> => {
      const bus = await connectBus({ url }, name);
      stack.defer(() => bus.close());
      return bus;
    };
    const [near, far, stranger] = [await connect('coordinator'), await connect('agent'), await connect('stranger')];
    const [keys, its] = [await newKeyPair(), await newKeyPair()];
    const folder = temporaryFolder();
    const notes: string[] = [];
    const startAgent = (bus: NatsConnection) =>
      Agent.start({
        ...{ bus, keys: its, trusted: [keys.publicKey], rules: targetRules([]), limits: usualLimits },
        ...{ version: '1', folder, note: (text: string) => notes.push(text) },
      });
    const open = () =>
      AgentHost.open({
        ...{ name: 'load1', bus: near, keys, agent: its.publicKey, version: '1', folder },
        signal: new AbortController().signal,
      });

    const recorded: Recorded[] = [];
    const ear = stranger.subscribe('>', {
      callback: (error, { subject, data }) => {
        if (error === null && !subject.startsWith('$JS')) recorded.push({ subject, data });
      },
    });
    await stranger.flush();
    const agent = await startAgent(far);
    const first = await open();
    await startWorker(job, first);
    await first[Symbol.asyncDispose]();
    const second = await open();
    const worker = await startWorker(job, second);
    await stranger.flush();
    ear.unsubscribe();
    const subjects = [...new Set(recorded.map(({ subject }) => subject))];
    // Questions, orders, pings and frames of two sessions, and the answers.
    for (const pattern of [/^dyno\.agent\./, /\.agent$/, /\.coordinator$/, /\.ping$/, /^_INBOX/])
      expect(subjects.filter((one) => pattern.test(one)).length).toBeGreaterThan(0);
    expect(notes).toHaveLength(3);

    /** Sends every message to every subject, also to those where it was heard; the number of sealed answers. */
    const sendAll = async (): Promise<number> => {
      let answers = 0;
      const inbox = stranger.subscribe('answers.>', {
        // The bus itself answers in JSON where a stream takes a message, and with nothing where nobody listens.
        callback: (_, { data }) => {
          if (data.length > 0 && data[0] !== 0x7b) answers++;
        },
      });
      for (const subject of subjects)
        for (const { data } of recorded) stranger.publish(subject, data, { reply: 'answers.one' });
      await stranger.flush();
      await sleep(500);
      inbox.unsubscribe();
      return answers;
    };
    const isThere = (worker: { readonly pid: number }) =>
      allProcs().some(({ pid, state }) => pid === worker.pid && state !== 'Z');

    // The two questions are answered, for their coordinator alone. The session goes on: nothing was killed, ended or
    // lost, and no other session began.
    expect(await sendAll()).toBe(2);
    expect(notes).toHaveLength(3);
    expect(second.lost).toBeNull();
    expect(isThere(worker)).toBe(true);
    const another = await startWorker(job, second);
    expect(isThere(another)).toBe(true);
    await second[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(notes).toHaveLength(4));

    // No session begins by the order of an earlier one, in this agent or in one of the same key that is started later.
    expect(await sendAll()).toBe(2);
    await agent[Symbol.asyncDispose]();
    const later = await connect('agent');
    await far.close();
    stack.use(await startAgent(later));
    expect(await sendAll()).toBe(2);
    expect(notes).toHaveLength(4);
    await using third = await open();
    expect(isThere(await startWorker(job, third))).toBe(true);
  },
);
