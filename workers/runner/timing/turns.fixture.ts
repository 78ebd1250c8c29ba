import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { meanInterval } from '#stats/intervals/intervals.ts';
import { median } from '#stats/intervals/summary.ts';
import type { CallCost } from '../loop/bare-loop.fixture.ts';
import { TimeSplit } from './time-split.ts';

/**
 * Compares two processes that do the same work in two ways, in short turns, so other work of the machine affects both.
 * The median of the turns counts. Each pair of processes is one repeat, because the speed of the same code varies from
 * process to process.
 */
interface Comparison {
  readonly file: string;
  /** Arguments of the process without the difference, and of the process with it. */
  readonly without: readonly string[];
  readonly with_: readonly string[];
  readonly pairs: number;
  /** Each round has four turns: without, with, with, without. */
  readonly blocks: number;
  readonly warmUpTurns: number;
}

/** The extra cost of the process "with" the difference over the process "without" it. */
interface Difference {
  /** The time of a call without, ns. */
  readonly offNs: number;
  /** The time "with" ÷ "without" − 1, and its interval. */
  readonly more: number;
  readonly low: number;
  readonly high: number;
}

/** Answers each request with the cost of a turn, in the process that takes the turns. */
export function takeTurns(turn: () => Promise<CallCost>): void {
  process.on('message', async () => process.send!(await turn()));
  process.send!('ready');
}

async function startTurns(file: string, args: readonly string[]) {
  const child: ChildProcess = fork(file, args);
  await once(child, 'message');
  return {
    async turn(): Promise<CallCost> {
      const answer = once(child, 'message');
      child.send('turn');
      const [cost] = await answer;
      return cost as CallCost;
    },
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Results of one pair of processes: nanoseconds of a call "without", and the logarithm of "with" ÷ "without". */
async function comparePair({ file, without: off, with_: on, blocks, warmUpTurns }: Comparison) {
  await using without = await startTurns(file, off);
  await using with_ = await startTurns(file, on);
  for (let i = 0; i < warmUpTurns; i++) {
    await without.turn();
    await with_.turn();
  }
  const turns: { readonly off: readonly CallCost[]; readonly on: readonly CallCost[] }[] = [];
  for (let block = 0; block < blocks; block++) {
    const first = await without.turn();
    const on = [await with_.turn(), await with_.turn()];
    turns.push({ off: [first, await without.turn()], on });
  }
  return (of: keyof CallCost) => {
    const sum = (costs: readonly CallCost[]) => costs.reduce((total, cost) => total + cost[of], 0);
    return {
      offNs: median(turns.map(({ off }) => sum(off) / off.length)),
      log: median(turns.map(({ on, off }) => Math.log(sum(on) / sum(off)))),
    };
  };
}

export async function compareProcesses(comparison: Comparison): Promise<(of: keyof CallCost) => Difference> {
  const compared: Awaited<ReturnType<typeof comparePair>>[] = [];
  while (compared.length < comparison.pairs) compared.push(await comparePair(comparison));
  return (of) => {
    const each = compared.map((pair) => pair(of));
    const { value, low, high } = meanInterval(each.map(({ log }) => log))!;
    const [more, least, most] = [value, low!, high!].map(Math.expm1) as [number, number, number];
    return { offNs: median(each.map((pair) => pair.offNs)), more, low: least, high: most };
  };
}

/** This variant measures nothing. */
export class NoSplit extends TimeSplit {
  override works(): void {}
  override rests(): void {}
  override ends(): void {}
  override enters(): void {}
  override leaves(): void {}
}
