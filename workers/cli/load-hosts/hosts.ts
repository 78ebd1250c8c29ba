import { storedKeys } from '#load-hosts/bus/stored-keys.ts';
import { AgentHost } from '#load-hosts/coordinator/agent-host.ts';
import { openLoadHosts } from '#load-hosts/coordinator/open-load-hosts.ts';
import { DynoError } from '#model/error.ts';
import { formatBytes, formatCount, formatMs, formatRate } from '#model/format/format.ts';
import type { SavedLoadHost } from '#model/load-hosts.ts';
import { type Ssh, sshText } from '#model/ssh.ts';
import { loadHostVersion } from '#orchestrator/worker/load-host-version.ts';
import { measureNoopEngine } from '#orchestrator/worker/noop-rate.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome, ensureReadableHome } from '#platform/paths.ts';
import { loadHosts, removeLoadHost, requireLoadHosts, saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import { type Command, type CommandContext, jsonOption, text, type Values } from '../command.ts';
import { onInterrupt } from '../interrupt.ts';

type Action = (context: CommandContext, names: readonly string[]) => number | Promise<number>;

const actions: Readonly<Record<string, Action>> = { list, add, remove, test, key };

/** `dyno hosts`: the machines that load can come from. */
export const hostsCommand: Command = {
  name: 'hosts',
  arguments: `${Object.keys(actions).join('|')} [NAME]`,
  summary: 'Load hosts: the machines beside this one that load can come from (`loadFrom` in an experiment).',
  help: [
    'list     The load hosts.',
    'add      Adds NAME, or writes over it: --ssh for a host that Dyno may log in to, or --nats and --agent for a running `dyno agent`.',
    'remove   Forgets NAME.',
    'test     Connects to NAME as a run does, and says what it finds; then takes everything away.',
    'key      Prints the public key of this coordinator, for `dyno agent --trust`.',
    '',
    'Over SSH a run copies this Dyno to the host, starts the agent there, and deletes both at its end. It needs sh and tar there, and a',
    'login without a question; `ssh` reads ~/.ssh/config and known_hosts as always. No port of any host is opened.',
  ].join('\n'),
  options: {
    ssh: { type: 'string', about: 'add: [user@]host[:port], or a Host of ~/.ssh/config.' },
    'identity-file': { type: 'string', about: 'add --ssh: path of a private key.' },
    jump: { type: 'string', about: 'add --ssh: jump hosts with commas between them, as ssh -J takes them.' },
    nats: { type: 'string', about: 'add: nats://host:port or tls://host:port of the bus that the agent hears.' },
    creds: { type: 'string', about: 'add --nats: the coordinator’s credentials file.' },
    agent: { type: 'string', about: 'add --nats: the agent’s public key, which it prints.' },
    ...jsonOption,
  },
  takes: [1, 2],
  async run(context) {
    const [name = '', ...names] = context.positionals;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) {
      context.note(`dyno hosts: “${name}” is none of ${Object.keys(actions).join(', ')}.`);
      return exitCodes.usage;
    }
    return action(context, names);
  },
};

function list({ home, values, print, printJson }: CommandContext): number {
  ensureReadableHome(home);
  const hosts = loadHosts(home);
  if (values.json) printJson(hosts);
  else if (hosts.length === 0) print('There are no load hosts yet: dyno hosts add load1 --ssh user@load1');
  else for (const host of hosts) print(`${host.name}  ${placeOf(host)}`);
  return exitCodes.ok;
}

const placeOf = (host: SavedLoadHost): string =>
  'ssh' in host
    ? `over SSH: ${sshText(host.ssh)}${host.ssh.jump ? `, jump hosts ${host.ssh.jump}` : ''}`
    : `agent ${host.agent} on ${host.nats}`;

function add({ home, values, print }: CommandContext, names: readonly string[]): number {
  ensureHome(home);
  const host = hostOf(requiredName(names), values);
  saveLoadHost(home, host);
  print(`${host.name}  ${placeOf(host)}`);
  return exitCodes.ok;
}

function hostOf(name: string, values: Values): SavedLoadHost {
  const ssh = text(values, 'ssh');
  const nats = text(values, 'nats');
  const agent = text(values, 'agent');
  const credentials = text(values, 'creds');
  if (ssh !== undefined && nats === undefined)
    return {
      name,
      ssh: {
        ...sshOf(ssh),
        ...given('identityFile', text(values, 'identity-file')),
        ...given('jump', text(values, 'jump')),
      },
    };
  if (nats !== undefined && agent !== undefined && ssh === undefined)
    return { name, nats, agent, ...(credentials !== undefined && { credentials }) };
  throw new DynoError('badInput', 'A load host has --ssh, or --nats and --agent.');
}

const given = <K extends string>(name: K, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: string };

function sshOf(written: string): Ssh {
  const [, user, host = written, port] = /^(?:([^@]+)@)?(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(written) ?? [];
  return {
    host: host.replace(/^\[|\]$/g, ''),
    ...(user !== undefined && { user }),
    ...(port !== undefined && { port: Number(port) }),
  };
}

function remove({ home, print }: CommandContext, names: readonly string[]): number {
  ensureHome(home);
  const name = requiredName(names);
  removeLoadHost(home, name);
  print(`${name}: forgotten`);
  return exitCodes.ok;
}

async function test(
  { home, values, print, printJson, note }: CommandContext,
  names: readonly string[],
): Promise<number> {
  ensureHome(home);
  const name = requiredName(names);
  const stop = new AbortController();
  using _ = onInterrupt(() => stop.abort());
  await using hosts = openLoadHosts({
    saved: requireLoadHosts(home, [name]),
    engines: [],
    keys: () => storedKeys(home, 'coordinator'),
    version: loadHostVersion,
    folder: home.state,
    onActivity: note,
  });
  const [host] = await hosts.use([name], stop.signal);
  if (!(host instanceof AgentHost)) throw new DynoError('internal', `${name} has no agent.`);
  note(`Calibrating ${name}`);
  const { perSecond } = await measureNoopEngine(stop.signal, host);
  const { facts, clock } = host;
  const { errorMs, roundTripMs, wallOffMs } = clock;
  if (values.json) {
    const { key: _key, refusal: _refusal, ...machine } = facts;
    printJson({
      name,
      ...machine,
      roundTripMs,
      clockErrorMs: errorMs,
      wallClockOffMs: wallOffMs,
      callsPerSecond: perSecond,
    });
  } else {
    print(
      `${name}: ${facts.host}, ${facts.os}, ${formatCount(facts.cores)} × ${facts.cpu}, ${formatBytes(facts.memoryBytes)}, Node ${facts.node}`,
    );
    print(`  round trip  ${formatMs(roundTripMs)}; times of its clock are off by ${formatMs(errorMs)} at most`);
    print(
      `  wall clock  ${formatMs(Math.abs(wallOffMs))} ${wallOffMs < 0 ? 'behind' : 'ahead of'} this machine’s; no measurement depends on it`,
    );
    print(`  calibration ${formatRate(perSecond, 'calls/s')} of an engine that does nothing, one process`);
  }
  return exitCodes.ok;
}

async function key({ home, print }: CommandContext): Promise<number> {
  ensureHome(home);
  print((await storedKeys(home, 'coordinator')).publicKey);
  return exitCodes.ok;
}

function requiredName(names: readonly string[]): string {
  const [name] = names;
  if (name === undefined) throw new DynoError('badInput', 'Which load host? Write its name.');
  return name;
}
