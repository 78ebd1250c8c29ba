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
import { keyOf } from '#protocol/cell-key.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, type PanelTable, remarks } from '../shared/panel-table.ts';

/** The use of the machine during the measured phase of each trial. Trials without a measured phase have no row. */
export const machineTable = ({ plan, trials }: Facts): PanelTable => ({
  columns: [...cellColumns, ...numbers('Repeat'), ...machineColumns],
  rows: trials.flatMap(({ trial, result }) => {
    const use = result && textsOf([result]);
    return use ? [{ cells: [...cellTexts({ plan }, trial), String(trial.repeat), ...use] }] : [];
  }),
});

/** The use of the machine during the measured phases of all trials of each cell. */
export const machineByCell = ({ plan, trials }: Facts): NotedTable => ({
  note: 'The machine of the clients during the measured phases of each cell’s trials. Busy time, time given to other virtual machines (steal) and time withheld by the cgroup limit (throttling) are shares of the time of all processors. Waits are shares of the time in which Dyno’s client processes, or any process, waited for a processor. Managed servers are those that Dyno started for the run; other servers on this machine count as other programs. The fixed calculation uses only the processor, and Dyno times it right before and right after the phase. If it takes longer, the processor itself was slower, for example because another virtual machine used the same core. A dash means that the system does not report it.',
  columns: [...cellColumns, ...machineColumns],
  rows: [...Map.groupBy(trials, ({ trial }) => keyOf(trial)).values()].flatMap((own) => {
    const use = textsOf(own.flatMap(({ result }) => result ?? []));
    return use ? [{ cells: [...cellTexts({ plan }, own[0]!.trial), ...use] }] : [];
  }),
});

type Facts = Pick<RunModel, 'plan' | 'trials'>;

const machineColumns = [
  ...numbers(
    'Processors busy',
    'Dyno, cores',
    'Managed servers, cores',
    'Client waited',
    'Any process waited',
    'Steal',
    'Throttled',
    'Frequency',
    'Fixed calculation',
  ),
  ...remarks('Other programs'),
];

/** The values of these columns. Null if no trial recorded the machine. */
function textsOf(results: readonly TrialResult[]): readonly string[] | null {
  const use = machineOf(results);
  if (!use) return null;
  const cores = (ms: number | null) => (ms === null ? '–' : formatNumber(coresOf(ms, use)));
  return [
    formatPercent(busyShare(use)),
    cores(use.dynoMs),
    cores(use.managedServersMs),
    ...[waitedShare(results), pressureShare(use), stealShare(use), throttledShare(use)].map(formatPercent),
    formatFrequency(use),
    formatMs(use.calculationUs / 1_000),
    use.others === null ? '–' : otherPrograms(use) || 'none',
  ];
}
