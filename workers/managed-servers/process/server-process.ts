import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { DynoError } from '#model/error.ts';
import { guard, type StopSignals, terminate } from '#platform/guard.ts';
import type { ServerAccount } from './account.ts';
import { noteServer } from './orphan.ts';
import { serverError } from './server-error.ts';
import { stopProcess } from './stop-process.ts';

/** A server's program, and the sign that it is ready. */
interface ServerProgram {
  /** The product's name in errors: "MariaDB". */
  readonly label: string;
  readonly file: string;
  /** The arguments hold no password, because everybody on the machine can read them. */
  readonly args: readonly string[];
  /** The data folder, which no other server uses, and by which stopOrphan() recognises the server. */
  readonly cwd: string;
  /** The environment, from serverEnvironment(). */
  readonly env: NodeJS.ProcessEnv;
  /** Null: the account of this process, which is not root; see serverAccount(). */
  readonly account: ServerAccount | null;
  /** The standard input, for secrets: arguments and environment are visible. Absent: there is none. */
  readonly input?: string;
  /** The file for its output, which is emptied first. */
  readonly log: string;
  /** Called every 20 ms until it returns true. An error means "not yet". */
  isReady(pid: number): boolean | Promise<boolean>;
  readonly readyWithinMs?: number;
  readonly signals?: StopSignals;
  /** Turns the end of the log into an error with advice. Default: serverError(). */
  failed?(what: string, said: string): DynoError;
}

/** A server's main process, which is stopped when it is disposed of. */
export interface ServerProcess extends AsyncDisposable {
  readonly pid: number;
  /** Settles when the process has ended, for whatever reason. */
  readonly gone: Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server's program and waits until it is ready. It is stopped however this process dies (guard.ts); if that
 * was not possible, stopOrphan() finds it. If it throws, with the end of the log, nothing of the server is running.
 */
export async function startServerProcess(program: ServerProgram): Promise<ServerProcess> {
  const { label, file, args, cwd, env, account, input, readyWithinMs = 60_000, signals = terminate } = program;
  if ((account?.uid ?? process.getuid?.()) === 0) throw new DynoError('internal', `${label} would run as root.`);
  const log = openSync(program.log, 'w', 0o600);
  // The server gets a group of its own: Ctrl-C in the terminal must not reach it before its users are done.
  const child = spawn(file, [...args], {
    cwd,
    env,
    stdio: [input === undefined ? 'ignore' : 'pipe', log, log],
    detached: true,
    windowsHide: true,
    ...account,
  });
  closeSync(log);
  let running = true;
  let problem = '';
  const gone = new Promise<void>((resolve) => {
    const end = (error?: unknown) => {
      running = false;
      if (error instanceof Error) problem = error.message;
      resolve();
    };
    child.on('error', end);
    child.on('exit', () => end());
  });
  child.stdin?.on('error', () => {}); // The server died before reading; `gone` has the reason.
  child.stdin?.end(input);
  const said = () => [problem, readFileSync(program.log, 'utf8')].filter(Boolean).join('\n');
  const failed = program.failed ?? ((what, words) => serverError(what, words));
  const pid = child.pid;
  if (pid === undefined) {
    await gone;
    throw failed(`${label} could not be started`, said());
  }
  noteServer(cwd, { pid, file, signals });
  const dismissGuard = guard(pid, signals);
  void gone.then(dismissGuard);
  const stop = () => stopProcess(pid, () => running, signals);
  const deadline = performance.now() + readyWithinMs;
  while (!(await ready(program, pid))) {
    if (!running) throw failed(`${label} could not be started`, said());
    if (performance.now() > deadline) {
      await stop();
      throw failed(`${label} was not ready within ${readyWithinMs / 1000} s`, said());
    }
    await sleep(20);
  }
  // Somebody else may be listening on its port.
  if (!running) throw failed(`${label} could not be started`, said());
  return { pid, gone, stop, [Symbol.asyncDispose]: stop };
}

async function ready(program: ServerProgram, pid: number): Promise<boolean> {
  try {
    return await program.isReady(pid);
  } catch {
    return false;
  }
}

/**
 * The part of this process's environment that a server needs: nothing that redirects it (PGDATA, MYSQL_HOME,
 * LD_PRELOAD…).
 */
export function serverEnvironment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP, TMP } = process.env;
  return {
    ...(PATH && { PATH }),
    ...(SystemRoot && { SystemRoot }),
    ...(TEMP && { TEMP }),
    ...(TMP && { TMP }),
    LC_ALL: 'C',
    TZ: 'UTC',
    ...more,
  };
}
