import type { Interval, RunModel } from '#analysis/run-model/run-model.ts';
import { findCell } from '#analysis/run-model/select-cells.ts';
import { serverSummaries } from '#analysis/server/server-summary.ts';
import { factorText } from '#planning/variant-of.ts';
import { bytesAxis, msAxis } from './kit/axes.ts';
import type { SceneChart } from './kit/chart.ts';
import type { ChartTheme } from './kit/theme.ts';
import { chosenCells, chosenVariants, type Selection } from './plot/select.ts';
import { drawSweep, levelNames, levelsOf } from './sweep-chart.ts';

/**
 * The latency of commits, and the log bytes that they cause, over the levels of one numeric factor. The y axis is
 * logarithmic; for a factor of sizes, the x axis is, too.
 */
export function commitLatency(
  model: RunModel,
  factor: string,
  theme: ChartTheme,
  selection: Selection = {},
): SceneChart {
  const servers = serverSummaries(model);
  const latencyOf = (variant: string, target: string) => findCell(model, variant, target)?.commits?.meanMs;
  const logOf = (variant: string, target: string): Interval | null => {
    const bytes = servers.find((one) => one.variant === variant && one.target === target)?.logBytesPerCommit;
    // Log bytes are shown only if commits are timed. Otherwise they belong to whole calls.
    return bytes && latencyOf(variant, target) ? { value: bytes, low: null, high: null, n: 0 } : null;
  };
  return {
    id: `commit-${factor}`,
    title: `Commit latency over ${factorText(factor)}`,
    note: 'The time from COMMIT to its answer, for transactions of several calls: geometric means of the repeats with 95 % confidence intervals. Log is the volume per commit that the server reports having written to its WAL or redo log.',
    scene: drawSweep(
      model,
      factor,
      [
        { title: titled('Commit latency'), of: latencyOf, ...msAxis, scale: 'log' },
        { title: titled('WAL/redo per commit'), of: logOf, ...bytesAxis, scale: 'log2' },
      ],
      theme,
      selection,
    ),
    data: {
      columns: [
        ...levelNames(chosenVariants(model, selection)),
        ...['target', 'mean ms', 'low', 'high', 'repeats', 'p50 ms', 'p99 ms', 'commits', 'log bytes per commit'],
      ],
      rows: chosenCells(model, selection).flatMap(({ variant, target: { name }, cell: { commits } }) => {
        if (!commits?.meanMs) return [];
        const { meanMs, latencyMs } = commits;
        return [
          [
            ...levelsOf(variant),
            ...[name, meanMs.value, meanMs.low, meanMs.high, meanMs.n, latencyMs.p50, latencyMs.p99, latencyMs.count],
            logOf(variant.id, name)?.value ?? null,
          ],
        ];
      }),
    },
  };
}

const titled =
  (title: string) =>
  (combination: string): string =>
    combination === '' ? title : `${combination} · ${title}`;
