import { resolve } from 'node:path';
import { DynoError } from '#model/error.ts';
import { type LoadHostReport, loadHostStepTitles } from '#model/load-host-check.ts';
import { loadHostPlace, type SavedLoadHost } from '#model/load-hosts.ts';
import { sshOf } from '#model/ssh.ts';
import { checkLoadHost, coordinatorKey } from '#orchestrator/check/check-load-host.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome, ensureReadableHome } from '#platform/paths.ts';
import { forgetHostCheck, noteHostCheck } from '#workspace/load-hosts/load-host-checks.ts';
import { loadHosts, removeLoadHost, requireLoadHosts, saveLoadHost } from '#workspace/load-hosts/load-host-store.ts';
import {
  type Action,
  type Command,
  type CommandContext,
  jsonOption,
  runAction,
  text,
  type Values,
} from '../command.ts';
import { onInterrupt } from '../interrupt.ts';
import { printSteps } from '../step-line.ts';

const actions: Readonly<Record<string, Action>> = { list, add, remove, test, key };

/** `dyno hosts`: the machines that can make load. */
export const hostsCommand: Command = {
  name: 'hosts',
  arguments: `[${Object.keys(actions).join('|')}] [NAME]`,
  summary: 'Manages load hosts: other machines that generate load (`loadFrom` in an experiment).',
  help: [
    'list     Lists the load hosts. `dyno hosts` alone does the same.',
    'add      Adds or replaces NAME: use --ssh for a host that Dyno can log in to, or --nats and --agent for a running `dyno agent`.',
    'remove   Removes NAME.',
    'test     Connects to NAME step by step as a run does, reports the step that fails, and removes everything that it copied.',
    'key      Prints the public key of this coordinator for `dyno agent --trust`.',
    '',
    'With SSH, a run copies this Dyno to the host, starts the agent there, and deletes both at its end. The host needs sh and tar, and a',
    'login that asks no question. `ssh` reads ~/.ssh/config and known_hosts as usual. Dyno opens no port on any host.',
  ].join('\n'),
  options: {
    ssh: { type: 'string', about: 'add: address as [user@]host[:port], or a Host of ~/.ssh/config.' },
    'identity-file': { type: 'string', about: 'add --ssh: path of a private key.' },
    jump: { type: 'string', about: 'add --ssh: jump hosts, separated by commas, as for ssh -J.' },
    nats: {
      type: 'string',
      about: 'add: address of the NATS server that the agent uses, nats://host:port or tls://host:port.',
    },
    creds: {
      type: 'string',
      about: 'add --nats: path of the coordinator’s credentials file, or the seed of its NKey.',
    },
    ca: { type: 'string', about: 'add --nats: path of the CA certificates (PEM) of the NATS server.' },
    agent: { type: 'string', about: 'add --nats: public key that the agent prints at its start.' },
    ...jsonOption,
  },
  takes: [0, 2],
  run: runAction('hosts', actions),
};

function list({ home, values, print, printJson }: CommandContext): number {
  ensureReadableHome(home);
  const hosts = loadHosts(home);
  if (values.json) printJson(hosts);
  else if (hosts.length === 0) print('There are no load hosts yet: dyno hosts add load1 --ssh user@load1');
  else for (const host of hosts) print(`${host.name}  ${loadHostPlace(host)}`);
  return exitCodes.ok;
}

function add({ home, values, print }: CommandContext, names: readonly string[]): number {
  ensureHome(home);
  const host = hostOf(requiredName(names), values);
  saveLoadHost(home, host);
  forgetHostCheck(home, host.name);
  print(`${host.name}  ${loadHostPlace(host)}`);
  return exitCodes.ok;
}

function hostOf(name: string, values: Values): SavedLoadHost {
  const ssh = text(values, 'ssh');
  const nats = text(values, 'nats');
  const agent = text(values, 'agent');
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
    return {
      ...{ name, nats, agent },
      ...given('credentials', pathOf(values, 'creds')),
      ...given('ca', pathOf(values, 'ca')),
    };
  throw new DynoError('badInput', 'A load host has --ssh, or --nats and --agent.');
}

/** A path is made absolute, so that it works in every folder. */
function pathOf(values: Values, name: string): string | undefined {
  const path = text(values, name);
  return path === undefined ? undefined : resolve(path);
}

const given = <K extends string>(name: K, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: string };

function remove({ home, print }: CommandContext, names: readonly string[]): number {
  ensureHome(home);
  const name = requiredName(names);
  removeLoadHost(home, name);
  forgetHostCheck(home, name);
  print(`${name}: forgotten`);
  return exitCodes.ok;
}

async function test({ home, values, print, printJson }: CommandContext, names: readonly string[]): Promise<number> {
  ensureHome(home);
  const name = requiredName(names);
  const [host] = requireLoadHosts(home, [name]);
  if (!host) throw new DynoError('internal', `${name} is not there.`);
  const stop = new AbortController();
  using _ = onInterrupt(() => stop.abort());
  const onChange = values.json ? () => {} : printSteps(loadHostStepTitles, print);
  const report = await checkLoadHost({ home, host, signal: stop.signal, onChange });
  noteHostCheck(home, name, report);
  if (values.json) printJson({ name, ...report });
  else print(summaries[report.state](name));
  return report.state === 'cancelled'
    ? exitCodes.cancelled
    : report.state === 'failed'
      ? exitCodes.targetUnreachable
      : exitCodes.ok;
}

const works = (name: string) => `${name} works; nothing of the test is left there.`;
const summaries: Readonly<Record<LoadHostReport['state'], (name: string) => string>> = {
  ok: works,
  limited: works,
  failed: (name) => `${name} cannot be used yet.`,
  cancelled: () => 'Cancelled.',
  running: () => '',
};

async function key({ home, print }: CommandContext): Promise<number> {
  print(await coordinatorKey(home));
  return exitCodes.ok;
}

function requiredName(names: readonly string[]): string {
  const [name] = names;
  if (name === undefined) throw new DynoError('badInput', 'Which load host? Write its name.');
  return name;
}
