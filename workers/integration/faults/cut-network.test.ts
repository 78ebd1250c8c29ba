import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { noBus, startAgent, startBus, type TestAgent } from '#load-hosts/agents.fixture.ts';
import { storedKeys } from '#load-hosts/bus/stored-keys.ts';
import { findProgram } from '#managed-servers/install/tools.ts';
import { newRun, once } from '#orchestrator/run/run.fixture.ts';
import { allProcs, commandOf } from '#platform/processes.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import { type TestHome, testHome } from '../home.fixture.ts';

vi.setConfig({ testTimeout: 200_000, hookTimeout: 60_000 });

const run = (command: string): void => {
  const [program = '', ...args] = command.split(' ');
  execFileSync(program, args, { stdio: 'pipe' });
};

/** Why no network can be made here; null: it can. It takes minutes, so that `npm run faults` alone does it. */
function noNetwork(): string | null {
  if (!whole) return 'npm run faults has it';
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root of Linux makes networks';
  return findProgram(['ip']) === null || findProgram(['tc']) === null ? 'iproute2 is not installed' : noBus;
}

const name = 'dyno-faults';
const skipped = noNetwork();

describe.skipIf(skipped !== null)(`a load host in a network of its own, 20 ms away (${skipped ?? 'cut'})`, () => {
  const stack = new AsyncDisposableStack();
  let home: TestHome;
  let agent: TestAgent;
  beforeAll(async () => {
    run(`ip netns add ${name}`);
    stack.defer(() => run(`ip netns del ${name}`));
    run(`ip link add dyno-near type veth peer name dyno-far netns ${name}`);
    run('ip addr add 10.213.77.1/30 dev dyno-near');
    run('ip link set dyno-near up');
    for (const command of ['addr add 10.213.77.2/30 dev dyno-far', 'link set dyno-far up', 'link set lo up'])
      run(`ip -n ${name} ${command}`);
    try {
      run('tc qdisc add dev dyno-near root netem delay 20ms loss 1%');
    } catch {
      console.log('| this kernel has no netem: the network has no delay and no loss | | |');
    }
    const bus = stack.use(await startBus((folder, port) => ['-p', String(port), '-js', '-sd', folder]));
    home = stack.use(testHome());
    const { publicKey } = await storedKeys(home.home, 'coordinator');
    const far = `nats://10.213.77.1:${bus.port}`;
    agent = stack.use(await startAgent(far, publicKey, [], ['ip', 'netns', 'exec', name]));
    saveLoadHost(home.home, { name: 'load1', nats: bus.url, agent: agent.publicKey });
  });
  afterAll(() => stack.disposeAsync());

  const workers = () =>
    allProcs().filter(({ pid, parent }) => parent === agent.child.pid && /worker\.[jt]s/.test(commandOf(pid)));

  it.each([
    { cutSeconds: 5, seconds: 12, status: 'ok' },
    { cutSeconds: 35, seconds: 60, status: 'failed' },
  ])('cut for $cutSeconds s', async ({ cutSeconds, seconds, status }) => {
    const {
      run: made,
      results,
      records,
    } = await newRun(home, {
      workload: '{ operation: readByKey, connections: 2, loadFrom: load1 }',
      measure: `{ until: { seconds: ${seconds} }, warmupSeconds: 0.1, repeats: 1 }`,
    });
    let left = -1;
    once(
      made,
      ({ record }) => record === 'snapshot',
      () => {
        run('ip link set dyno-near down');
        void sleep(cutSeconds * 1_000).then(() => {
          left = workers().length;
          run('ip link set dyno-near up');
        });
      },
    );
    await made.start();
    await vi.waitFor(() => expect(left).not.toBe(-1), { timeout: 60_000 });
    const [result] = results();
    expect(result?.status).toBe(status);
    const measured = records.flatMap((one) => (one.record === 'snapshot' ? [one.snapshot.counts.calls] : []));
    if (status === 'ok') expect(measured.reduce((sum, one) => sum + one, 0)).toBe(result?.totals.calls);
    else {
      expect(result?.error?.kind).toBe('workerGone');
      expect(left).toBe(0);
    }
    console.log(
      `| network cut for ${cutSeconds} s | ${result?.status} | ${result?.error?.message ?? 'nothing is lost'} |`,
    );
  });
});
