import { catalog, findEngine } from '#engines/catalog.ts';
import { missingTargets } from '#managed-servers/servers/kinds.ts';
import { commandOf, passwordVariable } from '#model/connections.ts';
import { formatCount } from '#model/format/format.ts';
import { limitsOf, type Production, protectionOf } from '#model/production.ts';
import { oneLine } from '#model/text/printable.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureReadableHome, type Home } from '#platform/paths.ts';
import { lastCheck } from '#workspace/connections/connection-checks.ts';
import { judgeConnection } from '#workspace/connections/connection-draft.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { type Command, type CommandContext, jsonOption } from '../command.ts';
import { noticesOf } from './notices.ts';

/** The built-in targets of all engines, with what is missing on this machine. */
export async function builtInTargets() {
  const missing = await missingTargets();
  return catalog.flatMap(({ descriptor }) =>
    descriptor.builtIn.map((one) => ({
      engine: descriptor.id,
      ...one,
      notice: descriptor.notice ?? null,
      missing: missing[one.target] ?? null,
    })),
  );
}

/** The protection of a production connection, for a line of a list. */
export function protectionLine(production: Production, engine: string): string {
  const { maxConnections, maxPerSecond } = limitsOf(production);
  const protection = protectionOf(production, findEngine(engine)?.descriptor ?? {});
  return `production, ${protection}, at most ${formatCount(maxConnections)} connections and ${formatCount(maxPerSecond)} statements/s`;
}

/** A line of the list, as its columns. */
type Line = readonly [name: string, engine: string, rest: string];

/** The saved connections with their addresses and the places of their passwords, and the line of each. */
function savedConnections(home: Home) {
  const { connections, problem } = openConnectionStore(home).list();
  const mine = connections.map((connection) => {
    const { address, problems } = judgeConnection(connection);
    return {
      ...connection,
      address,
      problem: problems[0]?.message ?? null,
      notice: findEngine(connection.engine)?.descriptor.notice ?? null,
      variables: Object.entries(connection.passwords)
        .filter(([, place]) => commandOf(place) === null)
        .map(([field]) => passwordVariable(connection, field)),
      lastCheck: lastCheck(home, connection.id),
    };
  });
  const lines = mine.map(({ name, engine, address, problem: wrong, variables, passwords, group, production }): Line => {
    const programs = Object.values(passwords).flatMap((place) => commandOf(place)?.[0] ?? []);
    const parts = [
      address ?? wrong ?? '',
      ...(variables.length > 0 ? [`password from ${variables.join(', ')}`] : []),
      ...programs.map((program) => `password printed by ${program}`),
      ...(group === undefined ? [] : [`group ${group}`]),
      ...(production === undefined ? [] : [protectionLine(production, engine)]),
    ];
    return [name, engine, parts.join('; ')];
  });
  return { mine, lines, problem };
}

/** Prints the lines in columns, and below them the notices of their engines. */
function printLines(lines: readonly Line[], print: CommandContext['print']): void {
  const [width, engineWidth] = [0, 1].map((at) => Math.max(...lines.map((line) => line[at]!.length)));
  for (const [name, engine, rest] of lines)
    print(`${oneLine(name).padEnd(width!)}  ${engine.padEnd(engineWidth!)}  ${oneLine(rest)}`);
  const notices = noticesOf(lines.map(([, engine]) => engine));
  if (notices.length > 0) print(['', 'Notes:', ...notices.map((notice) => `  ${notice}`)].join('\n'));
}

/** Lists the saved connections alone. */
export function listConnections({ home, values, print, printJson, note }: CommandContext): number {
  ensureReadableHome(home);
  const { mine, lines, problem } = savedConnections(home);
  if (problem) note(problem);
  if (values.json) printJson(mine);
  else if (lines.length === 0) print('There are no connections yet: dyno connections import FILE');
  else printLines(lines, print);
  return exitCodes.ok;
}

/** `dyno targets`: lists connections and built-in targets. */
export const targetsCommand: Command = {
  name: 'targets',
  arguments: '',
  summary: 'Lists the targets that experiments can name: your connections and the built-in targets.',
  help: 'Create connections in the window or with `dyno connections import`. The command line reads their passwords from environment variables; the list names the variables.',
  options: jsonOption,
  takes: [0, 0],
  async run({ home, values, print, printJson, note }) {
    ensureReadableHome(home);
    const { mine, lines, problem } = savedConnections(home);
    const builtIn = await builtInTargets();
    if (problem) note(problem);
    if (values.json) printJson({ connections: mine, builtIn, problem });
    else
      printLines(
        [
          ...lines,
          ...builtIn.map(
            ({ target, engine, about, missing: lack }): Line => [
              target,
              engine,
              lack ? `built in, missing on this machine: ${lack.what} To fix: ${lack.fix}` : `built in: ${about}`,
            ],
          ),
        ],
        print,
      );
    return exitCodes.ok;
  },
};
