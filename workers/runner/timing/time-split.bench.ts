import type { Session } from '#engine-api/session.ts';
import { bareLoop, sessionThat } from '../loop/bare-loop.fixture.ts';
import { openEchoSession, startEchoServer } from './echo.fixture.ts';
import { watchSockets } from './socket-watch.ts';
import { TimeSplit } from './time-split.ts';
import { compareProcesses, NoSplit, takeTurns } from './turns.fixture.ts';

/**
 * The cost of the time split: calls that do nothing, and round trips over loopback to a process that does nothing, each
 * with the split and without.
 */
const turns = { pairs: 6, blocks: 40, warmUpTurns: 40 };

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

/** Runs the turns of a case in a process of its own. */
async function runTurns({ calls, open, inProcess, ...loop }: Case, isOn: boolean, port: number): Promise<void> {
  const split = isOn ? new TimeSplit() : new NoSplit();
  const sockets = isOn && !inProcess ? watchSockets(split) : null;
  const turn = await bareLoop(() => open(port), loop, split, sockets);
  takeTurns(() => turn(calls));
}

async function compare(index: number, port: number): Promise<void> {
  const args = (isOn: boolean) => [String(index), String(isOn), String(port)];
  const cost = await compareProcesses({
    file: import.meta.filename,
    without: args(false),
    with_: args(true),
    ...turns,
  });
  const text = (of: 'wallNs' | 'cpuNs') => {
    const { offNs, more, low, high } = cost(of);
    const percent = (share: number) => (100 * share).toFixed(1);
    return `${offNs.toFixed(0)} ns a call, with ${(offNs * more).toFixed(0)} ns more: ${percent(more)} % (${percent(low)} to ${percent(high)})`;
  };
  console.log(`${cases[index]!.label.padEnd(26)} ${text('wallNs')}; of processor ${text('cpuNs')}`);
}

const [index, isOn, port] = process.argv.slice(2);
if (port !== undefined) {
  await runTurns(cases[Number(index)]!, isOn === 'true', Number(port));
} else {
  await using server = await startEchoServer();
  for (const index of cases.keys()) await compare(index, server.port);
}
