import { storedKeys } from '#load-hosts/bus/stored-keys.ts';
import { openLoadHosts } from '#load-hosts/coordinator/open-load-hosts.ts';
import { waitingSteps } from '#model/check-step.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { formatBytes, formatCount, formatMs, formatRate } from '#model/format/format.ts';
import { type LoadHostReport, type LoadHostStepName, loadHostSteps } from '#model/load-host-check.ts';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import { loadHostVersion } from '../worker/load-host-version.ts';
import { measureNoopEngine } from '../worker/noop-rate.ts';
import { createStepBoard } from './check-steps.ts';

interface CheckOptions {
  readonly home: Home;
  /** The load host, saved or not. */
  readonly host: SavedLoadHost;
  readonly signal: AbortSignal;
  readonly onChange: (report: LoadHostReport) => void;
}

/** The public key of this home's coordinator, for `dyno agent --trust`. */
export const coordinatorKey = async (home: Home): Promise<string> => {
  ensureHome(home);
  return (await storedKeys(home, 'coordinator')).publicKey;
};

/**
 * Uses a load host as a run does, step by step: connects to its agent, compares the clocks, and measures the no-op
 * engine there. Never rejects: the report names the failed step. Removes everything that it copied.
 */
export async function checkLoadHost({ home, host, signal, onChange }: CheckOptions): Promise<LoadHostReport> {
  const { name } = host;
  const begun: LoadHostReport = {
    state: 'running',
    steps: waitingSteps(loadHostSteps(host)),
    machine: null,
    roundTripMs: null,
    clockErrorMs: null,
    wallClockOffMs: null,
    callsPerSecond: null,
  };
  const board = createStepBoard(begun, (text) => text, onChange);
  let current: LoadHostStepName = 'bus';
  let since = performance.now();
  const enter = (step: LoadHostStepName) => {
    if (step !== current) {
      board.set(current, { state: 'ok', ms: performance.now() - since });
      since = performance.now();
    }
    current = step;
    board.set(step, { state: 'running' });
  };
  try {
    ensureHome(home);
    await using hosts = openLoadHosts({
      saved: [host],
      engines: [],
      keys: () => storedKeys(home, 'coordinator'),
      version: loadHostVersion,
      folder: home.state,
      onStep: enter,
    });
    const [opened] = await hosts.use([name], signal);
    const { AgentHost } = await import('#load-hosts/coordinator/agent-host.ts');
    if (!(opened instanceof AgentHost)) throw new DynoError('internal', `${name} has no agent.`);
    const { host: machineName, os, cpu, cores, memoryBytes, node } = opened.facts;
    const machine = { host: machineName, os, cpu, cores, memoryBytes, node };
    board.set('agent', {
      detail: `${machineName}: ${os}, ${formatCount(cores)} × ${cpu}, ${formatBytes(memoryBytes)}, Node ${node.replace(/^v/, '')}`,
    });
    board.note({ machine });
    enter('clock');
    const { errorMs, roundTripMs, wallOffMs } = opened.clock;
    board.set('clock', {
      detail: [
        `Round trip ${formatMs(roundTripMs)}; times of its clock are off by ${formatMs(errorMs)} at most`,
        `Wall clock ${formatMs(Math.abs(wallOffMs))} ${wallOffMs < 0 ? 'behind' : 'ahead of'} this machine’s; no measurement depends on it`,
      ].join('\n'),
    });
    board.note({ roundTripMs, clockErrorMs: errorMs, wallClockOffMs: wallOffMs });
    enter('calibration');
    const { perSecond } = await measureNoopEngine(signal, opened);
    board.note({ callsPerSecond: perSecond });
    board.set('calibration', {
      state: 'ok',
      ms: performance.now() - since,
      detail: `${formatRate(perSecond, 'calls/s')} of an engine that does nothing, one process`,
    });
  } catch (thrown) {
    if (!signal.aborted)
      board.set(current, { state: 'failed', error: toErrorData(thrown), ms: performance.now() - since });
  }
  return board.end(signal.aborted);
}
