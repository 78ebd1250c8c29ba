import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatNumber, formatPercent } from '#model/format/format.ts';
import { cellColumns, cellTexts, type NotedTable, numbers, words } from '../shared/panel-table.ts';

/** Each load host of each trial. Empty if all load came from the machine that ran Dyno. */
export const loadHostTable = ({ plan, trials }: Pick<RunModel, 'plan' | 'trials'>): NotedTable => ({
  note: '“Began after” is the time from the start of the first worker to the start of the host’s last worker, by synchronised clocks. It is accurate to the clock error: half the shortest round trip to the host’s agent, plus the drift since then. The load does not wait for the agent, so latencies do not include its round trip. “Processors busy” counts all programs on that machine during the measured phase. Measurements do not use the wall clock.',
  columns: [
    ...cellColumns,
    ...numbers('Repeat'),
    ...words('Load host'),
    ...numbers(
      'Processes',
      'Connections',
      'Calls',
      'Mean service time',
      'Busiest process',
      'Processors busy',
      'Began after',
      'Clock error',
      'Wall clock off',
    ),
  ],
  rows: trials.flatMap(({ trial, result }) =>
    (result?.loadHosts ?? []).map((host) => ({
      cells: [
        ...cellTexts({ plan }, trial),
        String(trial.repeat),
        host.name,
        String(host.workers),
        String(host.connections),
        formatNumber(host.calls),
        ms(host.meanServiceMs),
        { text: formatPercent(host.eventLoopUtilisation), tone: host.clientSaturated ? 'differs' : undefined },
        host.processorsBusy === null ? '–' : formatPercent(host.processorsBusy),
        formatMs(host.beganAfterMs),
        ms(host.clockErrorMs),
        ms(host.wallClockOffMs),
      ],
    })),
  ),
});

const ms = (value: number | null): string => (value === null ? '–' : formatMs(value));
