import * as v from 'valibot';
import { decimal } from '../numbers.ts';
import { defineSetting } from './setting.ts';
import { isolations } from './vocabulary.ts';

/** The state of sessions, of the server and of the network in which calls run. */
export const environmentSettings = {
  isolation: defineSetting({
    schema: v.picklist(isolations),
    default: 'default',
    label: 'Isolation',
    help: 'Isolation level of every client session, for transactions and for calls that commit by themselves. default: as server and connection are set. Engines name the levels differently, and none has them all: levels that are the same on an engine run once.',
    scope: 'session',
  }),
  cache: defineSetting({
    schema: v.picklist(['unchanged', 'cold']),
    default: 'unchanged',
    label: 'Server cache',
    help: 'cold: right before each trial the server’s own data cache is emptied, by a command of the engine (it affects all sessions of that server) or by a restart of a server that Dyno has started, and there is no warm-up. The system’s page cache may still hold the files. unchanged: as the load and the earlier trials have left it.',
    scope: 'trial',
    appliesTo: ({ isAlwaysCold }) => !isAlwaysCold,
  }),
  networkRoundTripMs: defineSetting({
    schema: decimal(0, 10_000),
    default: 0,
    unit: 'ms',
    label: 'Network round trip',
    help: 'Delay that a network emulator between client and server adds to every round trip, half of it each way. 0, with no jitter and no limit: no network emulator.',
    scope: 'session',
  }),
  networkJitterMs: defineSetting({
    schema: decimal(0, 10_000),
    default: 0,
    unit: 'ms',
    label: 'Network jitter',
    help: 'Largest random delay that is added to a round trip, half of it each way, evenly distributed.',
    scope: 'session',
  }),
  networkMbit: defineSetting({
    schema: decimal(0, 100_000),
    default: 0,
    unit: 'Mbit/s',
    label: 'Network bandwidth',
    words: { 0: 'no limit' },
    help: 'Limit in each direction, shared by all connections. 0: no limit.',
    scope: 'session',
  }),
};

/** True if client sessions use the network emulator. */
export const hasEmulatedNetwork = ({
  networkRoundTripMs,
  networkJitterMs,
  networkMbit,
}: Readonly<Record<'networkRoundTripMs' | 'networkJitterMs' | 'networkMbit', number>>): boolean =>
  networkRoundTripMs > 0 || networkJitterMs > 0 || networkMbit > 0;
