import {
  busyShare,
  coresOf,
  formatFrequency,
  machineOf,
  otherPrograms,
  pressureShare,
  stealShare,
  throttledShare,
  waitedShare,
} from '#analysis/client/machine.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, remarks } from '../shared/panel-table.ts';

/** The use of the machine during the measured phase of each trial. Trials without a measured phase have no row. */
export const machineTable = ({ plan, trials }: Pick<RunModel, 'plan' | 'trials'>): NotedTable => ({
  note: 'Over the measured phase of each trial, on the machine of the clients. Busy, given by the hypervisor to others and kept by the control group’s limit are shares of the time of all processors; waits are shares of the time, of Dyno’s client processes and of any process. Managed servers are those that Dyno started for the run; a server of yours on this machine is among the other programs. The fixed calculation needs nothing but a processor, and Dyno times it right before and right after the phase: where it takes longer, the processor itself was slower, as with another virtual machine on the same core. A dash: the system does not tell.',
  columns: [
    ...cellColumns,
    ...numbers(
      'Repeat',
      'Processors busy',
      'Dyno, cores',
      'Managed servers, cores',
      'Client waited',
      'Any process waited',
      'Given to others',
      'Kept by limit',
      'Frequency',
      'Fixed calculation',
    ),
    ...remarks('Other programs'),
  ],
  rows: trials.flatMap(({ trial, result }) => {
    const use = result && machineOf([result]);
    if (!use) return [];
    const cores = (ms: number | null) => (ms === null ? '–' : formatNumber(coresOf(ms, use)));
    return [
      {
        cells: [
          ...cellTexts({ plan }, trial),
          String(trial.repeat),
          formatPercent(busyShare(use)),
          cores(use.dynoMs),
          cores(use.managedServersMs),
          ...[waitedShare([result]), pressureShare(use), stealShare(use), throttledShare(use)].map(formatPercent),
          formatFrequency(use),
          formatMs(use.calculationUs / 1_000),
          use.others === null ? '–' : otherPrograms(use) || 'none',
        ],
      },
    ];
  }),
});
