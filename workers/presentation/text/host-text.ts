import type { HostTimeline } from '#analysis/run-model/host-figures.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { localHostName } from '#model/load-hosts.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import type { UnmeasuredServer } from '#protocol/host-second.ts';
import { sentences } from './sentences.ts';

/** "this machine", or the name of a load host. */
export const formatHost = (name: string): string => (name === localHostName ? 'this machine' : name);

/** "Host of embedded-postgres (this machine)": a machine by the server that runs on it. */
export const hostTitle = ({ name, serverOf }: HostTimeline): string =>
  `Host of ${serverOf.length > 0 ? serverOf.join(' and ') : 'the clients'} (${formatHost(name)})`;

const reasons: Readonly<Record<UnmeasuredServer['why'], string>> = {
  elsewhere: 'it is neither this machine nor a load host of the trial',
  tunnel: 'the connections end at a tunnel on this machine, and Dyno does not know the server’s machine',
  unknown: 'the driver does not show its connections, so Dyno does not know the server’s machine',
};

/** The reason why the machine of a server was not measured, as a sentence. */
export const unmeasuredText = ({ target, why }: UnmeasuredServer): string =>
  `The host of ${target} was not measured: ${reasons[why]}.`;

/** The reasons why machines of servers of a run were not measured, as sentences. */
export const unmeasuredTexts = ({ trials }: Pick<RunModel, 'trials'>): readonly string[] => [
  ...new Set(trials.flatMap(({ series }) => series.unmeasuredServers.map(unmeasuredText))),
];

const list = lazyList('en-GB', 'conjunction');

/** The programs of the run on a host, and the figures that its system does not report, as sentences. */
export function hostNote({ os, workers, serverOf, figures, disks, atMs }: HostTimeline): string {
  const lacks = (values: readonly (number | null)[]) => atMs.length > 0 && values.every((value) => value === null);
  const isLinux = /^linux\b/i.test(os);
  const missing = [
    ...(disks.length === 0 ? [isLinux ? 'disks (/proc/diskstats)' : 'disks'] : []),
    ...(lacks(figures.receivedBytesPerSecond) ? [isLinux ? 'network (/proc/net/dev)' : 'network'] : []),
    ...(lacks(figures.ioWaitShare) ? ['iowait and steal'] : []),
  ];
  return sentences(
    serverOf.length > 0 && workers > 0
      ? `${workers === 1 ? 'The client process' : `${workers} client processes`} ran on it, too.`
      : '',
    missing.length === 0
      ? ''
      : isLinux
        ? `Its system does not report ${list.format(missing)}, as in some containers.`
        : `Its system does not report ${list.format(missing)}: Dyno reads them on Linux alone.`,
  );
}
