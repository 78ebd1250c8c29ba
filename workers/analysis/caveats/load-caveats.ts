import { formatCount, formatMs, formatShort } from '#model/format/format.ts';
import { fellBehind } from '#planning/rates/load-rates.ts';
import type { Caveat, CellSummary } from '../run-model/run-model.ts';

/** The generator itself was late: what it measured is not the server's. */
export function generatorLate({ variant, target, load }: CellSummary): Caveat | null {
  if (!load?.generatorLate) return null;
  return {
    severity: 'warning',
    cell: { variant, target },
    title: 'The generator could not keep up',
    text: `One start in a hundred was more than ${formatMs(load.startError.p99)} late, and p99 of the response time is ${formatMs(load.response.p99)}: the client causes that part of it. Leave the machine to the trial, give it more processes, or lower the load.`,
  };
}

/** Work came faster than it was done: response times grow with the length of the trial, and say little besides. */
export function behind({ variant, target, load }: CellSummary): Caveat | null {
  if (!load || !fellBehind(load)) return null;
  return {
    severity: 'warning',
    cell: { variant, target },
    title: 'Fell behind the arrivals',
    text: `${formatShort(load.offeredPerSecond)} units a second arrived and ${formatShort(load.achievedPerSecond)} were done; ${formatCount(load.backlog)} were not over when the last one had arrived${load.unfinished > 0 ? `, and ${formatCount(load.unfinished)} were given up` : ''}. Response times are those of a queue that grows, and would be longer in a longer trial.`,
  };
}
