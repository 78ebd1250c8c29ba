import type { ThinkTime } from '#model/statements/load-model.ts';
import type { PauseStep } from '#model/statements/statements.ts';
import type { Sfc32 } from '#stats/random/random.ts';

/** Draws from the exponential distribution with mean 1. */
export const exponential = (random: Sfc32): number => -Math.log(1 - random.unit());

/** The variance of the logarithm, for a log-normal distribution whose standard deviation equals its mean. */
const logVariance = Math.LN2;

/** Draws think times, ms. */
export function createThinkTimes({ thinkTime, thinkMs }: ThinkTime, random: Sfc32): () => number {
  switch (thinkTime) {
    case 'constant':
      return () => thinkMs;
    case 'uniform':
      return () => 2 * thinkMs * random.unit();
    case 'exponential':
      return () => thinkMs * exponential(random);
    case 'logNormal':
      return () => thinkMs * Math.exp(Math.sqrt(logVariance) * normal(random) - logVariance / 2);
  }
}

/** Draws the pauses of a step, ms. */
export function createPauses({ thinkMs, thinkTime }: PauseStep, random: Sfc32): () => number {
  if (typeof thinkMs === 'number') return createThinkTimes({ thinkTime, thinkMs }, random);
  const { from, to } = thinkMs;
  return () => from + (to - from) * random.unit();
}

/** Draws from the standard normal distribution (Box and Muller, 1958). */
const normal = (random: Sfc32): number => Math.sqrt(2 * exponential(random)) * Math.cos(2 * Math.PI * random.unit());

/** Draws the number of units of work of a session, at least 1. */
export function createSessionLengths(
  { unitsPerSession, sessionLength }: { readonly unitsPerSession: number; readonly sessionLength: string },
  random: Sfc32,
): () => number {
  if (sessionLength === 'constant' || unitsPerSession === 1) return () => unitsPerSession;
  const goesOn = Math.log(1 - 1 / unitsPerSession);
  return () => 1 + Math.floor(Math.log(1 - random.unit()) / goesOn);
}
