import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A node of V8's sampled call tree, in the form of the inspector's protocol (domain Profiler). */
interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly hitCount?: number;
  readonly children?: readonly number[];
}

/** Parts of a client's work in user mode, in the order of tables. */
export const parts = [
  'Node: sockets, streams, promises',
  'driver',
  'engine: protocol',
  'rows, keys, encoding',
  'loop',
  'measuring',
  'garbage collection',
  'other',
] as const;
export type Part = (typeof parts)[number];

const byUrl: readonly (readonly [RegExp, Part])[] = [
  [/^node:/, 'Node: sockets, streams, promises'],
  [/node_modules/, 'driver'],
  [/workers\/engines\/[^/]+\/values\//, 'rows, keys, encoding'],
  [/workers\/(engines|drda)\//, 'engine: protocol'],
  [/workers\/runner\/(generator|workload|operations)\//, 'rows, keys, encoding'],
  [/workers\/(runner\/timing|stats)\//, 'measuring'],
  [/workers\/runner\/loop\/(counts|load-counts|snapshots|statement-counters|phase)/, 'measuring'],
  [/workers\/runner\//, 'loop'],
];

/** C++ functions of Node that pass bytes to the system: nearly all of their time is system time. */
const writers = /^(write|writev|writeBuffer|writeUtf8String|writeLatin1String|writeAsciiString)$/;

/**
 * Samples of each part; functions without a file (in C++ of V8 and Node) count as part of their caller. Samples follow
 * the wall clock, so samples within system calls, where a process may wait for a processor, are left out; getrusage
 * measures these (cpuSystemMs).
 */
export function samplesOf(nodes: readonly ProfileNode[]): ReadonlyMap<Part, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const samples = new Map<Part, number>();
  const visit = (node: ProfileNode, caller: Part): void => {
    const part = partOf(node, caller);
    if (part !== null) samples.set(part, (samples.get(part) ?? 0) + (node.hitCount ?? 0));
    for (const child of node.children ?? []) visit(byId.get(child)!, part ?? caller);
  };
  visit(nodes[0]!, 'other');
  return samples;
}

/** Null: idle, or in a system call. */
function partOf({ callFrame: { functionName, url } }: ProfileNode, caller: Part): Part | null {
  if (['(root)', '(idle)', '(program)'].includes(functionName)) return null;
  if (functionName === '(garbage collector)') return 'garbage collection';
  if (url === '') return writers.test(functionName) ? null : caller;
  return byUrl.find(([pattern]) => pattern.test(url))?.[1] ?? 'other';
}

/** The latest child process that runs this file. Only Linux has /proc. */
export function youngestChild(file: string): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
        const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
        return parent === process.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(file);
      } catch {
        return false; // The process has ended.
      }
    });
  return Math.max(...children);
}

/** The address of Node's inspector after a process has received SIGUSR1; only on this machine. */
const inspector = 'http://127.0.0.1:9229/json/list';

/** Samples a running Node process for this duration. */
export async function profileProcess(pid: number, ms: number): Promise<readonly ProfileNode[]> {
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await inspectorOf());
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let sent = 0;
  const call = (method: string, params: object = {}) =>
    new Promise<Record<string, never>>((resolve, reject) => {
      const id = ++sent;
      const listen = ({ data }: MessageEvent) => {
        const answer = JSON.parse(String(data));
        if (answer.id !== id) return;
        socket.removeEventListener('message', listen);
        if (answer.error) reject(new Error(answer.error.message));
        else resolve(answer.result);
      };
      socket.addEventListener('message', listen);
      socket.send(JSON.stringify({ id, method, params }));
    });
  await call('Profiler.enable');
  await call('Profiler.setSamplingInterval', { interval: 200 });
  await call('Profiler.start');
  await sleep(ms);
  const { profile } = await call('Profiler.stop');
  await call('Profiler.disable');
  socket.close();
  return (profile as unknown as { readonly nodes: readonly ProfileNode[] }).nodes;
}

async function inspectorOf(): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      const [target] = (await (await fetch(inspector)).json()) as readonly { readonly webSocketDebuggerUrl: string }[];
      if (target) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (tries > 100) throw error;
    }
    await sleep(20);
  }
}
