import { join } from 'node:path';
import { ensureInstalled } from './install.mjs';
import { missingLibraries } from './libraries.mjs';
import { root, run, say } from './project.mjs';
import { ensureRuntime } from './runtime.mjs';

/** Runs workers/cli.ts with these arguments; resolves with its exit code. */
export async function runCli(args) {
  await ensureInstalled();
  return (await runUnderNode(await chooseRuntime(), [join(root, 'workers/cli.ts'), ...args], { cwd: userDir() })).code;
}

/** A Node program on any runtime: Electron is told to be Node, and keeps quiet about node:sqlite being experimental. */
export const runUnderNode = (runtime, args, options = {}) =>
  run(runtime, args, {
    ...options,
    env: { NODE_NO_WARNINGS: '1', ...options.env, ELECTRON_RUN_AS_NODE: '1' },
  });

/** Electron's Node, so that headless figures compare with the window's; a plain Node ≥ 24 on request or where Electron cannot start. */
async function chooseRuntime() {
  const plainNodeWorks = Number(process.versions.node.split('.')[0]) >= 24;
  if (process.env.DYNO_RUNTIME === 'node') {
    if (plainNodeWorks) return process.execPath;
    throw new Error(`DYNO_RUNTIME=node needs Node 24 or newer; this is ${process.version}.`);
  }
  const electron = await ensureRuntime();
  const problem = await missingLibraries(electron);
  if (problem === null) return electron;
  if (!plainNodeWorks) throw new Error(problem);
  say(`${problem}\nRunning on Node ${process.version} instead.`);
  return process.execPath;
}

/** Where the user typed the command: `npm run` changes into the project's folder first. */
const userDir = () => (process.env.npm_lifecycle_event === 'dyno' && process.env.INIT_CWD) || process.cwd();
