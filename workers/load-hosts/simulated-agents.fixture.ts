import { tmpdir } from 'node:os';
import { localHostName } from '#model/load-hosts.ts';
import { noCalls, noHealth } from '#orchestrator/worker/merge-results.ts';
import type { CallCounts } from '#protocol/measurement.ts';
import type { ToHost } from '#protocol/messages.ts';
import { Histogram } from '#stats/histogram/histogram.ts';
import { Sfc32 } from '#stats/random/random.ts';
import { Agent, usualLimits } from './agent/agent.ts';
import { targetRules } from './agent/target-rules.ts';
import { connectBus } from './bus/connect-bus.ts';
import { newKeyPair } from './bus/seal.ts';
import type { LoadHost } from './load-host.ts';
import { watchThisMachine } from './machine/host-sampler.ts';
import { processorTimes } from './machine-facts.ts';

// A program: agents with the real protocol whose workers make no calls, for benchmarks of the coordinator. Arguments:
// the bus, the coordinator's key, the number of agents, and the seconds of the measured phase. Prints the agents' keys.
const [url = '', trust = '', count = '1', seconds = '5'] = process.argv.slice(2);

/** A snapshot's counts as a busy worker has them: a histogram with latencies over two decades. */
function busyCounts(seed: number): CallCounts {
  const random = new Sfc32(seed);
  const service = new Histogram();
  for (let i = 0; i < 10_000; i++) service.record(100_000 + random.below(10_000_000));
  return { ...noCalls, calls: 10_000, rows: 10_000, service: service.encode() };
}

const simulated: LoadHost = {
  name: localHostName,
  cores: 1,
  os: 'linux',
  clock: null,
  get processors() {
    return processorTimes();
  },
  watchMachine: watchThisMachine,
  startWorker(listener) {
    const say = (message: ToHost) => setImmediate(() => listener.message(message));
    let worker = 0;
    let counts = noCalls;
    let beganNs = '0';
    let timer: NodeJS.Timeout | undefined;
    let hasEnded = false;
    const end = () => {
      if (hasEnded) return;
      hasEnded = true;
      clearInterval(timer);
      setImmediate(() => listener.closed({ code: 0, signal: null, stderr: '' }));
    };
    const begin = () => {
      beganNs = String(process.hrtime.bigint());
      let atMs = 0;
      timer = setInterval(() => {
        atMs += 1_000;
        say({ type: 'snapshot', snapshot: { worker, atMs, lengthMs: 1_000, counts, health: noHealth } });
        if (atMs < Number(seconds) * 1_000) return;
        clearInterval(timer);
        say({ type: 'measured', lastEndNs: String(process.hrtime.bigint()) });
      }, 1_000);
    };
    say({ type: 'hello', pid: process.pid });
    return {
      pid: process.pid,
      get hasEnded() {
        return hasEnded;
      },
      send(message) {
        switch (message.type) {
          case 'init':
            say({ type: 'loaded' });
            say({ type: 'ready', identities: [], endsHere: null });
            break;
          case 'prepare':
            worker = message.job.worker;
            counts = busyCounts(worker + 1);
            say({ type: 'prepared' });
            break;
          case 'warmup':
            say({ type: 'warm' });
            break;
          case 'measure':
            setTimeout(begin, Math.max(0, Number(BigInt(message.atNs ?? '0') - process.hrtime.bigint()) / 1e6));
            break;
          case 'counted':
            say({
              type: 'result',
              result: {
                worker,
                beganNs,
                firstStartNs: beganNs,
                lastEndNs: String(process.hrtime.bigint()),
                totals: counts,
                health: noHealth,
                handshakes: null,
                acknowledged: null,
                uncertainRows: 0,
                errorExamples: [],
              },
            });
            break;
          case 'exit':
          case 'stop':
            end();
            break;
          default:
        }
      },
      kill: end,
    };
  },
};

for (let i = 0; i < Number(count); i++) {
  const keys = await newKeyPair();
  await Agent.start({
    bus: await connectBus({ url }, 'agent'),
    keys,
    trusted: [trust],
    rules: targetRules([]),
    limits: usualLimits,
    version: 'simulated',
    host: simulated,
    folder: tmpdir(),
    note: () => {},
  });
  console.log(keys.publicKey);
}
process.stdin.resume().on('end', () => process.exit(0));
