import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { Home } from '#platform/paths.ts';

/** The exit code and the output of a command. */
export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts `dyno` with these arguments in a separate process. */
export function start(home: Home, ...args: string[]): { readonly child: ChildProcess; readonly ended: Promise<Ended> } {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../cli.ts', import.meta.url)), ...args], {
    env: { ...process.env, DYNO_HOME: home.root },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, out, err })));
  return { child, ended };
}

export const dyno = (home: Home, ...args: string[]): Promise<Ended> => start(home, ...args).ended;

/** Polls until the condition holds; fails the test after 25 s. */
export async function until(done: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    if (await done()) return;
    await sleep(50);
  }
  expect.unreachable('it did not happen within 25 s');
}
