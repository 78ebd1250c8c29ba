import { join } from 'node:path';
import type { Endpoint, GuardedConfig } from '#engine-api/config.ts';
import { poolerFor } from '#managed-servers/poolers/poolers.ts';
import { DynoError, type ErrorData, type ErrorKind } from '#model/error.ts';
import { within } from '#platform/worker-errors.ts';
import type { TrialWork } from './trial-context.ts';

/** The pooler of one trial. Disposing of it ends it. */
interface TrialPooler extends AsyncDisposable {
  readonly endpoint: Endpoint;
  /** The measured phase begins. */
  begin(): Promise<void>;
  /** The pooler's own totals over the measured phase; empty if it does not answer. */
  counters(): Promise<Readonly<Record<string, number>>>;
  /** The error of a client, with the pooler as its cause if that has ended. */
  explain(error: ErrorData): ErrorData;
}

/** The errors of clients whose pooler has ended. */
const lostKinds: readonly ErrorKind[] = ['serverGone', 'unreachable'];

/** A busy pooler answers within some ms. One that takes longer than this has stopped. */
const countersWithinMs = 10_000;

/** Sessions of a worker beside its connections: its control session, and those that find out what the pool shares. */
const besideConnections = 3;

/**
 * Starts the pooler that the variant of a trial asks for; null: it asks for none.
 * @throws DynoError 'unsupported' where there is none for the server.
 */
export async function startPooler({ control, variant }: TrialWork, config: GuardedConfig): Promise<TrialPooler | null> {
  const { pooler: mode, connections, processes, poolConnections } = variant.settings;
  if (mode === 'none') return null;
  const kind = poolerFor(control.planned.engine);
  if (!kind || !control.isBuiltIn)
    throw new DynoError('unsupported', 'Dyno starts a pooler only before a server that it manages itself.', {
      hint: 'Give the address of your own pooler as a target.',
    });
  const clients = connections + besideConnections * processes;
  const servers = mode === 'session' ? clients : poolConnections;
  const running = await kind.start(config, join(control.home.embedded, 'pooler'), { mode, clients, servers });
  /** Counters only explain the measurement, so that the trial goes on without them. */
  const read = (): Promise<Readonly<Record<string, number>> | null> =>
    within(countersWithinMs, running.counters(), 'The pooler did not tell its counters').catch(() => null);
  let before: Readonly<Record<string, number>> | null = null;
  return {
    endpoint: running.endpoint,
    async begin() {
      before = await read();
    },
    async counters() {
      const [first, last] = [before, await read()];
      if (first === null || last === null) return {};
      return Object.fromEntries(Object.entries(last).map(([name, value]) => [name, value - (first[name] ?? 0)]));
    },
    explain: (error) =>
      running.isGone() && lostKinds.includes(error.kind)
        ? { ...error, message: `${running.label}, the pooler of this trial, has ended: ${error.message}` }
        : error,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
