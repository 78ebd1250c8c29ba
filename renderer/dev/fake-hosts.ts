import { DynoError } from '#model/error.ts';
import { type LoadHostEntry, type LoadHostReport, loadHostSteps } from '#model/load-host-check.ts';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import type { Emit, FakeHandlers } from './fake-ipc.ts';

/** The test of a load host with `done` finished steps. A host whose name ends with “off” refuses the login. */
function reportOf(host: SavedLoadHost, done: number): LoadHostReport {
  const names = loadHostSteps(host);
  const failsAt = host.name.endsWith('off') ? 1 : names.length;
  const isOver = done >= Math.min(failsAt + 1, names.length);
  const reached = done > names.indexOf('agent') && failsAt === names.length;
  return {
    state: !isOver ? 'running' : failsAt < names.length ? 'failed' : 'ok',
    steps: names.map((step, i) => {
      const failed = i === failsAt && done > i;
      return {
        step,
        state: failed ? 'failed' : i < done ? 'ok' : isOver ? 'notTried' : i === done ? 'running' : 'waiting',
        ms: i < done ? 40 + i * 310.5 : null,
        detail: i < done && step === 'agent' ? 'load1: linux 6.12, 16 × AMD EPYC 9354, 64 GB, Node 24.10.0' : '',
        error: failed
          ? new DynoError('authentication', 'dba@load1.example.com: Permission denied (publickey).', {
              hint: 'Put your public key into ~/.ssh/authorized_keys there, or name the private key here.',
            }).data
          : null,
      };
    }),
    machine: reached
      ? { host: 'load1', os: 'linux 6.12', cpu: 'AMD EPYC 9354', cores: 16, memoryBytes: 64e9, node: 'v24.10.0' }
      : null,
    roundTripMs: reached ? 0.42 : null,
    clockErrorMs: reached ? 0.21 : null,
    wallClockOffMs: reached ? -3.2 : null,
    callsPerSecond: isOver && reached ? 412_000 : null,
  };
}

/** Load hosts in memory. `?hosts` starts with two. */
export function fakeHosts(emit: Emit): FakeHandlers<'hosts:'> {
  const all = new Map<string, LoadHostEntry>();
  const deleted = new Map<string, LoadHostEntry>();
  const put = (entry: LoadHostEntry): LoadHostEntry => {
    all.set(entry.host.name, entry);
    emit('hosts:changed', null);
    return entry;
  };
  if (location.search.includes('hosts')) {
    const at = new Date().toISOString();
    const figures = { at, roundTripMs: 0.42, cores: 16 };
    put({
      host: { name: 'load1', ssh: { host: 'load1.example.com', user: 'dba' } },
      lastCheck: { ...figures, state: 'ok', callsPerSecond: 412_000, failedStep: null },
    });
    put({
      host: { name: 'load2-off', ssh: { host: 'load2.example.com', user: 'dba', port: 2222, jump: 'bastion' } },
      lastCheck: { at, state: 'failed', roundTripMs: null, cores: null, callsPerSecond: null, failedStep: 'login' },
    });
    put({ host: { name: 'k8s-1', nats: 'tls://nats.example.com:4222', agent: 'A'.repeat(43) }, lastCheck: null });
  }
  return {
    'hosts:list': async () => ({ hosts: [...all.values()], problem: null }),
    'hosts:key': async () => 'k'.repeat(43),
    'hosts:save': async ({ host, before }) => {
      if (before !== null) all.delete(before);
      return put({ host, lastCheck: null });
    },
    'hosts:delete': async ({ name }) => {
      const entry = all.get(name);
      if (!entry) throw new DynoError('badInput', 'This load host does not exist any more.');
      all.delete(name);
      deleted.set(name, entry);
      emit('hosts:changed', null);
      return { undo: name };
    },
    'hosts:restore': async ({ undo }) => put(deleted.get(undo)!),
    'hosts:test': async ({ testId, host }) => {
      for (let done = 0; ; done++) {
        const report = reportOf(host, done);
        emit('host:tested', { testId, report });
        if (report.state !== 'running') return { report };
        await new Promise((later) => setTimeout(later, 300));
      }
    },
    'hosts:cancelTest': async () => null,
  };
}
