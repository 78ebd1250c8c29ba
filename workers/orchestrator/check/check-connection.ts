import { cautionsOf, writerCaution } from '#engine-api/cautions.ts';
import type { Endpoint } from '#engine-api/config.ts';
import { waitingSteps } from '#model/check-step.ts';
import { type CheckReport, type Connection, checkSteps, type Passwords } from '#model/connections.ts';
import { toErrorData } from '#model/error.ts';
import { isReadOnly, ownerText } from '#model/production.ts';
import { tunnelDetails } from '#model/tunnel.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import { redact } from '#platform/redact.ts';
import type { TrustedTarget } from '#workspace/trust/gate.ts';
import { controlOf, leave, readsAlone } from '../try/own-control.ts';
import type { Control } from '../worker/control.ts';
import { type ReachedTarget, reachTarget } from '../worker/reach.ts';
import { type ConfiguredTarget, catalogEntry, configureTarget, type Variables } from '../worker/targets.ts';
import { logIn } from './check-login.ts';
import { eachOf, findHost, probeSocketFile, probeTcpPort, probeThrough, type ServerAddress } from './check-network.ts';
import { checkRights } from './check-rights.ts';
import { type ConnectionBoard, createStepBoard, type StepOutcome, stepMs, timed } from './check-steps.ts';

interface CheckOptions {
  readonly home: Home;
  readonly target: TrustedTarget;
  /** Passwords of the target's connection. Default: none. */
  readonly passwords?: Passwords;
  readonly variables?: Variables;
  /** Cancels the check: Dyno stops its statements at the server and drops its table. */
  readonly signal: AbortSignal;
  readonly onChange: (report: CheckReport) => void;
}

/** Dyno may have to unpack and set up a managed server first. */
const startMs = 180_000;
/** ssh has its own time limit for each jump host. */
const tunnelMs = 60_000;
const roundTripSeconds = 0.2;

/**
 * Checks a connection step by step, from the name of the host to the server's counters. Never rejects: the report says
 * which step failed. Leaves on the server only what a run leaves as well, such as an empty schema of Dyno's own.
 */
export async function checkTarget({
  home,
  target: trusted,
  passwords = {},
  variables = process.env,
  signal,
  onChange,
}: CheckOptions): Promise<CheckReport> {
  const { engine, connection } = trusted;
  const secrets = new Set(connection ? Object.values(passwords[connection.id] ?? {}) : []);
  const tunnelStep = connection && tunnelStepOf(connection);
  const steps = checkSteps.filter((step) => (step !== 'tunnel' && step !== 'socks') || step === tunnelStep);
  const begun: CheckReport = {
    engine,
    address: '',
    state: 'running',
    steps: waitingSteps(steps),
    product: null,
    version: null,
    emulator: null,
    notice: null,
    cautions: [],
    roundTripMs: null,
    grants: null,
  };
  const board = createStepBoard(begun, (text) => redact(text, [...secrets]), onChange);
  let target: ConfiguredTarget | null = null;
  let reached: ReachedTarget | null = null;
  let control: Control | null = null;
  try {
    ensureHome(home);
    const { descriptor, config } = catalogEntry(engine);
    board.note({ notice: descriptor.notice ?? null });
    const isReady = await board.run('settings', async () => {
      const onActivity = (detail: string) => board.set('settings', { detail });
      target = await timed(startMs, signal, (limit) =>
        configureTarget(trusted, home, variables, onActivity, limit, passwords),
      );
      for (const secret of target.secrets) secrets.add(secret);
      board.note({ address: target.address });
      return { state: 'ok', detail: target.address };
    });
    const configured = target as ConfiguredTarget | null;
    const reach = async (): Promise<StepOutcome> => {
      if (configured) reached = await timed(tunnelMs, signal, (limit) => reachTarget(engine, configured, limit));
      const { kind } = configured?.plannedTunnel ?? {};
      return { state: 'ok', detail: (kind && configured?.details[tunnelDetails[kind]]) ?? '' };
    };
    const isReached = isReady && (tunnelStep ? await board.run(tunnelStep, reach) : (await reach()).state === 'ok');
    const resolved = reached as ReachedTarget | null;
    if (isReached && resolved) {
      const socketFile = config.socketFile?.(resolved.config) ?? null;
      const network = { endpoints: config.endpoints(resolved.config), socketFile, ...resolved };
      const ask = config.greeting?.ask ?? null;
      if ((await checkName(board, network, signal)) && (await checkPort(board, network, ask, signal))) {
        const access = { home, variables, passwords, signal, onActivity: () => {}, onProduction: readsAlone };
        const { control: made, tag } = controlOf(trusted, access);
        control = made;
        if (await logIn(board, control, resolved, network.endpoints, signal)) {
          const { mark } = await control.connect(signal);
          const onlyReads = mark !== null && isReadOnly(mark.production);
          if (onlyReads)
            await board.run(
              'rights',
              skipped(`${ownerText(mark)}Marked as production and read-only: no table was made.`),
            );
          else await checkRights(board, control, resolved, home, tag, signal);
          if (!signal.aborted) await checkProbes(board, control, onlyReads, signal);
        }
        const grants = lacksRights(board.report) ? config.grants(resolved.config) : null;
        if (grants !== null) board.note({ grants: redact(grants, [...secrets]) });
      }
    }
  } catch (thrown) {
    if (!signal.aborted) board.set('settings', { state: 'failed', error: toErrorData(thrown) });
  } finally {
    if (control) await leave(control);
    await (reached as ReachedTarget | null)?.tunnel?.[Symbol.asyncDispose]();
    (target as ConfiguredTarget | null)?.release();
  }
  return board.end(signal.aborted);
}

/**
 * True if a DBA's script may help, because the user is missing or lacks rights. A script cannot help on an emulator.
 */
const lacksRights = ({ steps, emulator }: CheckReport): boolean =>
  steps.some(
    ({ step, state, error }) =>
      error?.kind === 'permission' ||
      error?.kind === 'authentication' ||
      (step === 'probes' && state === 'limited' && emulator === null),
  );

const skipped = (detail: string) => async (): Promise<StepOutcome> => ({ state: 'skipped', detail });

/** The step that opens the tunnel; null if the connection goes directly to the server. */
const tunnelStepOf = ({ ssh, socks }: Connection): 'tunnel' | 'socks' | null =>
  ssh ? 'tunnel' : socks ? 'socks' : null;

/** The network addresses of the target, and the way to them. */
type Network = Pick<ReachedTarget, 'tunnel' | 'instead'> & {
  readonly endpoints: readonly ServerAddress[];
  readonly socketFile: string | null;
};

function checkName(
  board: ConnectionBoard,
  { endpoints, socketFile, tunnel }: Network,
  signal: AbortSignal,
): Promise<boolean> {
  if (socketFile !== null) return board.run('name', skipped('A Unix socket: there is no name to look up.'));
  if (endpoints.length === 0) return board.run('name', skipped('No network: the engine needs no host.'));
  if (tunnel) {
    const who = { ssh: 'The SSH host', socks: 'The proxy' }[tunnel.kind];
    return board.run('name', skipped(`${who} looks the name up.`));
  }
  return board.run('name', async () => {
    const hosts = [...new Set(endpoints.map(({ host }) => host))].map((host) => ({ host, port: null }));
    const { found, failed } = await eachOf(hosts, async ({ host }) => {
      const addresses = await findHost(host, signal);
      return addresses.length === 1 && addresses[0] === host
        ? `${host} is an address`
        : `${host} is ${addresses.join(', ')}`;
    });
    return summed(
      found,
      failed.map(({ message }) => message),
    );
  });
}

function checkPort(
  board: ConnectionBoard,
  { endpoints, socketFile, tunnel }: Network,
  ask: Uint8Array | null,
  signal: AbortSignal,
): Promise<boolean> {
  const known = endpoints.filter((one): one is Endpoint => one.port !== null);
  if (socketFile !== null)
    return board.run('port', async () => {
      await probeSocketFile(socketFile, signal);
      return { state: 'ok', detail: `The socket ${socketFile} answers` };
    });
  if (endpoints.length === 0) return board.run('port', skipped('No network.'));
  // The driver resolves the address itself, and logIn() reports the result.
  if (known.length === 0) return Promise.resolve(true);
  return board.run('port', async () => {
    const { found, failed } = await eachOf(known, async ({ host, port }) => {
      if (tunnel) return probeThrough(tunnel, { host, port }, ask, signal);
      await probeTcpPort(host, port, signal);
      return `${host}, port ${port} answers`;
    });
    return summed(
      found,
      failed.map(({ message }) => message),
    );
  });
}

const summed = (found: readonly string[], failed: readonly string[]): StepOutcome => ({
  state: failed.length > 0 ? 'limited' : 'ok',
  detail: [...found, ...failed].join('\n'),
});

/** `onlyReads`: the connection is marked as production, and nothing may be written over it. */
function checkProbes(
  board: ConnectionBoard,
  control: Control,
  onlyReads: boolean,
  signal: AbortSignal,
): Promise<boolean> {
  return board.run('probes', async () => {
    const [fingerprint, probe, { p50Us }] = await timed(stepMs, signal, async (limit) => [
      await control.ask({ call: 'fingerprint' }, limit),
      await control.ask({ call: 'probe' }, limit),
      await control.ask({ call: 'roundTrip', seconds: roundTripSeconds }, limit),
    ]);
    const { product, version, emulator } = fingerprint;
    const writes = onlyReads ? writerCaution(fingerprint) : null;
    const cautions = [...(writes ? [writes] : []), ...cautionsOf(fingerprint)].map(
      (one) => `${one.title}: ${one.text}`,
    );
    board.note({ product, version, emulator, cautions, roundTripMs: p50Us / 1_000 });
    const unavailable = [...new Set([...fingerprint.unavailable, ...probe.unavailable])];
    const counters = Object.keys(probe.counters).length;
    const found = `${counters} ${counters === 1 ? 'counter' : 'counters'} can be read`;
    if (unavailable.length === 0)
      return {
        state: 'ok',
        detail: [counters === 0 ? 'The engine has no counters' : found, ...(probe.optional ?? [])].join('\n'),
      };
    const missing = counters === 0 ? 'No counters of the server can be read' : `${found}; some cannot`;
    return { state: 'limited', detail: [`${missing}. Not available:`, ...unavailable].join('\n') };
  });
}
