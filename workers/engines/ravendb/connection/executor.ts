import { PassThrough, pipeline, Readable } from 'node:stream';
import { type DocumentStore, type RavenCommand, RequestExecutor, ServerNode, type SessionInfo } from 'ravendb';
import type { Agent } from 'undici';

interface ExecutorOptions {
  /** The URL of one node. */
  readonly url: string;
  readonly agent: Agent;
  /** What the server's log of requests shows as the user agent. */
  readonly tag: string;
  /** A request whose body is a stream has failed: the driver goes on to wait for the stream. */
  onStreamFailed(reason: unknown): void;
}

type Request = Parameters<RavenCommand<unknown>['send']>[1];
type Response = Awaited<ReturnType<RavenCommand<unknown>['send']>>;

/** What is stored once it was sent: the server does not stop half-way, and the outcome would be unknown. */
const writesDocuments = /\/bulk_docs(?:\?|$)/;

/**
 * The driver's request executor for one node, whatever the cluster, over one agent. Without its retries, which are for
 * clusters, and without its questions for the topology and the client configuration, for which an answer that is being
 * read would wait, and they for it.
 */
export class OneNodeExecutor extends RequestExecutor {
  readonly #options: ExecutorOptions;
  readonly #node: ServerNode;
  readonly #running = new Set<AbortController>();

  constructor(store: DocumentStore, options: ExecutorOptions) {
    super(store.database, store.authOptions, store.conventions);
    this._disableTopologyUpdates = true;
    this._disableClientConfigurationUpdates = true;
    this.#options = options;
    this.#node = new ServerNode({ url: options.url, database: store.database, serverRole: 'Member' });
  }

  /** One of the driver's own is not needed. */
  override async getHttpAgent(): Promise<never> {
    return null as never;
  }

  override async execute<R>(command: RavenCommand<R>, session?: SessionInfo): Promise<void> {
    let controller = new AbortController();
    let isStream = false;
    command.send = (_, request) => {
      isStream = request.body instanceof Readable;
      return this.#send(request, controller);
    };
    try {
      await super.execute(command, session, {
        chosenNode: this.#node,
        // Null is what the driver itself passes for "this node and no other"; its types leave it out.
        nodeIndex: null as unknown as number,
        shouldRetry: false,
        abortRef: (one) => {
          controller = one;
        },
      });
    } catch (error) {
      if (isStream) this.#options.onStreamFailed(error);
      throw error;
    }
  }

  /** Ends the requests that are under way, writes of documents excepted. */
  abort(): void {
    for (const one of this.#running) one.abort();
  }

  /** As the driver sends, but that it ends the whole process where a connection is lost during an answer. */
  async #send({ uri, headers, ...init }: Request, controller: AbortController): Promise<Response> {
    if (!writesDocuments.test(uri)) this.#running.add(controller);
    const over = () => void this.#running.delete(controller);
    const bodyStream = new PassThrough();
    bodyStream.pause();
    // Who reads it is told; nobody need be reading.
    bodyStream.on('error', () => {});
    try {
      const { agent, tag } = this.#options;
      const named = { ...(headers as Readonly<Record<string, string>>), 'user-agent': tag };
      const response = await fetch(uri, { ...init, headers: named, dispatcher: agent as never });
      if (response.body) pipeline(Readable.fromWeb(response.body), bodyStream, over);
      else {
        bodyStream.end();
        over();
      }
      return { response, bodyStream };
    } catch (error) {
      over();
      throw error;
    }
  }
}
