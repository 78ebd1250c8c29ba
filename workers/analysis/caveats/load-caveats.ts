import { formatCount, formatMs, formatShort } from '#model/format/format.ts';
import { fellBehind } from '#planning/rates/load-rates.ts';
import { cellCaveat } from './cell-caveat.ts';

/** The generator itself was late: what it measured is not the server's. */
export const generatorLate = cellCaveat('warning', 'Load generator overloaded', ({ load }) =>
  load?.generatorLate
    ? `One start in a hundred was more than ${formatMs(load.startError.p99)} late, and p99 of the service time is ${formatMs(load.service.p99)}: the client itself makes response times longer by that. Leave the machine to the trial, give it more processes, or lower the load.`
    : null,
);

/** Work came faster than it was done: response times grow with the length of the trial, and say little besides. */
export const behind = cellCaveat('warning', 'Backlog growing', ({ load }) =>
  load && fellBehind(load)
    ? `${formatShort(load.offeredPerSecond)} units a second arrived and ${formatShort(load.achievedPerSecond)} were done; ${formatCount(load.backlog)} were not over when the last one had arrived${load.unfinished > 0 ? `, and ${formatCount(load.unfinished)} were given up` : ''}. Response times are those of a queue that grows, and would be longer in a longer trial.`
    : null,
);
