import { Agent as HttpAgent } from 'node:http';
import { type AgentOptions, Agent as HttpsAgent } from 'node:https';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentStore, type ExecuteOptions, type RavenCommand, type RequestExecutor, type SessionInfo } from 'ravendb';
import type { Endpoint } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';
import { checkedAs } from '../../shared/tls.ts';
import { endpointOf } from '../config.ts';
import { toError } from '../errors.ts';
import { HttpCommand, type HttpRequest } from './http-command.ts';

interface LinkOptions {
  /** The URL of one node. */
  readonly url: string;
  /** Where the connection goes instead. */
  readonly via: Endpoint | null;
  readonly database: string;
  /** Null: http. */
  readonly tls: AgentOptions | null;
  /** What the server's log of requests shows as the user agent. */
  readonly tag: string;
  readonly compression: boolean;
}

/** One physical connection to one server: a document store of its own, over one socket that is kept open. */
export interface Link {
  readonly store: DocumentStore;
  readonly executor: RequestExecutor;
  /** One request outside of the driver's sessions; the parsed answer, null where there is none. */
  ask(request: HttpRequest): Promise<unknown>;
  /** A command of the driver. Also rejects when the connection is lost during an answer, which the driver ignores. */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** Ends the requests (writes of documents excepted) and pauses that are under way: they reject as 'cancelled'. */
  stop(): void;
  /** Between two requests of a wait. */
  pause(ms: number): Promise<void>;
  /** Since it was opened. */
  wireBytes(): { readonly sent: number; readonly received: number };
  close(): void;
}

const cancelled = (): DynoError => new DynoError('cancelled', 'The request was cancelled.');

const gone = 'The server does not answer any more: see its log.';

/** What is stored once it was sent: the server does not stop half-way, and the outcome would be unknown. */
const writesDocuments = /\/bulk_docs(?:\?|$)/;

export function openLink({ url, via, database, tls, tag, compression }: LinkOptions): Link {
  const { agent, wireBytes } = countingAgent(tls, via && { ...via, ...checkedAs(endpointOf(url).host) });
  // The driver makes an agent of its own of a certificate; ours takes its place, so that this one only says that there
  // is one.
  const store = tls
    ? new DocumentStore(url, database, { type: 'pfx', certificate: Buffer.alloc(0) })
    : new DocumentStore(url, database);
  const { conventions } = store;
  conventions.disableTopologyUpdates = true; // the node that is measured, whatever the cluster
  conventions.identityProperty = '@id'; // its default, `id`, would keep a column of that name out of the documents
  conventions.findCollectionNameForObjectLiteral = (entity) => collectionOf(entity);
  // The driver caches every answer and never finds one again, because it puts their ETags into quotes twice.
  conventions.maxHttpCacheSize = 1;
  store.initialize();
  const executor = onlyOnce(store.getRequestExecutor());

  let stopper = new AbortController();
  let wasThere = false;
  // One after the other: when the next request waits for the socket, node-fetch takes the answer before it for broken
  // off.
  let last: Promise<unknown> = Promise.resolve();
  const pending = new Set<(reason: unknown) => void>();
  executor.on('beforeRequest', ({ request }) => {
    // Here, because the driver has one agent and one set of options for all stores of a process.
    request.agent = agent;
    request.compress = compression;
    request.headers = { ...(request.headers as Record<string, string>), 'user-agent': tag };
    // The types of node-fetch are older than Node's.
    if (!writesDocuments.test(request.uri)) request.signal = stopper.signal as typeof request.signal;
  });
  executor.on('succeedRequest', ({ response }) => {
    wasThere = true;
    // The driver pipes the body on without its errors: a reader of the rest would wait for ever. Later readers are not
    // meant.
    const waiting = [...pending];
    response.body.once('error', (error) => {
      for (const reject of waiting) reject(error);
    });
  });
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    const { signal } = stopper;
    let lost: (reason: unknown) => void = () => {};
    try {
      return await new Promise<T>((resolve, reject) => {
        lost = reject;
        pending.add(lost);
        work().then(resolve, reject);
      });
    } catch (error) {
      if (signal.aborted) throw cancelled();
      // The socket is opened again where the server had closed it, being idle; if that fails, the server is gone.
      const data = toError(error);
      throw wasThere && data.kind === 'unreachable'
        ? new DynoError('serverGone', data.message, { ...data, hint: gone })
        : error;
    } finally {
      pending.delete(lost);
    }
  };
  return {
    store,
    executor,
    guard,
    wireBytes,
    ask(request) {
      const answer = last.then(async () => {
        const command = new HttpCommand(request);
        await guard(() => executor.execute(command));
        return command.result;
      });
      last = answer.catch(() => {});
      return answer;
    },
    pause: (ms) =>
      sleep(ms, undefined, { signal: stopper.signal }).catch(() => {
        throw cancelled();
      }),
    stop() {
      stopper.abort();
      stopper = new AbortController();
    },
    close() {
      store.dispose();
      agent.destroy();
    },
  };
}

/**
 * Without its retries: they are for clusters, and without a topology that is kept up to date they never end, so that a
 * server that is gone would be asked again for ever. And without asking for the client configuration in the middle of
 * an answer: over one socket it would wait for the end of the answer, and the answer for it.
 */
function onlyOnce(executor: RequestExecutor): RequestExecutor {
  // The member is private; the driver does the same for executors that it creates for itself.
  Object.assign(executor, { _disableClientConfigurationUpdates: true });
  const [chosenNode] = executor.getTopologyNodes();
  if (!chosenNode) throw new DynoError('internal', 'The driver has no node to speak to.');
  const execute = executor.execute.bind(executor);
  // Null is what the driver itself passes for "this node and no other"; its types leave it out.
  const once = { chosenNode, nodeIndex: null as unknown as number, shouldRetry: false };
  executor.execute = <R>(command: RavenCommand<R>, session?: SessionInfo, options: ExecuteOptions<R> = once) =>
    execute(command, session, options);
  return executor;
}

function collectionOf(entity: object): string {
  const { '@metadata': metadata } = entity as { readonly '@metadata'?: { readonly '@collection'?: string } };
  return metadata?.['@collection'] ?? '@empty';
}

/** An agent of one socket that counts its bytes and its predecessors'. `instead`: the address to connect to. */
function countingAgent(tls: AgentOptions | null, instead: object | null) {
  let current: Socket | null = null;
  const before = { sent: 0, received: 0 };
  const note = (socket: Socket): Socket => {
    current = socket;
    socket.once('close', () => {
      before.sent += socket.bytesWritten;
      before.received += socket.bytesRead;
      if (current === socket) current = null;
    });
    return socket;
  };
  const common = { keepAlive: true, maxSockets: 1, noDelay: true };
  const agent = tls ? new HttpsAgent({ ...common, ...tls }) : new HttpAgent(common);
  const create = agent.createConnection.bind(agent);
  agent.createConnection = (options, done) => {
    const made = create({ ...options, ...instead }, done);
    return made ? note(made as Socket) : made;
  };
  const wireBytes = () => ({
    sent: before.sent + (current?.bytesWritten ?? 0),
    received: before.received + (current?.bytesRead ?? 0),
  });
  return { agent, wireBytes };
}
