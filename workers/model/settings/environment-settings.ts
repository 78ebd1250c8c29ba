import * as v from 'valibot';
import { decimal, integer } from '../numbers.ts';
import { defineSetting } from './setting.ts';
import { isolations } from './vocabulary.ts';

/** The state of sessions, of the server and of the network in which calls run. */
export const environmentSettings = {
  isolation: defineSetting({
    schema: v.picklist(isolations),
    default: 'default',
    label: 'Isolation',
    help: 'Isolation level of every client session, for transactions and for calls that commit by themselves. default: the level that server and connection set. No engine has all levels; levels that are the same on an engine run once.',
    scope: 'session',
  }),
  tls: defineSetting({
    schema: v.picklist(['default', 'off', 'on']),
    default: 'default',
    label: 'TLS',
    help: 'on: client sessions use TLS and verify the server’s certificate; a connection that has TLS anyway keeps its own check. off: they use none, which only a connection without TLS allows. default: as the connection says. Servers that Dyno starts have a certificate of a CA that Dyno makes.',
    scope: 'session',
  }),
  pooler: defineSetting({
    schema: v.picklist(['none', 'session', 'transaction']),
    default: 'none',
    label: 'Pooler',
    help: 'A connection pooler that Dyno starts for each trial between client sessions and a server that it manages: PgBouncer for PostgreSQL. session: a client has a server’s connection until it leaves. transaction: until its transaction ends, so that few connections serve many clients. none: sessions connect to the server.',
    scope: 'session',
  }),
  poolConnections: defineSetting({
    schema: integer(1, 1_000),
    default: 20,
    label: 'Connections of the pool',
    help: 'The most connections from the pooler to the server (default_pool_size of PgBouncer). A pool of sessions has as many as it has clients.',
    scope: 'session',
    appliesTo: ({ poolsTransactions }) => poolsTransactions,
  }),
  cache: defineSetting({
    schema: v.picklist(['unchanged', 'cold']),
    default: 'unchanged',
    label: 'Server cache',
    help: 'cold: before each trial, Dyno empties the server’s own data cache by a command of the engine, which affects all sessions of the server, or by a restart of a server that Dyno has started. There is no warm-up. The system’s page cache may still contain the files. unchanged: the cache stays as the load and earlier trials left it.',
    scope: 'trial',
    appliesTo: ({ isAlwaysCold }) => !isAlwaysCold,
  }),
  networkRoundTripMs: defineSetting({
    schema: decimal(0, 10_000),
    default: 0,
    unit: 'ms',
    label: 'Network round trip',
    help: 'Delay that a network emulator adds to every round trip between client and server, half in each direction. 0 without jitter and bandwidth limit: no network emulator.',
    scope: 'session',
  }),
  networkJitterMs: defineSetting({
    schema: decimal(0, 10_000),
    default: 0,
    unit: 'ms',
    label: 'Network jitter',
    help: 'Maximum random delay that is added to a round trip, half in each direction, uniformly distributed.',
    scope: 'session',
  }),
  networkMbit: defineSetting({
    schema: decimal(0, 100_000),
    default: 0,
    unit: 'Mbit/s',
    label: 'Network bandwidth',
    words: { 0: 'no limit' },
    help: 'Bandwidth limit in each direction, shared by all connections. 0: no limit.',
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
