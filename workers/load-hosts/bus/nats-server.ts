import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findNatsServer, natsServerFolder } from '#managed-servers/install/nats-server-program.ts';
import { accountFolder, giveTo, serverAccount, serverFolder } from '#managed-servers/process/account.ts';
import { onFreePort } from '#managed-servers/process/free-port.ts';
import { newPassword } from '#managed-servers/process/new-password.ts';
import { answers } from '#managed-servers/process/port-answers.ts';
import { programFor } from '#managed-servers/process/programs.ts';
import { type ServerProcess, serverEnvironment, startServerProcess } from '#managed-servers/process/server-process.ts';
import { DynoError } from '#model/error.ts';
import { makePrivateFolder } from '#platform/private-folder.ts';

/** The users of the bus. */
export interface BusUser {
  readonly user: string;
  readonly password: string;
}

/** A nats-server of one run, on 127.0.0.1. Disposing of it ends it and deletes its files. */
export interface NatsServer extends AsyncDisposable {
  readonly port: number;
  readonly pid: number;
  readonly coordinator: BusUser;
  /** The clients by the number of their agent. */
  readonly agents: readonly BusUser[];
}

const label = 'nats-server';
/** A job holds an experiment's statements with the values of their lists. */
const mostMessageBytes = 32 * 1024 * 1024;
const mostStoredBytes = 8 * 1024 * 1024 * 1024;

/**
 * Starts it with new passwords, one for each agent. If it dies, it is started again on its port and with its stored
 * messages. Throws 'unsupported' if no nats-server is installed.
 */
export async function startNatsServer(agentCount: number): Promise<NatsServer> {
  const found = findNatsServer();
  if (found === null)
    throw new DynoError('unsupported', 'Load hosts need nats-server, which is not installed on this machine.', {
      hint: 'dyno servers install nats-server. Debian, Ubuntu: sudo apt install nats-server.',
    });
  const account = serverAccount(label);
  const within = dirname(found) === natsServerFolder() ? natsServerFolder() : null;
  const file = programFor(found, within, account, () => {});
  const made = makePrivateFolder('nats');
  const folder = serverFolder(made, account);
  const coordinator = { user: 'coordinator', password: newPassword() };
  const agents = Array.from({ length: agentCount }, (_, i) => ({ user: `agent${i}`, password: newPassword() }));
  const configuration = join(folder, 'nats.conf');
  const log = join(folder, 'nats.log');
  const data = accountFolder(join(folder, 'server'), account);
  const start = (port: number): Promise<ServerProcess> => {
    writeFileSync(configuration, configurationOf(port, data, coordinator, agents), { mode: 0o600 });
    giveTo(account, configuration);
    return startServerProcess({
      label,
      file,
      args: ['-c', configuration],
      cwd: data,
      env: serverEnvironment(),
      account,
      log,
      isReady: async () => readFileSync(log, 'utf8').includes('Server is ready') && (await answers(port)),
      readyWithinMs: 20_000,
      failed: (what, said) =>
        new DynoError('unreachable', `${what}: ${said.trim().split('\n').slice(-3).join(' ')}`, {
          retryable: /address already in use/.test(said),
        }),
    });
  };
  let port = 0;
  let running = await onFreePort((free) => {
    port = free;
    return start(free);
  });
  let ending = false;
  const keepRunning = async (): Promise<void> => {
    while (!ending) {
      await running.gone;
      // The port may take a moment to be free again.
      for (let attempt = 1; !ending; attempt++)
        try {
          running = await start(port);
          break;
        } catch {
          if (attempt === 10) return; // The agents are not heard, which ends their load and the trial.
          await sleep(100 * attempt);
        }
    }
  };
  const kept = keepRunning();
  return {
    port,
    get pid() {
      return running.pid;
    },
    coordinator,
    agents,
    async [Symbol.asyncDispose]() {
      ending = true;
      await running.stop();
      await kept;
      await running.stop();
      for (const one of new Set([folder, made])) rmSync(one, { recursive: true, force: true });
    },
  };
}

/**
 * An agent hears requests and the pings of its sessions, and reads and writes streams, but makes and deletes none. JSON
 * is a subset of the syntax of the server's configuration.
 */
function configurationOf(port: number, folder: string, coordinator: BusUser, agents: readonly BusUser[]): string {
  const users = [
    coordinator,
    ...agents.map(({ user, password }) => ({
      user,
      password,
      permissions: {
        publish: [
          'dyno.session.*.coordinator',
          '$JS.API.INFO',
          '$JS.API.STREAM.INFO.>',
          '$JS.API.CONSUMER.>',
          '$JS.ACK.>',
        ],
        subscribe: ['dyno.agent.*', 'dyno.agent.* agent', 'dyno.session.*.ping', inboxOf(user)],
        allow_responses: true,
      },
    })),
  ];
  return `host: "127.0.0.1"
port: ${port}
max_payload: ${mostMessageBytes}
jetstream { store_dir: ${JSON.stringify(join(folder, 'store'))}, max_file_store: ${mostStoredBytes}, max_memory_store: 16777216 }
authorization ${JSON.stringify({ users })}
`;
}

const inboxOf = (user: string): string => `${inboxPrefix(user)}.>`;
/** The inbox of a user of the bus: the other users cannot listen there. */
export const inboxPrefix = (user: string): string => `_INBOX_${user}`;
