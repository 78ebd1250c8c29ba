import { formatMs } from '#model/format/format.ts';
import { loadHostsOf, mostSkewMs, sureSkewMs } from '../client/load-hosts.ts';
import { type CellRun, cellCaveat } from './cell-caveat.ts';

/** Load hosts started further apart than a measured second allows. */
export const beganApart = cellCaveat('warning', 'Load hosts began apart', (_, { ok }: CellRun) => {
  const worst = Math.max(0, ...ok.map(sureSkewMs));
  return worst <= mostSkewMs
    ? null
    : `In one trial a load host began at least ${formatMs(worst)} after the first one (${formatMs(mostSkewMs)} allowed). Its machine was short of processors, or the network to it was slow.`;
});

/** Round trips scatter by 0.1 ms in any network, and those of neighbouring hosts differ by less than a fifth. */
const leastFurtherMs = 0.1;
const leastFurther = 1.2;

/** The latencies of a cell come from load hosts at different distances from the server. */
export const unlikeHosts = cellCaveat('info', 'Load hosts are not alike', (_, { ok }: CellRun) => {
  const hosts = loadHostsOf(ok)
    .flatMap(({ name, meanServiceMs }) => (meanServiceMs === null ? [] : [{ name, meanServiceMs }]))
    .toSorted((a, b) => a.meanServiceMs - b.meanServiceMs);
  const [nearest, furthest] = [hosts[0], hosts.at(-1)];
  if (!nearest || !furthest || furthest.meanServiceMs < nearest.meanServiceMs * leastFurther) return null;
  const furtherMs = furthest.meanServiceMs - nearest.meanServiceMs;
  return furtherMs < leastFurtherMs
    ? null
    : `A call from ${furthest.name} took ${formatMs(furtherMs)} longer than one from ${nearest.name} (mean service time): it is further away from the server, or it is slower. The latency of the cell includes calls of both.`;
});
