import { confidence, type Interval } from '../intervals/intervals.ts';
import { tQuantile } from '../intervals/student-t.ts';
import { mean } from '../intervals/summary.ts';
import { solve } from './linear-system.ts';

/** Throughput at a load: N users, connections, or processors, and X per second. */
export interface LoadPoint {
  readonly load: number;
  readonly throughput: number;
}

/** The coefficients of X(N) = λN ÷ (1 + σ(N − 1) + κN(N − 1)). */
export interface Coefficients {
  /** Throughput of a single user, per second. */
  readonly lambda: number;
  /** Serial share of the work: contention. */
  readonly sigma: number;
  /** Cost of synchronising pairs of users: coherency. */
  readonly kappa: number;
}

/** A fitted Universal Scalability Law, with 95 % intervals unless the options give another level. */
export interface UslFit extends Coefficients {
  readonly intervals: { readonly [K in keyof Coefficients]: Interval };
  /** Load of the highest throughput, √((1 − σ) ÷ κ), and that throughput; null where the curve only flattens. */
  readonly peak: { readonly load: Interval; readonly throughput: Interval } | null;
  /** Load at which the line without contention, λN, meets the ceiling of contention, λ ÷ σ; null where σ is 0. */
  readonly knee: number | null;
  /** Share of the scatter of the throughput that the curve explains. */
  readonly r2: number;
}

/** Fewer loads than these cannot show that the law, with three coefficients, does not hold. */
export const leastLoads = 5;

/** X(N) = λN ÷ (1 + σ(N − 1) + κN(N − 1)) (Gunther 2007, Guerrilla Capacity Planning, ch. 4). */
export const throughputAt = ({ lambda, sigma, kappa }: Coefficients, load: number): number =>
  (lambda * load) / (1 + sigma * (load - 1) + kappa * load * (load - 1));

/** The fitted curve at a load; the bounds hold for each load individually. */
export interface CurvePoint {
  readonly load: number;
  readonly throughput: Interval;
}

/**
 * Fits the Universal Scalability Law (Gunther 2007, Guerrilla Capacity Planning, ch. 4–6) by least squares with σ, κ ≥
 * 0. Each repeat of a load is a point. Intervals are those of the profile likelihood (Venzon & Moolgavkar 1988) where
 * throughput scatters by per cent at every level. Null for fewer than five different loads, or values that are not
 * positive. The curve and its band are those at the loads of `loadsOf`.
 */
export function fitUsl(
  points: readonly LoadPoint[],
  loadsOf: (fit: UslFit) => readonly number[] = () => [],
  level = confidence,
): { readonly fit: UslFit; readonly curve: readonly CurvePoint[] } | null {
  const loads = new Set(points.map(({ load }) => load));
  if (loads.size < leastLoads || !points.every(({ load, throughput }) => load > 0 && throughput > 0)) return null;
  const found = leastSquares(atLoads(points));
  const likely = likelyCoefficients(points, found, level);
  const interval = (of: (one: Coefficients) => number): Interval => {
    const value = of(found);
    let [low, high] = [value, value];
    for (const one of likely) {
      const own = of(one);
      low = Math.min(low, own);
      high = Math.max(high, own);
    }
    return { value, low, high, n: points.length };
  };
  const rates = points.map(({ throughput }) => throughput);
  const average = mean(rates);
  const missed = points.reduce((sum, { load, throughput }) => sum + (throughput - throughputAt(found, load)) ** 2, 0);
  const fit: UslFit = {
    ...found,
    intervals: {
      lambda: interval(({ lambda }) => lambda),
      sigma: interval(({ sigma }) => sigma),
      kappa: interval(({ kappa }) => kappa),
    },
    peak: found.kappa > 0 ? { load: interval(peakLoad), throughput: interval(highest) } : null,
    knee: found.sigma > 0 ? 1 / found.sigma : null,
    r2: 1 - missed / rates.reduce((sum, rate) => sum + (rate - average) ** 2, 0),
  };
  const curve = loadsOf(fit).map((load) => ({ load, throughput: interval((one) => throughputAt(one, load)) }));
  return { fit, curve };
}

/** The mean of a load's repeats and their number, which least squares need. */
interface Weighted extends LoadPoint {
  readonly weight: number;
}

function atLoads(points: readonly LoadPoint[]): readonly Weighted[] {
  const sums = new Map<number, { sum: number; weight: number }>();
  for (const { load, throughput } of points) {
    const known = sums.get(load);
    if (known === undefined) sums.set(load, { sum: throughput, weight: 1 });
    else {
      known.sum += throughput;
      known.weight++;
    }
  }
  return [...sums].map(([load, { sum, weight }]) => ({ load, throughput: sum / weight, weight }));
}

/** A coefficient that reduces the throughput at the highest load by less than this is nearly 0. */
const leastBend = 1e-3;

/**
 * The end of a search: a step reduced the squares by a share below `gain`, or no step with a damping below `damping`
 * reduced them.
 */
interface Patience {
  readonly gain: number;
  readonly damping: number;
}
const exact: Patience = { gain: 1e-12, damping: 1e12 };
/** Larger than any load: where likely coefficients have no peak, the bounds of its interval must stay finite. */
const far = 1e9;

const peakLoad = ({ sigma, kappa }: Coefficients): number =>
  Math.max(1, Math.min(far, kappa > 0 ? Math.sqrt(Math.max(0, 1 - sigma) / kappa) : far));

const highest = (one: Coefficients): number => throughputAt(one, peakLoad(one));

/** Directions from the best coefficients, and steps in each of them, in which the likely ones are looked for. */
const directions = 180;
const stepsOut = 8;

/**
 * Coefficients that the points do not contradict: those whose squares of relative residuals exceed the least ones by
 * less than Student's t² at the level allows. The lowest and highest value of anything that depends on the coefficients
 * over all of these are the bounds of its profile likelihood. For any σ and κ the best λ and its bounds are exact; σ
 * and κ are followed outwards from the best ones, as far as the border of what is allowed or likely.
 */
function likelyCoefficients(points: readonly LoadPoint[], found: Coefficients, level: number): readonly Coefficients[] {
  const weighted = atLoads(points).map((one) => ({ ...one, weight: one.weight / throughputAt(found, one.load) ** 2 }));
  const best = leastSquares(weighted);
  const freedom = points.length - 3;
  const scatter = points.reduce(
    (sum, { load, throughput }) => sum + ((throughput - throughputAt(best, load)) / throughputAt(found, load)) ** 2,
    0,
  );
  const allowed = squares(weighted, best) + (scatter / freedom) * tQuantile((1 + level) / 2, freedom) ** 2;
  /** The best λ for σ and κ, and the squares that are left. */
  const profile = (sigma: number, kappa: number) => {
    let [products, own, all] = [0, 0, 0];
    for (const { load, throughput, weight } of weighted) {
      const shape = throughputAt({ lambda: 1, sigma, kappa }, load);
      products += weight * shape * throughput;
      own += weight * shape * shape;
      all += weight * throughput * throughput;
    }
    const lambda = products / own;
    const spare = allowed - (all - lambda * products);
    return { lambda, spare, margin: Math.sqrt(Math.max(0, spare) / own) };
  };
  const most = Math.max(...points.map(({ load }) => load));
  const axes = axesOf(weighted, best) ?? [
    [1 / most, 0],
    [0, 1 / most ** 2],
  ];
  const likely: Coefficients[] = [];
  const take = (sigma: number, kappa: number) => {
    const { lambda, spare, margin } = profile(sigma, kappa);
    if (spare < 0) return;
    likely.push({ lambda: lambda - margin, sigma, kappa }, { lambda: lambda + margin, sigma, kappa });
  };
  const along = (sigma: number, kappa: number) => {
    // The step goes only until one coefficient reaches 0, in units of the direction.
    const border = Math.min(
      sigma < 0 ? -best.sigma / sigma : Number.POSITIVE_INFINITY,
      kappa < 0 ? -best.kappa / kappa : Number.POSITIVE_INFINITY,
    );
    const spareAt = (far: number) =>
      profile(Math.max(0, best.sigma + far * sigma), Math.max(0, best.kappa + far * kappa)).spare;
    let inside = 0;
    let outside = 1;
    while (outside < border && outside < 1e6 && spareAt(outside) > 0) {
      inside = outside;
      outside *= 2;
    }
    outside = Math.min(outside, border);
    if (spareAt(outside) > 0) inside = outside;
    else
      for (let i = 0; i < 30; i++) {
        const middle = (inside + outside) / 2;
        if (spareAt(middle) > 0) inside = middle;
        else outside = middle;
      }
    for (let step = 1; step <= stepsOut; step++) {
      const far = (inside * step) / stepsOut;
      take(Math.max(0, best.sigma + far * sigma), Math.max(0, best.kappa + far * kappa));
    }
  };
  take(best.sigma, best.kappa);
  const [first, second] = axes as readonly [readonly [number, number], readonly [number, number]];
  for (let i = 0; i < directions; i++) {
    const angle = (2 * Math.PI * i) / directions;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    along(x * first[0]! + y * second[0]!, x * first[1]! + y * second[1]!);
  }
  // Along the borders, which directions meet at single points only.
  for (const [sigma, kappa] of [
    [1 / most, 0],
    [-1 / most, 0],
    [0, 1 / most ** 2],
    [0, -1 / most ** 2],
  ] as const)
    along(sigma, kappa);
  return likely;
}

/**
 * Directions in σ and κ of one standard error that do not depend on each other (Cholesky's root of the covariance,
 * without λ); null where the points do not determine both.
 */
function axesOf(
  points: readonly Weighted[],
  at: Coefficients,
): readonly [readonly [number, number], readonly [number, number]] | null {
  // Relative slopes of the throughput by ln λ, σ and κ.
  const normal = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  for (const { load, weight } of points) {
    const value = throughputAt(at, load);
    const divisor = (at.lambda * load) / value;
    const slopes = [value, (-value * (load - 1)) / divisor, (-value * load * (load - 1)) / divisor];
    for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) normal[i]![j]! += weight * slopes[i]! * slopes[j]!;
  }
  const ofSigma = solve(normal, [0, 1, 0]);
  const ofKappa = solve(normal, [0, 0, 1]);
  if (ofSigma === null || ofKappa === null || !(ofSigma[1]! > 0)) return null;
  const root = Math.sqrt(ofSigma[1]!);
  const shared = ofSigma[2]! / root;
  const left = ofKappa[2]! - shared * shared;
  return left > 0
    ? [
        [root, shared],
        [0, Math.sqrt(left)],
      ]
    : null;
}

/**
 * The book's method (Gunther 2007, 5.2): least squares on λN ÷ X − 1 = σ(N − 1) + κN(N − 1), with the measured λ. It
 * gives the highest loads the most weight. Null where the loads do not determine both σ and κ.
 */
export function regressUsl(points: readonly LoadPoint[], lambda: number): Coefficients | null {
  const terms = points.map(({ load, throughput }) => ({
    a: load - 1,
    b: load * (load - 1),
    y: (lambda * load) / throughput - 1,
  }));
  const sum = (of: (term: (typeof terms)[number]) => number) => terms.reduce((total, term) => total + of(term), 0);
  const ab = sum(({ a, b }) => a * b);
  const solved = solve(
    [
      [sum(({ a }) => a * a), ab],
      [ab, sum(({ b }) => b * b)],
    ],
    [sum(({ a, y }) => a * y), sum(({ b, y }) => b * y)],
  );
  return solved && { lambda, sigma: Math.max(0, solved[0]!), kappa: Math.max(0, solved[1]!) };
}

/**
 * Least squares with no coefficient below 0. Where the minimum is on the border of the allowed region, the best of the
 * four minima with both, one or none of σ and κ free and the others at 0. Starts from the regression, or from a guess
 * where it has no solution.
 */
function leastSquares(points: readonly Weighted[], patience = exact): Coefficients {
  const first = points.reduce((least, point) => (point.load < least.load ? point : least));
  const lambda = first.throughput / first.load;
  const begun = regressUsl(points, lambda);
  const sigma = begun?.sigma || 0.05;
  const kappa = begun?.kappa || 1e-4;
  const most = Math.max(...points.map(({ load }) => load));
  const leans = (one: Coefficients) => Math.min(one.sigma * most, one.kappa * most * most) <= leastBend;
  const inner = minimum(points, { lambda, sigma, kappa }, ['lambda', 'sigma', 'kappa'], patience, leans);
  if (!leans(inner)) return inner;
  const minima = [
    inner,
    minimum(points, { lambda, sigma, kappa: 0 }, ['lambda', 'sigma'], patience),
    minimum(points, { lambda, sigma: 0, kappa }, ['lambda', 'kappa'], patience),
    minimum(points, { lambda, sigma: 0, kappa: 0 }, ['lambda'], patience),
  ];
  // Chooses the minimum with fewer coefficients among minima that differ only by rounding.
  const rounding = 1e-18 * points.reduce((sum, { throughput, weight }) => sum + weight * throughput ** 2, 0);
  return minima.reduce((best, one) => (squares(points, one) <= squares(points, best) + rounding ? one : best));
}

const squares = (points: readonly Weighted[], one: Coefficients): number =>
  points.reduce((sum, { load, throughput, weight }) => sum + weight * (throughput - throughputAt(one, load)) ** 2, 0);

/** Levenberg–Marquardt (Marquardt 1963) over the `free` coefficients, which stay above 0. */
function minimum(
  points: readonly Weighted[],
  start: Coefficients,
  free: readonly (keyof Coefficients)[],
  { gain: leastGain, damping: mostDamping }: Patience,
  isDone: (at: Coefficients) => boolean = () => false,
): Coefficients {
  let best = start;
  let error = squares(points, best);
  let damping = 1e-3;
  for (let step = 0; step < 200 && damping < mostDamping; step++) {
    const next = marquardt(points, best, free, damping);
    const found = next === null ? Number.POSITIVE_INFINITY : squares(points, next);
    if (next === null || !(found < error)) {
      damping *= 10;
      continue;
    }
    const gained = (error - found) / error;
    best = next;
    error = found;
    damping /= 10;
    if (gained < leastGain || isDone(best)) break;
  }
  return best;
}

/** A step reduces a coefficient to this share of it at most. */
const nearer = 0.05;

/**
 * A damped step (Marquardt 1963) that stays where coefficients are above 0; null if the points do not determine all of
 * them.
 */
function marquardt(
  points: readonly Weighted[],
  at: Coefficients,
  free: readonly (keyof Coefficients)[],
  damping: number,
): Coefficients | null {
  const normal = free.map(() => free.map(() => 0));
  const right = free.map(() => 0);
  for (const { load, throughput, weight } of points) {
    const value = throughputAt(at, load);
    const divisor = (at.lambda * load) / value;
    const slopes: Coefficients = {
      lambda: value / at.lambda,
      sigma: (-value * (load - 1)) / divisor,
      kappa: (-value * load * (load - 1)) / divisor,
    };
    for (let i = 0; i < free.length; i++) {
      const slope = weight * slopes[free[i]!];
      right[i]! += slope * (throughput - value);
      for (let j = 0; j < free.length; j++) normal[i]![j]! += slope * slopes[free[j]!] * (i === j ? 1 + damping : 1);
    }
  }
  const step = solve(normal, right);
  if (step === null) return null;
  const next = { ...at };
  // A coefficient that moves below 0 approaches it in a few steps, instead of ever shorter ones.
  free.forEach((name, i) => {
    next[name] = Math.max(at[name] + step[i]!, at[name] * nearer);
  });
  return next;
}
