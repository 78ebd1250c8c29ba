import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { canMount, smallDisk } from '#platform/small-disk.fixture.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import type { ToHost } from '#protocol/messages.ts';
import { Agent, usualLimits } from './agent/agent.ts';
import type { AgentLimits } from './agent/session.ts';
import { targetRules } from './agent/target-rules.ts';
import { noBus, startBus } from './agents.fixture.ts';
import { connectBus } from './bus/connect-bus.ts';
import { newKeyPair } from './bus/seal.ts';
import { AgentHost } from './coordinator/agent-host.ts';
import { cuttableLink } from './cuttable-link.fixture.ts';
import type { LoadHost, WorkerListener } from './load-host.ts';
import { watchThisMachine } from './machine/host-sampler.ts';

vi.setConfig({ testTimeout: 60_000 });

/** A place whose workers say what the test says, and nothing else. */
function tongues() {
  const listeners: WorkerListener[] = [];
  let killed = 0;
  const host: LoadHost = {
    ...{ name: 'tongues', cores: 1, os: 'linux', clock: null, processors: null },
    watchMachine: watchThisMachine,
    startWorker(listener) {
      listeners.push(listener);
      return {
        ...{ pid: 1, hasEnded: false },
        send: () => {},
        kill() {
          killed++;
          listener.closed({ code: null, signal: 'SIGKILL', stderr: '' });
        },
      };
    },
  };
  return {
    host,
    killed: () => killed,
    started: () => listeners.length,
    say: (rows: number, what = '') =>
      listeners[0]?.message({ type: 'progress', phase: 'load', rows, of: rows, ...(what && { what }) }),
  };
}

describe.skipIf(noBus !== null)(noBus ?? 'the link to an agent', () => {
  let bus: Awaited<ReturnType<typeof startBus>>;
  beforeAll(async () => {
    bus = await startBus();
  });
  afterAll(() => bus[Symbol.asyncDispose]());

  /** A coordinator, and an agent behind a network that can fail, with one worker. */
  const session = async (limits: Partial<AgentLimits> = {}, spoolFolder = temporaryFolder()) => {
    const stack = new AsyncDisposableStack();
    const link = stack.use(await cuttableLink(bus.port));
    const near = await connectBus({ url: bus.url }, 'coordinator');
    stack.defer(() => near.close());
    const [keys, its] = [await newKeyPair(), await newKeyPair()];
    const places = tongues();
    const notes: string[] = [];
    const startOne = async () => {
      const far = await connectBus({ url: `nats://127.0.0.1:${link.port}` }, 'agent');
      stack.defer(() => far.close());
      return stack.use(
        await Agent.start({
          ...{ bus: far, keys: its, trusted: [keys.publicKey], rules: targetRules([]), version: '1' },
          ...{ limits: { ...usualLimits, ...limits }, host: places.host, folder: spoolFolder },
          note: (text) => notes.push(text),
        }),
      );
    };
    await startOne();
    const signal = new AbortController().signal;
    const open = () =>
      AgentHost.open({
        ...{ name: 'load1', bus: near, keys, agent: its.publicKey, version: '1', folder: temporaryFolder(), signal },
      });
    const heard: ToHost[] = [];
    const failures: string[] = [];
    const begin = async () => {
      const host = stack.use(await open());
      host.startWorker({
        message: (message) => heard.push(message),
        failed: ({ message }) => failures.push(message),
        closed: () => {},
      });
      await vi.waitFor(() => expect(places.started()).toBe(1), { timeout: 10_000 });
      return host;
    };
    return { link, places, notes, heard, failures, startOne, begin, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  };

  test('brings all that was said while it was cut, once and in order', async () => {
    await using cut = await session();
    await cut.begin();
    const count = 600;
    for (let i = 1; i <= count; i++) {
      if (i === 100) cut.link.cut();
      // More than waits in memory, so that the spool has its part.
      cut.places.say(i, 'x'.repeat(2_000));
      if (i % 100 === 0) await sleep(50);
    }
    cut.link.mend();
    await vi.waitFor(() => expect(cut.heard).toHaveLength(count), { timeout: 30_000 });
    expect(cut.heard.map((one) => (one.type === 'progress' ? one.rows : 0))).toEqual(
      Array.from({ length: count }, (_, i) => i + 1),
    );
    expect(cut.failures).toEqual([]);
  });

  const fill = async (cut: Awaited<ReturnType<typeof session>>) => {
    await cut.begin();
    cut.link.cut();
    await vi.waitFor(
      () => {
        cut.places.say(1, 'x'.repeat(20_000));
        expect(cut.notes.at(-1)).toMatch(/is over/);
      },
      { timeout: 30_000, interval: 1 },
    );
    expect(cut.places.killed()).toBe(1);
  };

  test('ends the session and its load when the spool is full', async () => {
    await using cut = await session({ spoolBytes: 1_000_000 });
    await fill(cut);
    expect(cut.notes.at(-1)).toMatch(/spool .* is full/);
  });

  test.skipIf(!canMount)('ends them when the disk of the spool is full', async () => {
    const folder = temporaryFolder();
    using _ = smallDisk(folder, '1m');
    await using cut = await session({}, folder);
    await fill(cut);
    expect(cut.notes.at(-1)).toMatch(/no space left|ENOSPC/i);
  });

  test.runIf(whole)('one of two agents with one key does the work', async () => {
    await using twice = await session();
    await twice.startOne();
    await twice.begin();
    twice.places.say(7);
    await vi.waitFor(() => expect(twice.heard).toHaveLength(1));
    expect(twice.notes.filter((text) => text.startsWith('Works for session'))).toHaveLength(1);
  });
});
