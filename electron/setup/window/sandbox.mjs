import { fileURLToPath } from 'node:url';
import { run } from '../project.mjs';

const script = fileURLToPath(new URL('../../package/command-line/sandbox-problem', import.meta.url));

/** The reason why Chromium's sandbox cannot start for this user, with the remedy; null if it can, and for root. */
export async function sandboxProblem(executable) {
  if (process.platform !== 'linux') return null;
  const { code, output } = await run('sh', [script, executable], { capture: true });
  if (code === 0) return null;
  return `${output.trim()}\nThe command line works without this: npm run --silent dyno -- --help`;
}
