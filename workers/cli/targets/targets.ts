import { catalog, findEngine } from '#engines/catalog.ts';
import { missingTargets } from '#managed-servers/servers/kinds.ts';
import { commandOf, passwordVariable } from '#model/connections.ts';
import { formatCount } from '#model/format/format.ts';
import { limitsOf, type Production, protectionOf } from '#model/production.ts';
import { oneLine } from '#model/text/printable.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureReadableHome } from '#platform/paths.ts';
import { lastCheck } from '#workspace/connections/connection-checks.ts';
import { judgeConnection } from '#workspace/connections/connection-draft.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { type Command, jsonOption } from '../command.ts';
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
    const builtIn = await builtInTargets();
    if (problem) note(problem);
    if (values.json) printJson({ connections: mine, builtIn, problem });
    else {
      const width = Math.max(...mine.map(({ name }) => name.length), ...builtIn.map(({ target }) => target.length));
      const engineWidth = Math.max(...catalog.map(({ descriptor }) => descriptor.id.length));
      const line = (name: string, engine: string, rest: string) =>
        print(`${oneLine(name).padEnd(width)}  ${engine.padEnd(engineWidth)}  ${oneLine(rest)}`);
      for (const { name, engine, address, problem: wrong, variables, passwords, group, production } of mine) {
        const programs = Object.values(passwords).flatMap((place) => commandOf(place)?.[0] ?? []);
        line(
          name,
          engine,
          [
            address ?? wrong ?? '',
            ...(variables.length > 0 ? [`password from ${variables.join(', ')}`] : []),
            ...programs.map((program) => `password printed by ${program}`),
            ...(group === undefined ? [] : [`group ${group}`]),
            ...(production === undefined ? [] : [protectionLine(production, engine)]),
          ].join('; '),
        );
      }
      for (const { target, engine, about, missing: lack } of builtIn)
        line(
          target,
          engine,
          lack ? `built in, missing on this machine: ${lack.what} To fix: ${lack.fix}` : `built in: ${about}`,
        );
      const notices = noticesOf([...mine, ...builtIn].map(({ engine }) => engine));
      if (notices.length > 0) print(['', 'Notes:', ...notices.map((notice) => `  ${notice}`)].join('\n'));
    }
    return exitCodes.ok;
  },
};
