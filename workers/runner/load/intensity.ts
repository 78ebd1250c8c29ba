import type { PlacedStage } from '#model/stages.ts';

/** Share of the full load over the ms since a phase began: constant, or linear within each stage. */
export class Intensity {
  readonly #stages: readonly PlacedStage[];
  /** Share × ms up to the beginning of each stage. */
  readonly #before: readonly number[];

  constructor(stages: readonly PlacedStage[]) {
    this.#stages = stages;
    let sum = 0;
    this.#before = stages.map(({ fromMs, toMs, from, to }) => {
      const before = sum;
      sum += ((from + to) / 2) * (toMs - fromMs);
      return before;
    });
  }

  /** Index of the stage; the last one after the end. */
  stageAt(ms: number): number {
    const at = this.#stages.findIndex(({ toMs }) => ms < toMs);
    return at === -1 ? this.#stages.length - 1 : at;
  }

  shareAt(ms: number): number {
    const { fromMs, toMs, from, to } = this.#stages[this.stageAt(ms)]!;
    return from === to ? to : from + ((to - from) * (Math.min(ms, toMs) - fromMs)) / (toMs - fromMs);
  }

  /** Time at which the integral of the share over time reaches this amount (share × ms); Infinity if it never does. */
  timeOf(amount: number): number {
    const at = this.#before.findLastIndex((before) => before <= amount);
    for (let i = at; i < this.#stages.length; i++) {
      const { fromMs, toMs, from, to } = this.#stages[i]!;
      const rest = amount - this.#before[i]!;
      const slope = from === to ? 0 : (to - from) / (toMs - fromMs);
      // Solves from·t + slope·t²/2 = rest, in the form that also holds for slope 0.
      const root = Math.sqrt(Math.max(0, from * from + 2 * slope * rest));
      const ms = rest === 0 ? 0 : (2 * rest) / (from + root);
      if (from + to > 0 && fromMs + ms < toMs) return fromMs + ms;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The first time, at `fromMs` or later, at which the share exceeds this one; Infinity if it never does. */
  nextAbove(share: number, fromMs: number): number {
    for (let i = this.stageAt(fromMs); i < this.#stages.length; i++) {
      const stage = this.#stages[i]!;
      const begin = Math.max(fromMs, stage.fromMs);
      if (begin >= stage.toMs) continue;
      if (this.shareAt(begin) > share) return begin;
      if (stage.to > share && stage.to > stage.from)
        return stage.fromMs + ((share - stage.from) / (stage.to - stage.from)) * (stage.toMs - stage.fromMs);
    }
    return Number.POSITIVE_INFINITY;
  }
}

/** The full load, without end. */
export const steady = new Intensity([{ name: '', fromMs: 0, toMs: Number.POSITIVE_INFINITY, from: 1, to: 1 }]);
