import type { ConfigParser, Endpoint, EngineConfig } from '#engine-api/engine.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { RelayedNetwork } from '#protocol/measurement.ts';
import type { ClientsOutcome } from '../clients.ts';
import { startRelay } from './relay.ts';

/** A target whose connections go through a relay, which ends with it. */
export interface RelayedTarget extends AsyncDisposable {
  readonly config: EngineConfig;
  readonly relayPid: number;
  /** The measured phase begins. */
  begin(): void;
  /** What the relay did, after the clients have ended; and why the trial failed, where that was because of the relay. Never rejects. */
  end(clients: ClientsOutcome): Promise<{ readonly network?: RelayedNetwork; readonly error: ErrorData | null }>;
}

/**
 * Puts a relay between the sessions of one trial and their target.
 * @throws DynoError 'unsupported' where none can be put there: no TCP, or a driver that would go past it.
 */
export async function relayTarget(
  parser: ConfigParser,
  config: EngineConfig,
  { networkRoundTripMs, networkJitterMs, networkMbit }: Settings,
  seed: number,
): Promise<RelayedTarget> {
  const { address } = parser.describe(config);
  const endpoints = parser.endpoints(config).filter((one): one is Endpoint => one.port !== null);
  // Whether it can be, before a process is started for it.
  const through = (instead: (of: Endpoint) => Endpoint) => parser.through?.(config, instead) ?? config;
  through((endpoint) => endpoint);
  if (endpoints.length === 0)
    throw new DynoError('unsupported', `No relay can be put before ${address}: it is not reached by TCP.`, {
      hint: 'A delay needs a network: give the target a host and a port, not a socket file.',
    });
  const shape = { roundTripMs: networkRoundTripMs, jitterMs: networkJitterMs, mbit: networkMbit, seed };
  const relay = await startRelay(shape, endpoints);
  return {
    config: through(relay.instead),
    relayPid: relay.pid,
    begin: relay.begin,
    async end({ error, results }) {
      try {
        const network = await relay.report();
        const calls = results.some(({ totals }) => totals.calls > 0);
        if (error === null && calls && network.sentBytes === 0) return { error: wentPast(address).data, network };
        return { error: error && (relay.refused ?? error), network };
      } catch (thrown) {
        return { error: toErrorData(thrown) };
      }
    },
    [Symbol.asyncDispose]: () => relay[Symbol.asyncDispose](),
  };
}

const wentPast = (address: string): DynoError =>
  new DynoError(
    'unsupported',
    `The sessions went past the relay: ${address} sends its clients on to another address.`,
    {
      hint: 'Name the server that they are sent to as the target.',
    },
  );
