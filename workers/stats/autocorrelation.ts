import { confidence, type Interval } from './intervals.ts';
import { tQuantile } from './student-t.ts';
import { mean, variance } from './summary.ts';

/**
 * Sample autocorrelation at a lag ≥ 0, with the mean and variance of the whole series (Box & Jenkins; NIST/SEMATECH
 * e-Handbook 1.3.5.12). NaN for a constant series or a lag beyond its end.
 */
export function autocorrelation(series: readonly number[], lag: number): number {
  const average = mean(series);
  let covariance = 0;
  let total = 0;
  for (let i = 0; i < series.length; i++) {
    const deviation = series[i]! - average;
    total += deviation * deviation;
    if (i + lag < series.length) covariance += deviation * (series[i + lag]! - average);
  }
  return lag >= series.length || total === 0 ? Number.NaN : covariance / total;
}

/**
 * Number of independent values that determine the mean as precisely as these correlated ones: n ÷ (1 + 2 Σ ρ), summed
 * over pairs of lags as long as a pair is positive (Geyer 1992, initial positive sequence). Between 1 and n; n for a
 * constant series.
 */
export function effectiveSize(series: readonly number[]): number {
  const n = series.length;
  if (n < 4 || !(variance(series) > 0)) return n;
  // The pair of lags 0 and 1 is 1 + ρ(1), and twice the sum of all pairs less one is the autocorrelation time.
  let pairs = 0;
  for (let lag = 0; lag + 1 < n; lag += 2) {
    const pair = (lag === 0 ? 1 : autocorrelation(series, lag)) + autocorrelation(series, lag + 1);
    if (!(pair > 0)) break;
    pairs += pair;
  }
  return Math.min(n, Math.max(1, n / Math.max(2 * pairs - 1, 1 / n)));
}

/**
 * Student's t interval for the mean of a stationary series by non-overlapping batch means (Law & Kelton, Simulation
 * Modeling and Analysis, 9.5.3), in batches long enough for 10 to 30 of them to be nearly independent. n is the number
 * of batches. Null for fewer than 20 values.
 */
export function batchMeansInterval(series: readonly number[], level = confidence): Interval | null {
  const n = series.length;
  if (n < 20) return null;
  const batches = Math.max(10, Math.min(30, Math.floor(effectiveSize(series))));
  const length = Math.floor(n / batches);
  // The values that do not fill a batch are cut off at the beginning, where a series is least steady.
  const first = n - length * batches;
  const means = Array.from({ length: batches }, (_, batch) =>
    mean(series.slice(first + batch * length, first + (batch + 1) * length)),
  );
  const value = mean(means);
  const half = tQuantile((1 + level) / 2, batches - 1) * Math.sqrt(variance(means) / batches);
  return { value, low: value - half, high: value + half, n: batches };
}
