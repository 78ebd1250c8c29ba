import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { setPriority } from 'node:os';
import { type EventLoopUtilization, performance } from 'node:perf_hooks';
import type { Endpoint } from '#engine-api/config.ts';
import { type DeliveryQueue, openDeliveryQueue } from './delivery-queue.ts';
import { Link, type NetworkShape } from './link.ts';
import type { FromEmulator, ToEmulator } from './messages.ts';
import { pipe } from './pipe.ts';
import { AnswerTracker, RoundTrips } from './round-trips.ts';

/** The network emulator's own process. It ends with the channel to the host, however that ends. */

const post = (message: FromEmulator): void => {
  // Without a host nobody receives messages; 'disconnect' ends the process.
  if (process.connected) process.send?.(message);
};

/** Counts of the measured phase. */
interface Counts {
  readonly trips: RoundTrips;
  sentBytes: number;
  receivedBytes: number;
  busy: EventLoopUtilization;
}

const counts: Counts = {
  trips: new RoundTrips(),
  sentBytes: 0,
  receivedBytes: 0,
  busy: performance.eventLoopUtilization(),
};

/** To the server, and to the clients. */
type Links = readonly [Link, Link];

async function open(shape: NetworkShape, endpoints: readonly Endpoint[]): Promise<void> {
  const deliveries = await openDeliveryQueue();
  const links: Links = [new Link(shape, 0), new Link(shape, 1)];
  const servers = endpoints.map((endpoint) =>
    createServer({ allowHalfOpen: true, noDelay: true }, (client) =>
      connectThrough(client, endpoint, links, deliveries),
    ),
  );
  post({ type: 'open', ports: await Promise.all(servers.map(listen)) });
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function connectThrough(client: Socket, endpoint: Endpoint, [toServer, toClient]: Links, deliveries: DeliveryQueue) {
  const server = connect({ ...endpoint, allowHalfOpen: true, noDelay: true });
  const answers = new AnswerTracker(counts.trips);
  const refused = ({ code = null, message }: Error & { readonly code?: string | null }) =>
    post({ type: 'refused', endpoint, code, message });
  server.on('error', refused);
  server.on('connect', () => server.off('error', refused));
  const sent = (bytes: number, intendedMs: number, addedMs: number) => {
    counts.sentBytes += bytes;
    answers.sent(intendedMs, addedMs);
  };
  const received = (bytes: number, intendedMs: number, addedMs: number) => {
    counts.receivedBytes += bytes;
    answers.answered(intendedMs, addedMs);
  };
  pipe({ from: client, to: server, link: toServer, deliveries, passed: sent });
  pipe({ from: server, to: client, link: toClient, deliveries, passed: received });
}

function begin(): void {
  counts.trips.reset();
  counts.sentBytes = 0;
  counts.receivedBytes = 0;
  counts.busy = performance.eventLoopUtilization();
}

function report(): void {
  const { trips, sentBytes, receivedBytes, busy } = counts;
  post({
    type: 'report',
    network: {
      intended: trips.intended.encode(),
      added: trips.added.encode(),
      sentBytes,
      receivedBytes,
      utilisation: performance.eventLoopUtilization(busy).utilization,
    },
  });
}

function receive(message: ToEmulator): void {
  switch (message.type) {
    case 'open':
      void open(message.shape, message.endpoints);
      return;
    case 'begin':
      begin();
      return;
    case 'report':
      report();
      return;
  }
}

// As in workers (worker.ts): no raised priority, and it is the host that acts on Ctrl-C.
try {
  setPriority(0);
} catch {}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
process.on('message', (message) => receive(message as ToEmulator));
process.on('disconnect', () => process.exit(0));
