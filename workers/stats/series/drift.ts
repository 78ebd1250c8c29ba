import { tQuantile } from '../intervals/student-t.ts';
import { mean } from '../intervals/summary.ts';
import { cautious } from './autocorrelation.ts';

/** The change of a rate from the beginning to the end of its series. */
export interface Drift {
  /** Value at the end ÷ value at the beginning of the fitted line; 1 where it is flat. */
  readonly ratio: number;
  /** Bounds of the ratio. */
  readonly low: number;
  readonly high: number;
  /** Number of independent values that would tell as much as these correlated ones. */
  readonly independent: number;
}

/** Longer series are averaged to so many values, so that the effort stays bounded. */
const mostValues = 120;
/** Correlations are rounded to this step, so that few of them need sums of their own. */
const correlationStep = 0.02;
/** A correlation above this cannot be told from a trend in a series of some dozen values. */
const highestCorrelation = 0.94;

/**
 * The linear trend that several series of one thing have in common, such as the seconds of the repeats of a cell, with
 * its interval at `level`. Values of a series are taken to be correlated like a first-order autoregressive process,
 * whose correlation is estimated from the residuals of all series together, with the bias that fitting a line causes
 * taken out (Kendall 1954; Cochrane & Orcutt 1949). Simulated rates of error are in drift.test.ts.
 *
 * Null where a series has fewer than four values or a mean that is not positive, or where there is none.
 */
export function commonDrift(all: readonly (readonly number[])[], level: number): Drift | null {
  const lines = all.map((series) => fitLine(shorten(series)));
  if (lines.length === 0 || lines.some(({ n, average }) => n < 4 || !(average > 0))) return null;
  const rho = commonCorrelation(lines);
  const factors = lines.map(({ n }) => correlatedFactors(n, rho));
  const values = lines.reduce((sum, { n }) => sum + n, 0);
  const squares = lines.reduce((sum, line) => sum + line.squares, 0);
  const variance = squares / factors.reduce((sum, { residual }) => sum + residual, 0);
  const change = mean(lines.map((line) => line.change));
  const squaredError =
    factors.reduce((sum, { slope }, i) => sum + variance * slope * (lines[i]!.n - 1) ** 2, 0) / lines.length ** 2;
  const freedom = Math.max(1, ((values - 2 * lines.length) * (1 - rho * rho)) / (1 + rho * rho));
  const half = tQuantile((1 + level) / 2, freedom) * Math.sqrt(squaredError);
  return {
    ratio: ratioOf(change),
    low: ratioOf(change - half),
    high: ratioOf(change + half),
    independent: (values * (1 - rho)) / (1 + rho),
  };
}

/** End ÷ beginning of a line with mean 1 that changes by so much. Beyond ±2 the line would cross zero. */
const ratioOf = (change: number): number => {
  if (change >= 2) return Number.POSITIVE_INFINITY;
  return change <= -2 ? 0 : (1 + change / 2) / (1 - change / 2);
};

function shorten(series: readonly number[]): readonly number[] {
  const size = Math.ceil(series.length / mostValues);
  if (size === 1) return series;
  // The values that fill no group are left out at the beginning, where a series is least steady.
  const groups = Math.floor(series.length / size);
  const first = series.length - groups * size;
  return Array.from({ length: groups }, (_, i) => mean(series.slice(first + i * size, first + (i + 1) * size)));
}

interface Line {
  readonly n: number;
  readonly average: number;
  /** Change from the first value to the last, as a share of the mean. */
  readonly change: number;
  /** Sum of the squared residuals, and of the products of neighbours, as shares of the mean. */
  readonly squares: number;
  readonly products: number;
}

function fitLine(series: readonly number[]): Line {
  const n = series.length;
  const average = mean(series);
  const middle = (n - 1) / 2;
  const slope = series.reduce((sum, value, i) => sum + (i - middle) * (value / average), 0) / squaredDistances(n);
  let squares = 0;
  let products = 0;
  let last = 0;
  for (const [i, value] of series.entries()) {
    const residual = value / average - 1 - slope * (i - middle);
    squares += residual * residual;
    products += residual * last;
    last = residual;
  }
  return { n, average, change: slope * (n - 1), squares, products };
}

/** Σ (i − middle)² over 0 … n − 1. */
const squaredDistances = (n: number): number => (n * (n * n - 1)) / 12;

/** A cautious correlation: residuals of a fitted line seem less correlated than the series, by about (2 + 4ρ) ÷ n. */
function commonCorrelation(lines: readonly Line[]): number {
  const squares = lines.reduce((sum, line) => sum + line.squares, 0);
  if (squares === 0) return 0;
  const n = mean(lines.map((line) => line.n));
  const values = lines.reduce((sum, line) => sum + line.n, 0);
  const seen = lines.reduce((sum, { products }) => sum + products, 0) / squares;
  const rho = Math.min(highestCorrelation, Math.max(0, (seen + 2 / n) / (1 - 4 / Math.max(n, 8))));
  const bounded = Math.min(highestCorrelation, cautious({ rho, error: Math.sqrt((1 - rho * rho) / values) }));
  return Math.round(bounded / correlationStep) * correlationStep;
}

interface Factors {
  /** Variance of the slope ÷ variance of a value. */
  readonly slope: number;
  /** Expected sum of squared residuals ÷ variance of a value. */
  readonly residual: number;
}

const known = new Map<string, Factors>();

/** Exact factors of least squares under first-order autoregressive errors. */
function correlatedFactors(n: number, rho: number): Factors {
  const key = `${n}:${rho.toFixed(2)}`;
  const before = known.get(key);
  if (before) return before;
  const middle = (n - 1) / 2;
  const distances = squaredDistances(n);
  let slope = 0;
  let level = 0;
  for (let lag = 0; lag < n; lag++) {
    const weight = (lag === 0 ? 1 : 2) * rho ** lag;
    let products = 0;
    for (let i = 0; i + lag < n; i++) products += (i - middle) * (i + lag - middle);
    slope += (weight * products) / distances;
    level += (weight * (n - lag)) / n;
  }
  const factors = { slope: slope / distances, residual: n - level - slope };
  known.set(key, factors);
  return factors;
}
