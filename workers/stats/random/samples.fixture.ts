import type { Sfc32 } from './random.ts';

/** A standard normal number (Box & Muller 1958). */
export const normal = (random: Sfc32): number =>
  Math.sqrt(-2 * Math.log(1 - random.unit())) * Math.cos(2 * Math.PI * random.unit());

/** Log-normal rates, as repeats of a trial scatter. `cv`: about their coefficient of variation. */
export const throughput = (random: Sfc32, n: number, cv: number, scale = 10_000): number[] =>
  Array.from({ length: n }, () => scale * Math.exp(cv * normal(random)));

/** A first-order autoregressive series around `level`, with standard deviation 1. */
export function autoregressive(random: Sfc32, n: number, rho: number, level = 0): number[] {
  const series: number[] = [];
  let value = normal(random);
  for (let i = 0; i < n; i++) {
    series.push(level + value);
    value = rho * value + Math.sqrt(1 - rho * rho) * normal(random);
  }
  return series;
}
