import { formatCount, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import { fellBehind } from '#planning/rates/load-rates.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

/** The load generator itself was late, so the latencies are not the server's alone. */
export const generatorLate = cellCaveat('warning', 'Load generator overloaded', ({ load }) =>
  load?.generatorLate
    ? `Late starts of the client make a percentile of the response times ${formatPercent(load.lateShare)} longer${load.startError.p99 === null ? '' : `: one start in a hundred was more than ${formatMs(load.startError.p99)} late`}. Run nothing else on the machine, run the client on another machine, or lower the load.`
    : null,
);

/** Work arrived faster than it was completed: response times grow with the length of the trial and mean little. */
export const behind = cellCaveat('warning', 'Backlog growing', ({ load }) =>
  load && fellBehind(load)
    ? `${formatShort(load.offeredPerSecond)} units of work arrived a second, and ${formatShort(load.achievedPerSecond)} were completed; ${formatCount(load.backlog)} were not complete when the last one had arrived${load.unfinished > 0 ? `, and ${formatCount(load.unfinished)} were given up` : ''}. ${load.unfinished > 0 ? 'Percentiles count these as longer than all others, so a percentile among them is not known. ' : ''}Response times are those of a growing queue, and would be longer in a longer trial.`
    : null,
);

/** A throughput equal to the offered load is no measure of speed. A search offers these loads on purpose. */
export const paced = cellCaveat('info', 'Throughput set by the load', ({ load }, { run }: CellRun) =>
  !load?.setsThroughput || run.plan.measure.search
    ? null
    : load.model.kind === 'closed'
      ? `Half of the responses took ${formatMs(load.response.p50)} at most, and its users then thought for ${formatMs(load.thinkMs)} on average: a server that answers at once would hardly have done more. Compare servers by their response times, or use more users.`
      : 'All work that arrived was completed, so a faster server would not have done more. Compare servers by their response times, or raise the rate; measure.search with find: limit finds the highest rate.',
);
