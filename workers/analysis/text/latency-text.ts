import {
  digitsWithin,
  formatChange,
  formatChangeBounds,
  formatRatio,
  formatRatioBounds,
} from '#model/format/format.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { inverse } from '#stats/intervals/intervals.ts';
import type { LatencyRatio } from '../compare/latency-ratios.ts';
import type { Interval } from '../run-model/run-model.ts';
import { verdictWords } from './verdict-text.ts';

/** "response time", "sell", "sell (transaction)": the calls that a time is about. */
export const formatWork = ({ work, kind, time }: Pick<LatencyRatio, 'work' | 'kind' | 'time'>): string =>
  work === null ? `${time} time` : kind === 'statement' ? work : `${work} (${kind})`;

/** "p95 response time", "p95 of sell", "maximum of sell". */
export const formatTimeName = ({ work, figure, time }: Pick<LatencyRatio, 'work' | 'figure' | 'time'>): string =>
  work === null ? `${formatFigure(figure)} ${time} time` : `${formatFigure(figure)} of ${work}`;

/** "2.3× slower" and " (2.0–2.7×)": the longer time divided by the shorter time. */
function speedParts({ ratio, verdict }: Pick<LatencyRatio, 'verdict'> & { readonly ratio: Interval }) {
  const longer = verdict === 'faster' ? inverse(ratio) : ratio;
  return [formatChange(longer, verdict, verdict), formatChangeBounds(longer)] as const;
}

/**
 * A ratio of times: "2.3× slower (2.0–2.7×)", "25 % faster (12–41 %)", with the reason where it is no verdict:
 * "1.04× as long (0.95–1.14), not statistically significant".
 */
export function timeRatioText({ ratio, verdict }: Pick<LatencyRatio, 'ratio' | 'verdict'>): string {
  if (ratio === null) return verdictWords[verdict];
  if (isDifference(verdict)) return speedParts({ ratio, verdict }).join('');
  return `${asLong(ratio, '')}, ${verdictWords[verdict]}`;
}

/**
 * "2.3× slower than PostgreSQL (2.0–2.7×)"; without a difference "1.04× as long as PostgreSQL (0.95–1.14)", with the
 * reason unless the repeats are the reason.
 */
export function timeAgainstText({ ratio, verdict }: Pick<LatencyRatio, 'ratio' | 'verdict'>, other: string): string {
  if (ratio === null) return verdictWords[verdict];
  if (!isDifference(verdict))
    return `${asLong(ratio, ` as ${other}`)}${verdict === 'notSignificant' ? '' : `, ${verdictWords[verdict]}`}`;
  const [speed, bounds] = speedParts({ ratio, verdict });
  return `${speed} than ${other}${bounds}`;
}

function asLong(ratio: Interval, other: string): string {
  const bounds = formatRatioBounds(ratio);
  return `${formatRatio(ratio.value, digitsWithin(ratio))} as long${other}${bounds === '' ? '' : ` (${bounds})`}`;
}
