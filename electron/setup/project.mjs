// The scripts of package.json. Everything in this folder is plain JavaScript for Node ≥ 20 without dependencies,
// because it runs before anything is installed. Each script is one file: start.mjs, dyno.mjs, test.mjs, bench.mjs,
// pictures.mjs.
import { spawn } from 'node:child_process';
import { constants, homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** The folder of downloads that outlive a checkout. */
export const cacheDir = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'dyno');

/**
 * Folder of Node's compile cache, with which a worker starts 60 ms sooner. It belongs to the user, because anybody who
 * can write to it can run code as the user; Node's default is the shared temporary folder.
 */
const compileCache = process.env.NODE_COMPILE_CACHE || join(cacheDir, 'compiled');

/** True for root, the only user for whom Dyno installs system packages. */
export const isRoot = process.getuid?.() === 0;

/** Prints a line for the user on stderr; stdout is for data (`--json`). */
export const logToStderr = (line) => process.stderr.write(`${line}\n`);

/**
 * Runs a program, by default in the project's folder, and resolves with its exit code, or with 128 + n after signal n.
 * `capture` collects what it prints instead of showing it: `output` holds stdout and stderr, `stdout` only the former.
 * `onOutput` receives each chunk.
 */
export function run(
  file,
  args,
  { env = {}, capture = false, cwd = root, shell = false, onOutput = (_chunk) => {} } = {},
) {
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

/** Runs npm: the one that started this script, else the one on the PATH. */
export const npm = (args, options) =>
  process.env.npm_execpath?.endsWith('.js')
    ? run(process.execPath, [process.env.npm_execpath, ...args], options)
    : process.platform === 'win32'
      ? run('npm.cmd', args, { ...options, shell: true }) // Node starts batch files only through a shell.
      : run('npm', args, options);

const signalCode = (signal) => 128 + constants.signals[signal];

/**
 * Forwards signals to the child. A terminal sends Ctrl+C to the child itself, too, where a second one would end the run
 * at once; other signals reach this process only.
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
