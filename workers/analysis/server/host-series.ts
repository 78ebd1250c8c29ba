import type { HostFacts, HostSecond, UnmeasuredServer } from '#protocol/host-second.ts';
import {
  type DiskFigure,
  diskFigures,
  type HostFigure,
  type HostTimeline,
  hostFigures,
} from '../run-model/host-figures.ts';
import type { TrialSeries } from '../run-model/run-model.ts';

type Growing<Name extends string> = Record<Name, (number | null)[]>;

interface GrowingHost {
  readonly facts: HostFacts;
  readonly atMs: number[];
  readonly lengthMs: number[];
  readonly figures: Growing<HostFigure>;
  readonly disks: Map<string, Growing<DiskFigure>>;
}

const hostNames = Object.keys(hostFigures) as HostFigure[];
const diskNames = Object.keys(diskFigures) as DiskFigure[];

const columns = <Name extends string>(names: readonly Name[], length: number): Growing<Name> =>
  Object.fromEntries(names.map((name) => [name, Array<null>(length).fill(null)])) as Growing<Name>;

const copied = <Name extends string>(grown: Growing<Name>, names: readonly Name[]): Growing<Name> =>
  Object.fromEntries(names.map((name) => [name, [...grown[name]]])) as Growing<Name>;

/** The use of a trial's hosts, from its records. */
export function createHostSeries() {
  let hosts = new Map<string, GrowingHost>();
  let unmeasured: readonly UnmeasuredServer[] = [];

  return {
    /** The hosts of the trial, whose measured phase begins now. */
    begin(facts: readonly HostFacts[], servers: readonly UnmeasuredServer[]): void {
      unmeasured = servers;
      hosts = new Map(
        facts.map((one) => [
          one.name,
          { facts: one, atMs: [], lengthMs: [], figures: columns(hostNames, 0), disks: new Map() },
        ]),
      );
    },

    /** Seconds of a host whose record is damaged are left out. */
    add(name: string, atMs: number, second: HostSecond): void {
      const host = hosts.get(name);
      if (host === undefined) return;
      for (const figure of hostNames) host.figures[figure].push(hostFigures[figure].of(second));
      const told = new Map(second.disks?.map((disk) => [disk.name, disk]));
      for (const disk of told.keys())
        if (!host.disks.has(disk)) host.disks.set(disk, columns(diskNames, host.atMs.length));
      for (const [disk, figures] of host.disks) {
        const own = told.get(disk);
        for (const figure of diskNames) figures[figure].push(own === undefined ? null : diskFigures[figure].of(own));
      }
      host.atMs.push(atMs);
      host.lengthMs.push(second.lengthMs);
    },

    /** Copies, so that the window's data stay unchanged. */
    series: (): Pick<TrialSeries, 'hosts' | 'unmeasuredServers'> => ({
      hosts: [...hosts.values()].map(
        ({ facts, atMs, lengthMs, figures, disks }): HostTimeline => ({
          ...facts,
          atMs: [...atMs],
          lengthMs: [...lengthMs],
          figures: copied(figures, hostNames),
          disks: [...disks].map(([name, own]) => ({ name, figures: copied(own, diskNames) })),
        }),
      ),
      unmeasuredServers: unmeasured,
    }),
  };
}
