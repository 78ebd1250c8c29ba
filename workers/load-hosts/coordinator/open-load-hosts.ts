import type { NatsConnection } from '@nats-io/transport-node';
import { DynoError } from '#model/error.ts';
import type { OpeningStep } from '#model/load-host-check.ts';
import { localHostName, type SavedLoadHost } from '#model/load-hosts.ts';
import { type NatsServer, startNatsServer } from '../bus/nats-server.ts';
import type { KeyPair } from '../bus/seal.ts';
import type { LoadHost } from '../load-host.ts';
import { localHost } from '../local-host.ts';
import { startSshAgent } from '../ssh/ssh-agent.ts';
import type { AgentHost } from './agent-host.ts';

interface LoadHostsOptions {
  readonly saved: readonly SavedLoadHost[];
  /** The engines of all targets. */
  readonly engines: readonly string[];
  /** The key pair that manually started agents trust. */
  readonly keys: () => Promise<KeyPair>;
  readonly version: string;
  /** The folder of the spools, which must exist. */
  readonly folder: string;
  readonly onStep: (step: OpeningStep, name: string) => void;
}

/** The load hosts of a run. Each is opened at its first use, again after it was lost, and closed with the run. */
export interface OpenLoadHosts extends AsyncDisposable {
  /** Opens these hosts. Throws if one of them cannot be used now. */
  use(names: readonly string[], signal: AbortSignal): Promise<readonly LoadHost[]>;
}

interface OpenHost {
  readonly host: AgentHost;
  readonly closing: AsyncDisposableStack;
}

/** The bus loads with the first load host: a run on this machine alone starts faster without NATS and libsodium. */
async function loadBus() {
  const [{ AgentHost }, { connectBus }, { newKeyPair }] = await Promise.all([
    import('./agent-host.ts'),
    import('../bus/connect-bus.ts'),
    import('../bus/seal.ts'),
  ]);
  return { AgentHost, connectBus, newKeyPair };
}

export function openLoadHosts({ saved, engines, keys, version, folder, onStep }: LoadHostsOptions): OpenLoadHosts {
  const closing = new AsyncDisposableStack();
  const open = new Map<string, OpenHost>();
  const overSsh = saved.filter((one) => 'ssh' in one).map(({ name }) => name);
  let own: Promise<{ readonly server: NatsServer; readonly bus: NatsConnection; readonly keys: KeyPair }> | null = null;

  /** The bus of this run for all agents that are started over SSH; its keys belong to this run, too. */
  const ownBus = async () => {
    const { connectBus, newKeyPair } = await loadBus();
    const server = closing.use(await startNatsServer(overSsh.length));
    const bus = await connectBus({ url: `nats://127.0.0.1:${server.port}`, user: server.coordinator }, 'coordinator');
    closing.defer(() => bus.close());
    return { server, bus, keys: await newKeyPair() };
  };
  const openOne = async (name: string, signal: AbortSignal): Promise<OpenHost> => {
    const found = saved.find((one) => one.name === name);
    if (!found) throw new DynoError('internal', `The run does not know the load host ${name}.`);
    const { AgentHost, connectBus } = await loadBus();
    await using opened = new AsyncDisposableStack();
    let host: AgentHost;
    onStep('bus', name);
    if ('ssh' in found) {
      own ??= ownBus();
      const {
        server,
        bus,
        keys: ours,
      } = await own.catch((thrown) => {
        own = null; // It may be installed before the next attempt.
        throw thrown;
      });
      const user = server.agents[overSsh.indexOf(name)]!;
      const agent = opened.use(
        await startSshAgent({
          name,
          ssh: found.ssh,
          bus: { port: server.port, user },
          engines,
          trust: ours.publicKey,
          onStep: (step) => onStep(step, name),
          signal,
        }),
      );
      host = await AgentHost.open({ name, bus, keys: ours, agent: agent.publicKey, version, folder, signal });
      void agent.gone.then(({ data }) => host.lose(new DynoError('workerGone', data.message, { hint: data.hint })));
    } else {
      const bus = await connectBus(
        {
          url: found.nats,
          ...(found.credentials !== undefined && { credentials: found.credentials }),
          ...(found.ca !== undefined && { ca: found.ca }),
        },
        'coordinator',
      );
      opened.defer(() => bus.close());
      onStep('agent', name);
      host = await AgentHost.open({
        name,
        bus,
        keys: await keys(),
        agent: found.agent,
        version,
        folder,
        signal,
      });
    }
    opened.use(host);
    return { host, closing: opened.move() };
  };

  return {
    async use(names, signal) {
      const hosts: LoadHost[] = [];
      for (const name of names) {
        if (name === localHostName) {
          hosts.push(localHost);
          continue;
        }
        const known = open.get(name);
        if (known && known.host.lost === null) {
          hosts.push(known.host);
          continue;
        }
        open.delete(name);
        await known?.closing.disposeAsync();
        const opened = await openOne(name, signal);
        open.set(name, opened);
        hosts.push(opened.host);
      }
      return hosts;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...open.values()].map(({ closing: one }) => one.disposeAsync()));
      await closing.disposeAsync();
    },
  };
}
