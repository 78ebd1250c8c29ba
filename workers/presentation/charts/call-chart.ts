import type { CallMeans } from '#analysis/client/client-time.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { formatMs, formatNumber, formatPercentTick } from '#model/format/format.ts';
import type { SceneChart } from './kit/chart.ts';
import { drawStacks } from './kit/parts.ts';
import type { ChartTheme } from './kit/theme.ts';
import { chosenCells, defaultWidthPx, type Selection } from './plot/select.ts';

const parts = [
  { key: 'sendMs', name: 'until the request is with the socket', look: 'encode' },
  { key: 'waitMs', name: 'until the first byte comes back', look: 'wait' },
  { key: 'receiveMs', name: 'until the answer is complete', look: 'decode' },
] as const;

interface Bar {
  readonly label: string;
  readonly variant: string;
  readonly target: string;
  readonly step: 'call' | 'transaction';
  readonly means: CallMeans;
}

const serviceMs = ({ sendMs, waitMs, receiveMs }: CallMeans): number => sendMs + waitMs + receiveMs;

const title = 'A call, from its start to its answer';

/**
 * The time of a mean call from start to answer, as one stacked bar per cell. Begin, commit and rollback have bars of
 * their own.
 */
export function callTimes(model: RunModel, theme: ChartTheme, selection: Selection = {}): SceneChart {
  const bars = chosenCells(model, selection).flatMap(({ variant, target: { name: target }, cell }) =>
    (['call', 'transaction'] as const).flatMap((step): Bar[] => {
      const means = cell[step];
      if (!means || serviceMs(means) <= 0) return [];
      const label = `${variant.label} · ${target}${step === 'call' ? '' : ', begin and commit'}`;
      return [{ label, variant: variant.id, target, step, means }];
    }),
  );
  return {
    id: 'call-times',
    title,
    note: 'The mean call as seen at the sockets of the sessions, with its round trips. An engine inside the client process has no round trips. The first bytes from the server may precede the answer, because some servers acknowledge a bulk load before its rows arrive.',
    scene: drawStacks(
      {
        label: title,
        legend: parts.map(({ name, look }) => ({ label: name, fill: theme.parts[look].fill })),
        rows: bars.map(({ label, means }) => ({
          name: label,
          parts: parts.map(({ key, name, look }) => ({
            ...{ label: name, share: means[key] / serviceMs(means), text: formatMs(means[key]) },
            ...{ fill: theme.parts[look].fill, on: theme.parts[look].text },
          })),
          end: `${formatMs(serviceMs(means))}, ${trips(means)}`,
        })),
        tick: formatPercentTick,
      },
      theme,
      selection.widthPx ?? defaultWidthPx,
    ),
    data: {
      columns: [
        ...['variant', 'target', 'step', 'send ms', 'wait ms', 'receive ms'],
        ...['round trips per call', 'calls', 'looked at'],
      ],
      rows: bars.map(({ variant, target, step, means }) => [
        ...[variant, target, step === 'call' ? 'call' : 'begin, commit, rollback'],
        ...[means.sendMs, means.waitMs, means.receiveMs, means.roundTrips, means.calls, means.seen],
      ]),
    },
  };
}

const trips = ({ roundTrips }: CallMeans): string =>
  Math.abs(roundTrips - 1) < 0.005 ? '1 round trip' : `${formatNumber(roundTrips, 2)} round trips`;
