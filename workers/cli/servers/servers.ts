import { installables } from '#managed-servers/install/install.ts';
import type { ServerKind } from '#managed-servers/process/server-kind.ts';
import { type ServerStatus, serverStatus } from '#managed-servers/server-status.ts';
import { kinds, requireKind, usualKinds } from '#managed-servers/servers/kinds.ts';
import { resetServer, stopServer } from '#managed-servers/supervisor-client.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureReadableHome } from '#platform/paths.ts';
import { type Action, type Command, type CommandContext, runAction } from '../command.ts';
import { installTools } from './servers-install.ts';
import { startServers } from './servers-start.ts';

/** Runs an action for the named servers; without names for `defaults`. */
const onServers =
  (
    act: (context: CommandContext, chosen: readonly ServerKind[]) => Promise<number>,
    defaults: readonly ServerKind[] = kinds,
  ): Action =>
  async (context, names) => {
    ensureReadableHome(context.home);
    return act(context, names.length > 0 ? [...new Set(names.map(requireKind))] : defaults);
  };

const actions: Readonly<Record<string, Action>> = {
  status: onServers(status),
  start: onServers(startServers, usualKinds),
  stop: onServers(stop),
  reset: onServers(reset),
  install: installTools,
};

const tools = installables.map(({ name }) => name);

/** `dyno servers`: manages the built-in servers. */
export const serversCommand: Command = {
  name: 'servers',
  arguments: `[${Object.keys(actions).join('|')}] [SERVER…]`,
  summary: 'Manages the servers that Dyno can start itself: status, start, stop, reset, install.',
  help: [
    `SERVER is the name of a built-in target or its engine (${kinds.map(({ id }) => id).join(', ')}). Without a name, the command applies to all servers; start and install then leave out the servers with @VERSION.`,
    '',
    'status   Shows for each server whether it runs, is stopped, or is missing, and how to get a missing one. `dyno servers` alone does the same.',
    'start    Starts servers, keeps them running until Ctrl-C or `dyno servers stop`, and prints how to connect to them. A run starts its servers itself.',
    'stop     Stops servers even while runs use them.',
    'reset    Deletes the data of servers. The next start creates new data.',
    'install  Downloads what the registries of npm, Python and Maven have into the user’s cache, verifies pinned checksums, and names',
    `         the system packages that are missing. It also takes names of tools: ${tools.join(', ')}.`,
    '',
    'All servers listen on 127.0.0.1 only, have a new password at each start, and stop when nothing uses them.',
  ].join('\n'),
  options: {
    json: { type: 'boolean', about: 'status, start: as JSON.' },
    'show-passwords': {
      type: 'boolean',
      about: 'start: prints the passwords instead of the path of the file that contains them.',
    },
  },
  takes: [0, 1 + kinds.length + installables.length],
  run: runAction('servers', actions),
};

async function status(
  { home, values, print, printJson }: CommandContext,
  chosen: readonly ServerKind[],
): Promise<number> {
  const found = await Promise.all(chosen.map((kind) => serverStatus(home, kind)));
  if (values.json) printJson(found);
  else {
    const width = Math.max(...found.map(({ kind }) => kind.length));
    for (const one of found) {
      const [first, ...rest] = statusLines(one);
      print(`${one.kind.padEnd(width)}  ${one.state.padEnd(8)}  ${first}`);
      for (const line of rest) print(`${' '.repeat(width + 12)}${line}`);
    }
  }
  return exitCodes.ok;
}

function statusLines({ label, installed, missing, server, state }: ServerStatus): readonly string[] {
  if (missing)
    return [missing.what.startsWith(label) ? missing.what : `${label}: ${missing.what}`, `To fix: ${missing.fix}`];
  if (state === 'hung')
    return [`${label}: its supervisor does not answer; end the process with “supervisor” in its command line`];
  if (!server) return [installed === null ? label : `${label}: ${installed}`];
  const { port, serverPid, supervisorPid, users, dataFolder } = server;
  return [
    `${label} on 127.0.0.1:${port ?? '–'}, ${users} user${users === 1 ? '' : 's'}`,
    `pid ${serverPid ?? '–'}, supervisor pid ${supervisorPid}, data in ${dataFolder}`,
  ];
}

async function stop({ home, print }: CommandContext, chosen: readonly ServerKind[]): Promise<number> {
  const stopped = await Promise.all(chosen.map((kind) => stopServer(home, kind)));
  chosen.forEach(({ id }, index) => {
    print(`${id}: ${stopped[index] ? 'stopped' : 'was not running'}`);
  });
  return exitCodes.ok;
}

async function reset({ home, print }: CommandContext, chosen: readonly ServerKind[]): Promise<number> {
  for (const kind of chosen)
    print(
      (await resetServer(home, kind))
        ? `${kind.id}: its data is deleted; the next use makes a new one`
        : `${kind.id}: has no data`,
    );
  return exitCodes.ok;
}
