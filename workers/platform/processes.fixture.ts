import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

interface Proc {
  readonly pid: number;
  readonly parent: number;
  /** The state; Z: the process has ended, but its parent has not waited for it. */
  readonly state: string;
  /** Hundredths of a second. */
  readonly cpu: number;
}

/** Linux's entry of a process; null: it is gone. */
export function procOf(pid: number): Proc | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // pid (name) state parent …; the name may contain brackets, so the fields are counted from the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(fields[1]), state: fields[0] ?? '', cpu: Number(fields[11]) + Number(fields[12]) };
  } catch {
    return null;
  }
}

export const allProcs = (): readonly Proc[] =>
  readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (procOf(Number(name)) ?? []) : []));

/** Ids of all descendants of a Linux process, the smallest first. */
export function pidsBelow(pid: number): readonly number[] {
  const all = allProcs();
  const under = (parent: number): readonly number[] =>
    all.flatMap((one) => (one.parent === parent ? [one.pid, ...under(one.pid)] : []));
  return under(pid).toSorted((a, b) => a - b);
}

/** The command line of a Linux process, separated by spaces; '' where the process has ended. */
export function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

/**
 * This process's children whose command has these words, such as the start of a program's name. A minimal Linux has no
 * ps, so there /proc is read.
 */
export function childPids(file: string): readonly number[] {
  if (process.platform === 'linux')
    return allProcs()
      .filter(({ pid, parent }) => parent === process.pid && commandOf(pid).includes(file))
      .map(({ pid }) => pid);
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...words]) => Number(parent) === process.pid && words.join(' ').includes(file))
    .map(([pid]) => Number(pid));
}

/** A process that has ended and that its parent does not wait for, until it is disposed of. */
export async function zombie(): Promise<Disposable & { readonly pid: number }> {
  // The shell would reap a child that ends before `exec`, so the child ends when its pipe does.
  const parent = spawn('/bin/sh', ['-c', 'cat <&3 & echo $!; exec sleep 60 3<&-'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const [said] = await once(parent.stdout!, 'data');
  const pid = Number(String(said));
  while (readFileSync(`/proc/${parent.pid}/comm`, 'utf8') !== 'sleep\n') await sleep(5);
  parent.stdio[3]?.destroy();
  while (procOf(pid)?.state !== 'Z') await sleep(5);
  return { pid, [Symbol.dispose]: () => void parent.kill('SIGKILL') };
}
