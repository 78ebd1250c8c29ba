import { cliFile, ensureProgramsBuilt } from './build.mjs';
import { runUnderNode } from './node.mjs';

/** Runs the command line with these arguments; resolves with its exit code. */
export async function runCli(node, args) {
  await ensureProgramsBuilt(node);
  return (await runUnderNode(node, [cliFile, ...args], { cwd: userDir() })).code;
}

/** The folder in which the user typed the command, because `npm run` changes into the project's folder first. */
const userDir = () => (process.env.npm_lifecycle_event === 'dyno' && process.env.INIT_CWD) || process.cwd();
