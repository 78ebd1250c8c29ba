import { fork } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DynoError } from '#model/error.ts';
import { localHostName } from '#model/load-hosts.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { nodeProgram } from '#platform/node-program.ts';
import type { ToHost } from '#protocol/messages.ts';
import type { LoadHost, WorkerChannel, WorkerListener } from './load-host.ts';
import { processorTimes } from './machine-facts.ts';

const workerFile = fileURLToPath(new URL('../worker.ts', import.meta.url));
/** Descriptor of the pipe whose end tells a worker that this process has ended (runner/process/host-watch.ts). */
const hostPipe = 4;
const stderrTail = 4_000;

/** This machine: workers are forked processes, which end with this one. */
export const localHost: LoadHost = {
  name: localHostName,
  cores: Math.max(1, cpus().length),
  clock: null,
  get processors() {
    return processorTimes();
  },
  startWorker: forkWorker,
};

function forkWorker(listener: WorkerListener): WorkerChannel {
  const child = fork(workerFile, [String(hostPipe)], {
    serialization: 'advanced',
    execPath: nodeProgram(),
    execArgv: [],
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
  });
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-stderrTail);
  });
  child.stdio[hostPipe]?.on('error', () => {}); // It breaks when the worker dies; 'close' says why.
  child.on('error', (error) =>
    listener.failed(new DynoError('workerGone', `The worker process failed: ${error.message}`)),
  );
  child.on('message', (raw) => listener.message(raw as ToHost));
  // 'close' comes after stderr is drained, so that the last words are in it.
  child.on('close', (code, signal) => listener.closed({ code, signal, stderr }));
  return {
    pid: child.pid ?? 0,
    get hasEnded() {
      return child.exitCode !== null || child.signalCode !== null;
    },
    send(message) {
      // A worker that just died makes send() fail; its 'close' tells why, so the failed send says nothing new.
      if (child.connected) child.send(message, () => {});
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
