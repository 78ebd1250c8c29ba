import { join } from 'node:path';
import { runUnderNode } from './node.mjs';
import { root } from './project.mjs';

/** Runs workers/cli.ts with these arguments; resolves with its exit code. */
export const runCli = async (node, args) =>
  (await runUnderNode(node, [join(root, 'workers/cli.ts'), ...args], { cwd: userDir() })).code;

/** The folder in which the user typed the command, because `npm run` changes into the project's folder first. */
const userDir = () => (process.env.npm_lifecycle_event === 'dyno' && process.env.INIT_CWD) || process.cwd();
