import { describe, expect, it } from 'vitest';
import { Sfc32 } from '../random/random.ts';
import { normal } from '../random/samples.fixture.ts';
import { type FittedPoint, lackOfFit } from './lack-of-fit.ts';

/** Least squares of a straight line, in the closed form. */
function withLine(points: readonly { readonly x: number; readonly y: number }[]): FittedPoint[] {
  const n = points.length;
  const meanX = points.reduce((sum, { x }) => sum + x, 0) / n;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n;
  const slope =
    points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0) /
    points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return points.map(({ x, y }) => ({ x, y, fitted: meanY + slope * (x - meanX) }));
}

const sample = (curve: (x: number) => number, random: Sfc32) =>
  withLine([1, 2, 3, 4, 5].flatMap((x) => [1, 2, 3].map(() => ({ x, y: curve(x) + normal(random) }))));

describe('lack of fit', () => {
  it('agrees with the F distribution: 5 % points of tables', () => {
    // Three groups of two, one parameter (a constant): F(2, 3) = 9.552 at 5 %.
    const spread = Math.sqrt(9.552 / 2);
    const points = [-spread, 0, spread].flatMap((centre, x) =>
      [-1, 1].map((sign) => ({ x, y: centre + sign / Math.SQRT2, fitted: 0 })),
    );
    expect(lackOfFit(points, 1)).toBeCloseTo(0.05, 4);
  });

  it('is small by chance as often as it says, where the curve is the right one', () => {
    const random = new Sfc32(1);
    const runs = 2_000;
    let small = 0;
    for (let i = 0; i < runs; i++)
      if (
        lackOfFit(
          sample((x) => 3 * x, random),
          2,
        )! < 0.05
      )
        small++;
    expect(small / runs).toBeGreaterThan(0.035);
    expect(small / runs).toBeLessThan(0.065);
  });

  it('sees a bend that no line has', () => {
    const random = new Sfc32(2);
    let seen = 0;
    for (let i = 0; i < 100; i++)
      if (
        lackOfFit(
          sample((x) => (x - 3) ** 2 * 2, random),
          2,
        )! < 0.01
      )
        seen++;
    expect(seen).toBeGreaterThan(95);
  });

  it('says nothing without repeats, or with as many parameters as places', () => {
    const single = [1, 2, 3, 4].map((x) => ({ x, y: x, fitted: x }));
    expect(lackOfFit(single, 2)).toBeNull();
    expect(lackOfFit([...single, ...single], 4)).toBeNull();
    expect(lackOfFit([...single, ...single], 2)).toBe(1);
  });
});
