import { type HostTimeline, memoryInUse } from '#analysis/run-model/host-figures.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatBytes, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import { keyOf } from '#protocol/cell-key.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';
import { formatHost } from '../../text/host-text.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, words } from '../shared/panel-table.ts';

type Values = readonly (number | null)[];

/** The use of the hosts over the measured phases of each cell. Empty: no trial recorded it. */
export function hostTable({ plan, trials }: Pick<RunModel, 'plan' | 'trials'>): NotedTable {
  const uses = [...Map.groupBy(trials, ({ trial }) => keyOf(trial)).values()].flatMap((own) =>
    [
      ...Map.groupBy(
        own.flatMap(({ series }) => series.hosts.filter(({ atMs }) => atMs.length > 0)),
        ({ name }) => name,
      ),
    ].map(([name, hosts]) => ({
      ...{ trial: own[0]!.trial, name, hosts },
      servers: [...new Set(hosts.flatMap(({ serverOf }) => serverOf))],
    })),
  );
  // The column of the target names the server of a host that has no other.
  const namesServers = uses.some(({ trial, servers }) => servers.length !== 1 || servers[0] !== trial.target);
  return {
    note: 'The machines of servers and clients during the measured phases of each cell’s trials, by the counters of their operating systems, which cover all programs. Shares of the time of all processors and rates are means; memory is the most that was in use in a second. The disk is the one with the most operations, and its times include the wait in its queue. “Throttled” is processor time that the limit of a control group kept from Dyno’s processes and those that it started. A dash means that the system does not report it, or that there was no such operation.',
    columns: [
      ...cellColumns,
      ...words('Host', ...(namesServers ? ['Servers on it'] : [])),
      ...numbers('User', 'System', 'Iowait', 'Steal', 'Memory in use', 'Received/s', 'Sent/s'),
      ...words('Disk'),
      ...numbers('Reads/s', 'Writes/s', 'Bytes read/s', 'Bytes written/s', 'Read await', 'Write await', 'Flush await'),
      ...numbers('Throttled/s'),
    ],
    rows: uses.map(({ trial, name, hosts, servers }) => ({
      cells: [
        ...cellTexts({ plan }, trial),
        formatHost(name),
        ...(namesServers ? [servers.join(', ') || '–'] : []),
        ...textsOf(hosts),
      ],
    })),
  };
}

function textsOf(hosts: readonly HostTimeline[]): readonly string[] {
  const all = (of: (host: HostTimeline) => Values): Values => hosts.flatMap(of);
  const { user, system, ioWait, steal, received, sent, throttled } = {
    user: all(({ figures }) => figures.userShare),
    system: all(({ figures }) => figures.systemShare),
    ioWait: all(({ figures }) => figures.ioWaitShare),
    steal: all(({ figures }) => figures.stealShare),
    received: all(({ figures }) => figures.receivedBytesPerSecond),
    sent: all(({ figures }) => figures.sentBytesPerSecond),
    throttled: all(({ figures }) => figures.throttledMsPerSecond),
  };
  const used = all(memoryInUse).filter((bytes) => bytes !== null);
  return [
    ...[user, system, ioWait, steal].map((values) => formatPercent(mean(values))),
    formatBytes(used.length > 0 ? Math.max(...used) : null),
    ...[received, sent].map((values) => formatBytes(mean(values))),
    ...diskTexts(hosts),
    formatMs(mean(throttled)),
  ];
}

/** The texts of the disk with the most operations. */
function diskTexts(hosts: readonly HostTimeline[]): readonly string[] {
  const disks = [
    ...Map.groupBy(
      hosts.flatMap((host) => host.disks),
      ({ name }) => name,
    ),
  ].map(([name, own]) => {
    const all = (of: keyof (typeof own)[number]['figures']): Values => own.flatMap(({ figures }) => figures[of]);
    return { name, all, operations: (mean(all('readsPerSecond')) ?? 0) + (mean(all('writesPerSecond')) ?? 0) };
  });
  const [most] = disks.toSorted((a, b) => b.operations - a.operations);
  if (most === undefined || most.operations === 0) return Array<string>(8).fill('–');
  const { name, all } = most;
  const reads = all('readsPerSecond');
  const writes = all('writesPerSecond');
  return [
    name,
    ...[reads, writes].map((values) => formatShort(mean(values))),
    ...[all('readBytesPerSecond'), all('writtenBytesPerSecond')].map((values) => formatBytes(mean(values))),
    formatMs(weighted(all('readAwaitMs'), reads)),
    formatMs(weighted(all('writeAwaitMs'), writes)),
    formatMs(weighted(all('flushAwaitMs'), all('flushesPerSecond'))),
  ];
}

/** The mean of the known values; null: no value is known. */
const mean = (values: Values): number | null => meanOrNull(values.filter((value) => value !== null));

/** The mean over operations, of which a second has as many as its weight. */
function weighted(values: Values, weights: Values): number | null {
  let sum = 0;
  let weight = 0;
  for (const [i, value] of values.entries()) {
    const own = weights[i] ?? 0;
    if (value === null) continue;
    sum += value * own;
    weight += own;
  }
  return weight > 0 ? sum / weight : null;
}
