import {
  type DiskFigure,
  diskFigures,
  type HostFigure,
  type HostTimeline,
  hostFigures,
} from '#analysis/run-model/host-figures.ts';
import type { RunModel, TrialView } from '#analysis/run-model/run-model.ts';
import { type ColumnOf, type DataFile, dataFile, number, text, whole } from './data-file.ts';
import { atMs, inTrial } from './series-files.ts';

interface Second {
  readonly view: TrialView;
  readonly host: HostTimeline;
  readonly at: number;
}

interface DiskSecond extends Second {
  readonly disk: HostTimeline['disks'][number];
}

/** The trial, the host and the second. */
const secondColumns = (run: RunModel): readonly ColumnOf<Second>[] => [
  ...inTrial(run),
  text('host', 'The machine: “local” is the one that ran Dyno; others are load hosts.', ({ host }) => host.name),
  number('at_ms', atMs('The end of the second'), ({ host, at }) => host.atMs[at]),
  number('length_ms', 'The time that the row covers.', ({ host, at }) => host.lengthMs[at]),
];

/** "userShare" as "user_share". */
const columnName = (figure: string): string => figure.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The use of the hosts second by second. */
export const hostFile = (run: RunModel): DataFile =>
  dataFile<Second>(
    'hosts',
    'The use of the machines of servers and clients, one row for each second. Empty: the system does not report it.',
    [
      ...secondColumns(run),
      text('server_of', 'The targets whose servers are on it, separated by “, ”.', ({ host }) =>
        host.serverOf.length > 0 ? host.serverOf.join(', ') : null,
      ),
      whole('client_processes', 'The client processes on it.', ({ host }) => host.workers),
      whole('cores', 'Its processors.', ({ host }) => host.cores),
      ...(Object.keys(hostFigures) as HostFigure[]).map((figure) =>
        number<Second>(columnName(figure), hostFigures[figure].about, ({ host, at }) => host.figures[figure][at]),
      ),
    ],
    () => seconds(run),
  );

/** The use of the disks of the hosts second by second. */
export const hostDiskFile = (run: RunModel): DataFile =>
  dataFile<DiskSecond>(
    'host-disks',
    'The use of the disks of the machines of servers and clients, one row for each disk and second. Rates are per second.',
    [
      ...secondColumns(run),
      text('disk', 'The disk, by its name in the system; “others” adds up further disks.', ({ disk }) => disk.name),
      ...(Object.keys(diskFigures) as DiskFigure[]).map((figure) =>
        number<DiskSecond>(columnName(figure), diskFigures[figure].about, ({ disk, at }) => disk.figures[figure][at]),
      ),
    ],
    function* () {
      for (const second of seconds(run)) for (const disk of second.host.disks) yield { ...second, disk };
    },
  );

function* seconds({ trials }: RunModel): Generator<Second> {
  for (const view of trials)
    for (const host of view.series.hosts) for (const at of host.atMs.keys()) yield { view, host, at };
}
