import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { DynoError, toErrorData } from '#model/error.ts';
import type { OpeningStep } from '#model/load-host-check.ts';
import { type Ssh, sshText } from '#model/ssh.ts';
import { childEnvironment } from '#platform/child-environment.ts';
import { nodeProgram, nodeVersions } from '#platform/node-program.ts';
import { projectRoot } from '#platform/paths.ts';
import { within } from '#platform/worker-errors.ts';
import { allocatedPort, requireKeyFile, sshRunArguments } from '#tunnels/ssh-command.ts';
import { noProgram, sshFailed } from '#tunnels/ssh-errors.ts';
import type { StdinOrders } from '../agent/stdin-orders.ts';
import type { BusUser } from '../bus/nats-server.ts';
import { packageFiles } from './package-files.ts';

interface SshAgentOptions {
  readonly name: string;
  readonly ssh: Ssh;
  /** The bus of this machine. */
  readonly bus: { readonly port: number; readonly user: BusUser };
  /** The engines against which it drives load. */
  readonly engines: readonly string[];
  /** The coordinator's public key. */
  readonly trust: string;
  readonly onStep: (step: OpeningStep) => void;
  readonly signal: AbortSignal;
}

/** An agent that runs on an SSH host until it is disposed of; it leaves nothing there. */
interface SshAgent extends AsyncDisposable {
  /** Its public key, which came over SSH. */
  readonly publicKey: string;
  /** The local `ssh`. */
  readonly pid: number;
  /** Settles with the reason when `ssh` has ended. */
  readonly gone: Promise<DynoError>;
}

const loginWithinMs = 60_000;
const agentWithinMs = 60_000;
/** The cleanup deletes some thousand files. */
const leaveWithinMs = 60_000;

/** The first output of the host: its system, its Node, and its new folder. */
const greeting = 'dyno-agent';
/**
 * Makes a folder that only the user can read, and deletes it at the end of the agent and of the connection: the agent
 * ends with its standard input. A host that was switched off kept the folder, so the next session deletes folders of
 * the same user and host whose shell is no longer there.
 */
const script = `umask 077
t="\${TMPDIR:-/tmp}"
for o in "$t"/dyno-agent-????????; do
  [ -O "$o" ] && read -r h p <"$o/owner" && [ "$h" = "$(uname -n)" ] && ! kill -0 "$p" && rm -rf "$o"
done 2>/dev/null
d=$(mktemp -d "$t/dyno-agent-XXXXXXXX") || exit 1
trap "rm -rf \\"$d\\"" EXIT
trap "exit 1" HUP INT TERM
echo "$(uname -n) $$" >"$d/owner"
mkdir "$d/home"
echo "${greeting} $(uname -s) $(uname -m) $(node --version 2>/dev/null || echo none) $d"
read -r program || exit 1
cd "$d" && DYNO_HOME="$d/home" "$program" workers/CLI agent --stdin`;

/** Copies this Dyno to an SSH host and starts its agent there. Throws the error of `ssh`, with what to do. */
export async function startSshAgent(options: SshAgentOptions): Promise<SshAgent> {
  const { name, ssh, bus, trust, onStep, signal } = options;
  signal.throwIfAborted();
  onStep('login');
  requireKeyFile(ssh);
  // A clone has the source; an installed Dyno is built.
  const cli = existsSync(join(projectRoot, 'workers/cli.ts')) ? 'cli.ts' : 'cli.js';
  const session = openSession(name, ssh, `exec sh -c '${script.replace('CLI', cli)}'`, bus.port);
  const abandon = () => session.child.kill();
  signal.addEventListener('abort', abandon, { once: true });
  try {
    const [, system = '', machine = '', node = '', folder = ''] = (
      await within(loginWithinMs, session.line(greeting), `${name} did not let Dyno log in`)
    ).split(' ');
    const program = await copyPackage(options, { system, machine, node, folder });
    onStep('agent');
    const port = allocatedPort(session.said());
    if (port === null) throw new DynoError('internal', `ssh has not said which port ${name} listens on.`);
    const orders: StdinOrders = { url: `nats://127.0.0.1:${port}`, user: bus.user, trust };
    session.child.stdin?.write(`${program}\n${JSON.stringify(orders)}\n`);
    const answer = await within(agentWithinMs, session.line('{'), `The agent on ${name} did not start`);
    const { publicKey } = JSON.parse(answer) as { readonly publicKey: string };
    return {
      publicKey,
      pid: session.child.pid ?? 0,
      gone: session.gone,
      async [Symbol.asyncDispose]() {
        session.child.stdin?.end();
        const timer = setTimeout(() => session.child.kill('SIGKILL'), leaveWithinMs);
        await session.gone;
        clearTimeout(timer);
      },
    };
  } catch (thrown) {
    session.child.stdin?.end();
    session.child.kill();
    signal.throwIfAborted();
    throw thrown;
  } finally {
    signal.removeEventListener('abort', abandon);
  }
}

/** Starts `ssh`. Callers wait for lines of the host's output by their beginning. */
function openSession(name: string, ssh: Ssh, command: string, listenFor: number) {
  const child = spawnSsh(sshRunArguments(ssh, command, listenFor));
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-8_000);
  });
  child.stdin?.on('error', () => {}); // `gone` has the reason.
  const lines: string[] = [];
  let heard = Promise.withResolvers<void>();
  createInterface({ input: child.stdout! }).on('line', (line) => {
    lines.push(line);
    heard.resolve();
    heard = Promise.withResolvers<void>();
  });
  const gone = endOf(child).then((how) =>
    how instanceof DynoError ? how : sshFailed(`The SSH session to ${name} (${sshText(ssh)}) ended`, ssh, said, how),
  );
  return {
    child,
    gone,
    said: () => said,
    /** The next line with this beginning. If none comes, throws the reason why `ssh` has ended. */
    async line(beginning: string): Promise<string> {
      for (;;) {
        const found = lines.findIndex((line) => line.startsWith(beginning));
        if (found >= 0) return lines.splice(0, found + 1).at(-1)!;
        const ended = await Promise.race([heard.promise.then(() => null), gone]);
        if (ended) throw ended;
      }
    },
  };
}

/** The host's facts of itself. */
interface HostFacts {
  readonly system: string;
  readonly machine: string;
  /** “none”: there is no Node on its PATH. */
  readonly node: string;
  readonly folder: string;
}

/** Copies this Dyno into the host's folder, with its Node if the host has another one. Returns the program to start. */
async function copyPackage(options: SshAgentOptions, host: HostFacts): Promise<string> {
  const { name, ssh, onStep, signal } = options;
  if (!/^\/[\w./+-]+$/.test(host.folder))
    throw new DynoError('unsupported', `${name} keeps temporary files in ${host.folder}, which Dyno does not use.`);
  const wanted = `v${nodeVersions().node}`;
  const ownNode = host.node !== wanted;
  if (ownNode && !isSameSystem(host))
    throw new DynoError(
      'unsupported',
      `${name} is ${host.system} ${host.machine}, and has ${host.node === 'none' ? 'no Node' : `Node ${host.node}`}.`,
      {
        hint: `Install Node ${wanted.slice(1)} there, the one that runs here: figures of two versions do not compare.`,
      },
    );
  onStep('copy');
  const program = nodeProgram();
  const parts = ['-C', projectRoot, ...packageFiles(options.engines)];
  const node = ownNode ? ['-C', dirname(program), basename(program)] : [];
  const tar = spawn('tar', ['-chzf', '-', ...exclusions, ...parts, ...node], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...childEnvironment(), GZIP: '-1' },
  });
  const child = spawnSsh(sshRunArguments(ssh, `exec tar -xzf - -C '${host.folder}'`), tar.stdout);
  tar.stdout.destroy(); // Only `ssh` reads it: tar ends with it.
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-8_000);
  });
  const stop = () => {
    tar.kill();
    child.kill();
  };
  signal.addEventListener('abort', stop, { once: true });
  const packed = endOf(tar);
  const how = await endOf(child);
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (how instanceof DynoError) throw how;
  const isPacked = (await packed) === ended(0, null);
  if (how !== ended(0, null) || !isPacked)
    throw sshFailed(`Dyno could not be copied to ${name} (${sshText(ssh)})`, ssh, said, String(how));
  return ownNode ? `${host.folder}/${basename(program)}` : 'node';
}

const exclusions = [
  '--exclude=*.test.ts',
  '--exclude=*.fixture.ts',
  '--exclude=*.bench.ts',
  '--exclude=*.map',
  '--exclude=*.md',
];

/** Node's names for the words of uname. */
const systems: Readonly<Record<string, string>> = { linux: 'Linux', darwin: 'Darwin' };
const machines: Readonly<Record<string, readonly string[]>> = { x64: ['x86_64', 'amd64'], arm64: ['aarch64', 'arm64'] };

const isSameSystem = ({ system, machine }: HostFacts): boolean =>
  systems[platform()] === system && (machines[arch()] ?? []).includes(machine);

function spawnSsh(args: readonly string[], input: 'pipe' | NodeJS.ReadableStream = 'pipe'): ChildProcess {
  const { SSH_AUTH_SOCK: agent } = process.env;
  return spawn('ssh', [...args], {
    stdio: [input === 'pipe' ? 'pipe' : (input as never), 'pipe', 'pipe'],
    env: { ...childEnvironment(), ...(agent !== undefined && { SSH_AUTH_SOCK: agent }), SSH_ASKPASS_REQUIRE: 'never' },
    windowsHide: true,
  });
}

const ended = (code: number | null, signal: string | null): string =>
  signal ? `was killed by ${signal}` : `ended with exit code ${code}`;

const endOf = (child: ChildProcess): Promise<DynoError | string> =>
  new Promise((resolve) => {
    child.on('error', (error) => resolve(noProgram(error.message, toErrorData(error).code ?? '')));
    child.on('close', (code, signal) => resolve(ended(code, signal)));
  });
