import { type ConfigParser, configThrough, type Endpoint, type EngineConfig } from '#engine-api/config.ts';
import { DynoError, type ErrorData, toErrorData } from '#model/error.ts';
import type { Settings } from '#model/settings/settings.ts';
import type { EmulatedNetwork, WorkerResult } from '#protocol/measurement.ts';
import { startNetworkEmulator } from './network-emulator.ts';

/** A target whose connections go through a network emulator. Disposing of it ends the emulator. */
export interface EmulatedTarget<C extends EngineConfig = EngineConfig> extends AsyncDisposable {
  readonly config: C;
  readonly emulatorPid: number;
  /** The measured phase begins. */
  begin(): void;
  /**
   * Returns the emulator's report, once the clients have ended, and the error of clients or emulator. Never rejects.
   */
  end(clients: {
    readonly results: readonly WorkerResult[];
    readonly error: ErrorData | null;
  }): Promise<{ readonly network?: EmulatedNetwork; readonly error: ErrorData | null }>;
}

/**
 * Puts a network emulator between the sessions of one trial and their target. `reach`: where connections to an endpoint
 * go without it, which is elsewhere where there is a tunnel.
 * @throws DynoError 'unsupported' where that is impossible: the target has no TCP port, or its driver connects to other
 * addresses.
 */
export async function emulateNetwork<C extends EngineConfig>(
  parser: ConfigParser,
  config: C,
  { networkRoundTripMs, networkJitterMs, networkMbit }: Settings,
  seed: number,
  reach: (endpoint: Endpoint) => Endpoint = (endpoint) => endpoint,
): Promise<EmulatedTarget<C>> {
  const { address } = parser.describe(config);
  const endpoints = parser.endpoints(config).filter((one): one is Endpoint => one.port !== null);
  // Throws where the driver cannot be sent elsewhere, before a process is started.
  const through = (instead: (of: Endpoint) => Endpoint) => configThrough(parser, config, instead);
  through((endpoint) => endpoint);
  if (endpoints.length === 0)
    throw new DynoError('unsupported', `No network can be emulated before ${address}: it is not reached by TCP.`, {
      hint: 'A delay needs a network: give the target a host and a port, not a socket file.',
    });
  const shape = { roundTripMs: networkRoundTripMs, jitterMs: networkJitterMs, mbit: networkMbit, seed };
  const emulator = await startNetworkEmulator(shape, endpoints.map(reach));
  return {
    config: through((endpoint) => emulator.instead(reach(endpoint))),
    emulatorPid: emulator.pid,
    begin: emulator.begin,
    async end({ error, results }) {
      try {
        const network = await emulator.report();
        const calls = results.some(({ totals }) => totals.calls > 0);
        if (error === null && calls && network.sentBytes === 0) return { error: bypassed(address).data, network };
        return { error: error && (emulator.refused ?? error), network };
      } catch (thrown) {
        return { error: toErrorData(thrown) };
      }
    },
    [Symbol.asyncDispose]: () => emulator[Symbol.asyncDispose](),
  };
}

const bypassed = (address: string): DynoError =>
  new DynoError(
    'unsupported',
    `The sessions bypassed the network emulator: ${address} redirects its clients to another address.`,
    {
      hint: 'Name the server that they are redirected to as the target.',
    },
  );
