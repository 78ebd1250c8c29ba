import { findBuiltIn } from '#engines/catalog.ts';
import { DynoError } from '#model/error.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome, ensureReadableHome, type Home } from '#platform/paths.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { markOf } from '#workspace/connections/production-hosts.ts';
import { type Command, text, texts } from '../command.ts';
import { builtInNames, unknownTarget } from '../targets/find-target.ts';
import type { RunLimits } from './agent-runs.ts';

const usualMinutes = 10;
const mostMinutes = 24 * 60;

/** `dyno mcp`: serves an AI agent over the Model Context Protocol. */
export const mcpCommand: Command = {
  name: 'mcp',
  arguments: '',
  summary:
    'Serves an AI agent over the Model Context Protocol (MCP) on standard input and output: it checks experiments and reads results and, if you allow it, runs experiments.',
  help: 'The client of the AI agent starts this command (docs/mcp.md). Without --allow-runs the agent can only read. An agent’s own text, and an untrusted file, run only on built-in targets; nothing runs on a production connection.',
  options: {
    'allow-runs': { type: 'boolean', about: 'Lets the agent run experiments, one at a time.' },
    targets: {
      type: 'string',
      multiple: true,
      about:
        'With --allow-runs: the targets of these runs, built in or connections of yours (separated by commas, repeatable). Default: all built-in targets.',
    },
    'max-minutes': {
      type: 'string',
      about: `With --allow-runs: the longest time of a run. Default: ${usualMinutes}.`,
      problem: (value) =>
        Number(value) > 0 && Number(value) <= mostMinutes ? null : `takes a number above 0, at most ${mostMinutes}.`,
    },
  },
  takes: [0, 0],
  async run({ home, values, note }) {
    const [named, written] = [texts(values, 'targets'), text(values, 'max-minutes')];
    const allowsRuns = values['allow-runs'] === true;
    if (!allowsRuns && (named.length > 0 || written !== undefined)) {
      note('--targets and --max-minutes go with --allow-runs.');
      return exitCodes.usage;
    }
    if (allowsRuns) ensureHome(home);
    else ensureReadableHome(home);
    const limits: RunLimits | null = allowsRuns
      ? { allowed: allowedTargets(home, named), minutes: Number(written ?? usualMinutes) }
      : null;
    // The SDK costs other commands nothing.
    const { serveAgent } = await import('./server.ts');
    await serveAgent(home, limits, note);
    return exitCodes.ok;
  },
};

/**
 * The names of the targets in the option. Throws 'badInput' for a name that is none, and for a connection to a
 * production server, because nobody is there to confirm it.
 */
function allowedTargets(home: Home, named: readonly string[]): readonly string[] {
  if (named.length === 0) return builtInNames();
  const list = openConnectionStore(home).list();
  const { connections } = list;
  const wanted = named.flatMap((one) => one.split(',')).map((one) => one.trim());
  for (const name of wanted) {
    if (findBuiltIn(name)) continue;
    const connection = connections.find((one) => one.name === name);
    if (connection === undefined) throw unknownTarget(name, list);
    if (markOf(connection, connections))
      throw new DynoError('badInput', `“${name}” leads to a production server, where an AI agent may run nothing.`);
  }
  return [...new Set(wanted)];
}
