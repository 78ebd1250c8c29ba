import { confidence, type Interval } from '../intervals/intervals.ts';
import { tQuantile } from '../intervals/student-t.ts';
import { mean, variance } from '../intervals/summary.ts';

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

/** Variance of the mean of n values ÷ variance of a value, where values are first-order autoregressive. */
export function correlatedMeanFactor(n: number, rho: number): number {
  let sum = 1;
  let power = 1;
  for (let lag = 1; lag < n; lag++) {
    power *= rho;
    sum += 2 * (1 - lag / n) * power;
  }
  return sum / n;
}

/** The first-order correlation of a stationary series, and how certain it is. */
interface Correlation {
  /** 0 … 0.97, with the bias that subtracting the mean causes taken out (Kendall 1954). */
  readonly rho: number;
  /** Its standard error. */
  readonly error: number;
}

/** A correlation above this cannot be told from a trend. */
const highestCorrelation = 0.97;

/**
 * The correlation from sums of squares and of products of neighbours, of values less the mean of their stretch of this
 * length.
 */
export function correlationOf(squares: number, products: number, length: number): Correlation {
  const unbiased = squares === 0 ? 0 : (products / squares + 1 / length) / (1 - 3 / length);
  const rho = Math.min(highestCorrelation, Math.max(0, unbiased));
  return { rho, error: Math.sqrt((1 - rho * rho) / length) };
}

/** From this correlation on, a series counts as correlated by one standard error more than it seems. */
const fullCorrection = 0.3;

/**
 * A correlation that is raised by its likely error, because a correlation that is too low makes intervals too short
 * (see the tests). A small correlation is raised by a part of its standard error only, so that uncorrelated series keep
 * their power.
 */
export const cautious = ({ rho, error }: Correlation): number => rho + Math.min(1, rho / fullCorrection) * error;

/** The cautious first-order correlation of a stationary series. */
export function surelyCorrelated(series: readonly number[]): number {
  const average = mean(series);
  let squares = 0;
  let products = 0;
  series.forEach((one, i) => {
    squares += (one - average) ** 2;
    if (i > 0) products += (one - average) * (series[i - 1]! - average);
  });
  return Math.min(highestCorrelation, cautious(correlationOf(squares, products, series.length)));
}

/**
 * Student's t interval for the mean of a stationary series, whose values are taken to be correlated like a first-order
 * autoregressive process, cautiously. n is the number of independent values that would determine the mean as precisely.
 * Null for fewer than 20 values.
 */
export function correlatedMeanInterval(series: readonly number[], level = confidence): Interval | null {
  const length = series.length;
  if (length < 20) return null;
  const value = mean(series);
  const factor = correlatedMeanFactor(length, surelyCorrelated(series));
  const n = 1 / factor;
  const errorOfMean = Math.sqrt((((length - 1) / length) * variance(series) * factor) / (1 - factor));
  const half = tQuantile((1 + level) / 2, Math.max(1, n - 1)) * errorOfMean;
  return { value, low: value - half, high: value + half, n };
}
