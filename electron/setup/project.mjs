// Everything in this folder is plain JavaScript for Node ≥ 20 with built-ins only: it runs before anything is installed.
import { spawn } from 'node:child_process';
import { constants, homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where downloads that outlive a checkout are kept. */
export const cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'dyno');

/**
 * Where Node keeps compiled code: a worker starts 60 ms sooner with it. In a folder of the user's own, because whoever can write there can
 * make us run what he likes, and Node's default is in the shared temporary folder.
 */
const compileCache = process.env.NODE_COMPILE_CACHE || join(cacheDir, 'compiled');

/** True where our user may do everything; only then are system packages installed. */
export const isRoot = process.getuid?.() === 0;

/** A line for the user; on stderr, because stdout may be somebody's data (`--json`). */
export const say = (line) => process.stderr.write(`${line}\n`);

/**
 * Runs a program (in the project's folder unless told otherwise) and resolves with its exit code, 128 + n after a signal.
 * `capture` collects what it prints (`output`; `stdout` without what went to stderr) instead of showing it; `onOutput` hears each part of it.
 */
export function run(file, args, { env = {}, capture = false, cwd = root, shell = false, onOutput = () => {} } = {}) {
  return new Promise((done, failed) => {
    const child = spawn(file, args, {
      cwd,
      shell,
      env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...env },
      stdio: capture ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    });
    let output = '';
    let stdout = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
      stdout += chunk;
      onOutput(String(chunk));
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
      onOutput(String(chunk));
    });
    child.on('error', failed);
    child.on('close', (code, signal) => done({ code: code ?? signalCode(signal), output, stdout }));
    forwardSignals(child);
  });
}

/** npm's own script where npm started us, else `npm` on the path. */
export const npm = (args, options) =>
  process.env.npm_execpath?.endsWith('.js')
    ? run(process.execPath, [process.env.npm_execpath, ...args], options)
    : process.platform === 'win32'
      ? run('npm.cmd', args, { ...options, shell: true }) // Node starts batch files only through a shell.
      : run('npm', args, options);

const signalCode = (signal) => 128 + constants.signals[signal];

/**
 * A terminal sends Ctrl+C to the whole group, so the child has it already; passing it on as well would count as the second, impatient
 * one. Everything else reaches only us.
 */
function forwardSignals(child) {
  const forward = (signal) => {
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, forward);
  child.on('close', () => {
    for (const signal of signals) process.off(signal, forward);
  });
}
