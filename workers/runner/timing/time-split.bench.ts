import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Session } from '#engine-api/session.ts';
import { meanInterval } from '#stats/intervals.ts';
import { median } from '#stats/summary.ts';
import { bareLoop, type CallCost, sessionThat } from '../loop/bare-loop.fixture.ts';
import { openEchoSession, startEchoServer } from './echo.fixture.ts';
import { watchSockets } from './socket-watch.ts';
import { TimeSplit } from './time-split.ts';

/**
 * What it costs to tell where a client's time goes: calls that do nothing, and round trips over loopback to a process
 * that does nothing, each with and without. Two processes at a time, one with and one without, take short turns, so
 * that what else happens on the machine hits both; of these the median. Each pair of processes is one repeat, for the
 * same code runs more or less quickly from process to process.
 */
const pairs = 6;
/** Each of four turns: without, with, with, without. */
const blocks = 40;
const warmUpTurns = 40;

interface Case {
  readonly label: string;
  readonly calls: number;
  readonly connections?: number;
  readonly depth?: number;
  readonly open: (port: number) => Promise<Session>;
  /** The engine is in the process: nobody watches sockets. */
  readonly inProcess?: true;
}

const echo = async (port: number) => (await openEchoSession(port)).session;
const cases: readonly Case[] = [
  { label: 'no-op engine, at once', calls: 40_000, open: async () => sessionThat(() => 1), inProcess: true },
  { label: 'no-op engine, promises', calls: 25_000, open: async () => sessionThat(async () => 1), inProcess: true },
  { label: 'loopback, 1 connection', calls: 400, open: echo },
  { label: 'loopback, 16 connections', calls: 600, connections: 16, open: echo },
  { label: 'loopback, 16 in flight', calls: 1_200, depth: 16, open: echo },
];

/** Measures nothing. */
class NoSplit extends TimeSplit {
  override works(): void {}
  override rests(): void {}
  override ends(): void {}
  override enters(): void {}
  override leaves(): void {}
}

/** In a process of its own: a turn whenever it is told to. */
async function takeTurns({ calls, open, inProcess, ...loop }: Case, isOn: boolean, port: number): Promise<void> {
  const split = isOn ? new TimeSplit() : new NoSplit();
  const sockets = isOn && !inProcess ? watchSockets(split) : null;
  const turn = await bareLoop(() => open(port), loop, split, sockets);
  process.on('message', async () => process.send!(await turn(calls)));
  process.send!('ready');
}

async function startTurns(index: number, isOn: boolean, port: number) {
  const child: ChildProcess = fork(import.meta.filename, [String(index), String(isOn), String(port)]);
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

/** Nanoseconds of a call without, and the logarithm of with ÷ without, of one pair of processes. */
async function comparePair(index: number, port: number) {
  await using without = await startTurns(index, false, port);
  await using with_ = await startTurns(index, true, port);
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

async function compare(index: number, port: number): Promise<void> {
  const compared: Awaited<ReturnType<typeof comparePair>>[] = [];
  while (compared.length < pairs) compared.push(await comparePair(index, port));
  const text = (of: keyof CallCost) => {
    const each = compared.map((pair) => pair(of));
    const offNs = median(each.map((pair) => pair.offNs));
    const { value, low, high } = meanInterval(each.map(({ log }) => log))!;
    const [more, least, most] = [value, low!, high!].map(Math.expm1) as [number, number, number];
    const percent = (share: number) => (100 * share).toFixed(1);
    return `${offNs.toFixed(0)} ns a call, with ${(offNs * more).toFixed(0)} ns more: ${percent(more)} % (${percent(least)} to ${percent(most)})`;
  };
  console.log(`${cases[index]!.label.padEnd(26)} ${text('wallNs')}; of processor ${text('cpuNs')}`);
}

const [index, isOn, port] = process.argv.slice(2);
if (port !== undefined) {
  await takeTurns(cases[Number(index)]!, isOn === 'true', Number(port));
} else {
  await using server = await startEchoServer();
  for (const index of cases.keys()) await compare(index, server.port);
}
