import type { LoadHost } from '#load-hosts/load-host.ts';
import { localHost } from '#load-hosts/local-host.ts';
import type { HostWatch } from '#load-hosts/machine/host-sampler.ts';
import type { HostFacts, UnmeasuredServer } from '#protocol/host-second.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { HostWorkers } from '../worker/clients.ts';
import type { Control } from '../worker/control.ts';
import { totalWorkers } from './load-host-use.ts';
import type { TrialWork } from './trial-context.ts';

/** A host of a trial, with the facts about it. */
interface PlacedHost {
  readonly host: LoadHost;
  readonly facts: HostFacts;
}

/** The hosts of a trial, and the servers that are on none of them. */
interface TrialHosts {
  readonly placed: readonly PlacedHost[];
  readonly unmeasured: readonly UnmeasuredServer[];
}

/** The use of the hosts of a trial over its measured phase. */
interface HostsWatch extends Disposable {
  /** Writes who the hosts are, and samples each once a second from now on. */
  begin(hosts: TrialHosts): void;
  end(): void;
}

/** A second that began before the phase by more than the time of a message is no part of it. */
const earlyMs = 50;

/** Writes the records `hosts` and `hostSecond` of a trial. */
export function watchTrialHosts({ trial: { number: trial }, write }: Pick<TrialWork, 'trial' | 'write'>): HostsWatch {
  let watches: readonly HostWatch[] = [];
  const stop = () => {
    for (const watch of watches) watch[Symbol.dispose]();
    watches = [];
  };
  return {
    begin({ placed, unmeasured }) {
      stop();
      const beganNs = process.hrtime.bigint();
      write({ record: 'hosts', trial, hosts: placed.map(({ facts }) => facts), unmeasured });
      watches = placed.map(({ host }) =>
        host.watchMachine((second, endNs) => {
          const atMs = Number(endNs - beganNs) / 1e6;
          if (atMs - second.lengthMs < -earlyMs) return;
          const record: JournalRecord = { record: 'hostSecond', trial, host: host.name, atMs, second };
          write(record);
        }),
      );
    },
    end() {
      for (const watch of watches) watch.end();
      watches = [];
    },
    [Symbol.dispose]: stop,
  };
}

/**
 * The machines of the clients, and this machine if a server is on it. `hosts`: undefined if all clients are on this
 * machine. `endsHere`: for each worker, if its connections end on its own machine.
 */
export function placeHosts(
  { control, sourceControl, variant }: Pick<TrialWork, 'control' | 'sourceControl' | 'variant'>,
  hosts: readonly HostWorkers[] | undefined,
  endsHere: readonly (boolean | null)[],
  isTunnelled: boolean,
): TrialHosts {
  const { connections, processes } = variant.settings;
  const clients = hosts ?? [{ host: localHost, workers: Math.min(connections, processes) }];
  const first = clients.map((_, i) => totalWorkers(clients.slice(0, i)));
  const all = clients.some(({ host }) => host === localHost) ? clients : [...clients, { host: localHost, workers: 0 }];
  const servers = [control, ...(sourceControl ? [sourceControl] : [])].filter(
    ({ descriptor }) => descriptor.reference !== true,
  );
  /** Null: not known. */
  const isOn = (server: Control, i: number): boolean | null => {
    const { host, workers } = all[i]!;
    if (server.descriptor.inProcess === true) return workers > 0;
    // The connections of clients on this machine may end at a network emulator; that of the control process does not.
    if (host === localHost) return server.endsHere;
    const own = server === control ? endsHere.slice(first[i]!, first[i]! + workers) : [null];
    return own.includes(false) ? false : own.includes(null) ? null : true;
  };
  const placed = all.map(({ host, workers }, i): PlacedHost => {
    const serverOf = servers.flatMap((server) => (isOn(server, i) === true ? [server.planned.name] : []));
    return { host, facts: { name: host.name, os: host.os, cores: host.cores, workers, serverOf } };
  });
  return {
    placed: placed.filter(({ facts }) => facts.workers > 0 || facts.serverOf.length > 0),
    unmeasured: servers.flatMap((server): readonly UnmeasuredServer[] => {
      const ends = all.map((_, i) => isOn(server, i));
      if (ends.includes(true)) return [];
      const why = server === control && isTunnelled ? 'tunnel' : ends.includes(null) ? 'unknown' : 'elsewhere';
      return [{ target: server.planned.name, why }];
    }),
  };
}
