import type { History, HistorySeries } from '#protocol/history.ts';
import type { RunChange } from '#protocol/run-change.ts';

interface Made {
  readonly runs: number;
  readonly cells: number;
  /** The run at which cells with an even number change, together with the version of the server. Null: none changes. */
  readonly changeAt?: number | null;
}

const version: RunChange = {
  ...{ kind: 'version', what: 'server', where: 'shop', before: 'PostgreSQL 18.3', after: 'PostgreSQL 18.4' },
};
const setting: RunChange = {
  ...{ kind: 'setting', what: 'shared_buffers', where: 'shop', before: '128 MB', after: '1 GB' },
};

const variants = ['browse', 'pay', 'look up', 'report', 'restock', 'search', 'cancel', 'ship'];
const targets = ['shop', 'shop on MariaDB', 'shop on SQL Server', 'shop on MongoDB', 'archive'];

/** More cells have numbers in their names. */
const most = variants.length * targets.length;

const shaken = (value: number, run: number, cell: number): number =>
  value * (1 + 0.02 * Math.sin(run * 12.9 + cell * 7));

/** A history with a step of 40 % in every second cell, the first of which is the greatest. */
export function madeHistory({ runs: count, cells, changeAt = null }: Made): History {
  const at = changeAt !== null && changeAt < count ? changeAt : null;
  const runs = Array.from({ length: count }, (_, run): History['runs'][number] => ({
    id: `r${run + 1}`,
    startedAt: new Date(Date.UTC(2026, 10, 3 + run * 1.6, 8, (run * 17) % 60)).toISOString(),
    grade: 'good',
    title: '',
    isBaseline: false,
    changes: run === at ? [version, setting] : [],
    machineSpeed: 1 + 0.03 * Math.sin(run),
  }));
  const series = Array.from({ length: cells }, (_, cell) => [
    seriesOf({ cell, count, at: cell % 2 === 0 ? at : null, quantity: 'throughput' }),
    seriesOf({ cell, count, at: null, quantity: 'p99' }),
  ]).flat();
  return {
    ...{ name: 'Checkout', size: null, runs, olderRuns: 0, series, machineSpread: count < 2 ? null : 0.03 },
    movedFirst:
      at === null ? null : { at, series: series.flatMap(({ changes }, i) => (changes.length > 0 ? [i] : [])) },
  };
}

interface MadeSeries {
  readonly cell: number;
  readonly count: number;
  readonly at: number | null;
  readonly quantity: 'throughput' | 'p99';
}

function seriesOf({ cell, count, at, quantity }: MadeSeries): HistorySeries {
  const isRate = quantity === 'throughput';
  const usual = isRate ? 12_000 + 900 * cell : 4 + 0.3 * cell;
  const later = usual * (1.4 + 0.2 / (cell + 1));
  const level = (run: number) => (at !== null && run >= at ? later : usual);
  const ratio = later / usual;
  return {
    label: `${variants[cell % variants.length]}${cell < most ? '' : ` ${Math.floor(cell / most) + 1}`}`,
    target: targets[Math.floor(cell / variants.length) % targets.length]!,
    ...{ index: Math.floor(cell / variants.length) % targets.length, work: null, quantity },
    ...{ unit: isRate ? 'rows/s' : 'ms', better: isRate ? 'higher' : 'lower', limit: isRate ? null : 6, redefined: [] },
    points: Array.from({ length: count }, (_, run) => {
      const value = shaken(level(run), run, cell);
      return { run, value, low: value * 0.97, high: value * 1.03, n: 5 };
    }),
    levels:
      at === null
        ? [{ from: 0, to: count - 1, value: usual }]
        : [
            { from: 0, to: at - 1, value: usual },
            { from: at, to: count - 1, value: later },
          ],
    changes:
      at === null
        ? []
        : [
            {
              ...{ at, since: at - 1, before: usual, after: later, p: 0.005, verdict: 'better', machine: null },
              ratio: { value: ratio, low: ratio * 0.98, high: ratio * 1.02 },
            },
          ],
  };
}
