import { setTimeout as sleep } from 'node:timers/promises';
import { DocumentStore, type RequestExecutor } from 'ravendb';
import type { Endpoint } from '#engine-api/config.ts';
import { DynoError } from '#model/error.ts';
import { toError } from '../errors.ts';
import { OneNodeExecutor } from './executor.ts';
import { HttpCommand, type HttpRequest } from './http-command.ts';
import { oneSocket } from './one-socket.ts';
import type { TlsFiles } from './tls.ts';

interface LinkOptions {
  /** The URL of one node. */
  readonly url: string;
  /** The address to connect to instead. */
  readonly via: Endpoint | null;
  readonly database: string;
  /** Null: http. */
  readonly tls: TlsFiles | null;
  /** The user agent in the server's log of requests. */
  readonly tag: string;
  readonly compression: boolean;
}

/** One physical connection to one server: a document store with one socket that is kept open. */
export interface Link {
  readonly store: DocumentStore;
  readonly executor: RequestExecutor;
  /** Sends a request outside of the driver's sessions; resolves with the parsed answer, null if it is empty. */
  ask(request: HttpRequest): Promise<unknown>;
  /**
   * Executes a command of the driver. Also rejects if the connection is lost during an answer, which the driver would
   * ignore.
   */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** Ends requests (except writes of documents) and pauses: they reject as 'cancelled'. */
  stop(): void;
  /** Pauses between two requests of a wait. */
  pause(ms: number): Promise<void>;
  /** Bytes since the link was opened. */
  wireBytes(): { readonly sent: number; readonly received: number };
  close(): void;
}

class OneNodeStore extends DocumentStore {
  #executor: RequestExecutor | null = null;

  use(executor: RequestExecutor): void {
    this.#executor = executor;
  }

  override getRequestExecutor(): RequestExecutor {
    if (this.#executor === null) throw new DynoError('internal', 'The store has no executor yet.');
    return this.#executor;
  }
}

const cancelled = (): DynoError => new DynoError('cancelled', 'The request was cancelled.');

const gone = 'The server does not answer any more: see its log.';

export function openLink({ url, via, database, tls, tag, compression }: LinkOptions): Link {
  const { agent, wireBytes } = oneSocket(url, tls, via);
  // The empty certificate only makes the driver expect one; the agent has the real one.
  const store = tls
    ? new OneNodeStore(url, database, { type: 'pfx', certificate: Buffer.alloc(0) })
    : new OneNodeStore(url, database);
  const { conventions } = store;
  conventions.identityProperty = '@id'; // the default, `id`, would leave out a column of that name
  conventions.findCollectionNameForObjectLiteral = (entity) => collectionOf(entity);
  conventions.maxHttpCacheSize = 1; // nothing fits into it, so that no answer is cached
  conventions.useHttpDecompression = compression;
  store.initialize();
  let stopper = new AbortController();
  let wasThere = false;
  const pending = new Set<(reason: unknown) => void>();
  const executor = new OneNodeExecutor(store, {
    ...{ url, agent, tag },
    onStreamFailed: (error) => {
      for (const reject of pending) reject(error);
    },
  });
  store.use(executor);
  executor.on('succeedRequest', () => {
    wasThere = true;
  });
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    const { signal } = stopper;
    let failed: (reason: unknown) => void = () => {};
    try {
      return await new Promise<T>((resolve, reject) => {
        failed = reject;
        pending.add(failed);
        work().then(resolve, reject);
      });
    } catch (error) {
      if (signal.aborted) throw cancelled();
      // The socket is opened again if the server has closed it for being idle; if that fails, the server is gone.
      const data = toError(error);
      throw wasThere && data.kind === 'unreachable'
        ? new DynoError('serverGone', data.message, { ...data, hint: gone })
        : error;
    } finally {
      pending.delete(failed);
    }
  };
  return {
    store,
    executor,
    guard,
    wireBytes,
    async ask(request) {
      const command = new HttpCommand(request);
      await guard(() => executor.execute(command));
      return command.result;
    },
    pause: (ms) =>
      sleep(ms, undefined, { signal: stopper.signal }).catch(() => {
        throw cancelled();
      }),
    stop() {
      executor.abort();
      stopper.abort();
      stopper = new AbortController();
    },
    close() {
      store.dispose();
      executor.dispose();
      agent.destroy().catch(() => {});
    },
  };
}

function collectionOf(entity: object): string {
  const { '@metadata': metadata } = entity as { readonly '@metadata'?: { readonly '@collection'?: string } };
  return metadata?.['@collection'] ?? '@empty';
}
