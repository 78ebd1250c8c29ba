import { formatCount, formatMs, formatShort } from '#model/format/format.ts';
import { fellBehind } from '#planning/rates/load-rates.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

/** The generator itself was late: what it measured is not the server's. */
export const generatorLate = cellCaveat('warning', 'Load generator overloaded', ({ load }) =>
  load?.generatorLate
    ? `One start in a hundred was more than ${formatMs(load.startError.p99)} late, and p99 of the service time is ${formatMs(load.service.p99)}: the client itself makes response times longer by that. Leave the machine to the trial, give it more processes, or lower the load.`
    : null,
);

/** Work came faster than it was done: response times grow with the length of the trial, and say little besides. */
export const behind = cellCaveat('warning', 'Backlog growing', ({ load }) =>
  load && fellBehind(load)
    ? `${formatShort(load.offeredPerSecond)} units a second arrived and ${formatShort(load.achievedPerSecond)} were done; ${formatCount(load.backlog)} were not over when the last one had arrived${load.unfinished > 0 ? `, and ${formatCount(load.unfinished)} were given up` : ''}. ${load.unfinished > 0 ? 'Percentiles count these as longer than all others: what lies among them is not known. ' : ''}Response times are those of a queue that grows, and would be longer in a longer trial.`
    : null,
);

/** A rate that the load asked for is no speed, however narrow its interval is. A search tries such loads on purpose. */
export const paced = cellCaveat('info', 'Throughput set by the load', ({ load }, { run }: CellRun) =>
  !load?.setsThroughput || run.plan.measure.search
    ? null
    : load.model.kind === 'closed'
      ? `Half of the responses took ${formatMs(load.response.p50)} at most, and its users then thought for ${formatMs(load.thinkMs)} on average: a server that answers at once would hardly have done more. Response times tell servers apart, or more users.`
      : 'All that arrived was done: a faster server would have done no more. Response times tell servers apart, or a higher rate; measure.search with find: limit looks for the highest.',
);
