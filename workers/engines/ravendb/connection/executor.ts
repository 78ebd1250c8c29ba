/*
 * Private members of ravendb that this file uses; driver-privates.test.ts has a contract for each:
 * RequestExecutor._disableClientConfigurationUpdates, RequestExecutor._disableTopologyUpdates,
 * RequestExecutor.getHttpAgent, RavenCommand.send.
 */
import { PassThrough, pipeline, Readable } from 'node:stream';
import { type DocumentStore, type RavenCommand, RequestExecutor, ServerNode, type SessionInfo } from 'ravendb';
import type { Agent } from 'undici';
import { HttpCommand } from './http-command.ts';

interface ExecutorOptions {
  /** The URL of one node. */
  readonly url: string;
  readonly agent: Agent;
  /** The user agent in the server's log of requests. */
  readonly tag: string;
  /** Is called if a request with a stream as its body fails, because the driver would go on waiting for the stream. */
  onStreamFailed(reason: unknown): void;
}

type Request = Parameters<RavenCommand<unknown>['send']>[1];
type Response = Awaited<ReturnType<RavenCommand<unknown>['send']>>;

/** Requests that store documents: the server does not stop half-way, and the outcome would be unknown. */
const writesDocuments = /\/bulk_docs(?:\?|$)/;

/**
 * The driver's request executor for one node over one agent, even in a cluster. It does without the driver's retries,
 * which are for clusters, and without its requests for topology and client configuration: an answer that is being read
 * would wait for them, and they for the answer.
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

  /** No agent of the driver's own is needed. */
  override async getHttpAgent(): Promise<never> {
    return null as never;
  }

  override async execute<R>(command: RavenCommand<R>, session?: SessionInfo): Promise<void> {
    let controller = new AbortController();
    let isStream = false;
    // fetch() decompresses compressed answers.
    const isPlain = command instanceof HttpCommand && !this.conventions.useHttpDecompression;
    command.send = (_, request) => {
      isStream = request.body instanceof Readable;
      return this.#send(isPlain, request, controller);
    };
    try {
      await super.execute(command, session, {
        chosenNode: this.#node,
        // The driver itself passes null for "this node and no other", but its types do not allow null.
        nodeIndex: null as unknown as number,
        shouldRetry: false,
        abortRef: (one) => {
          controller = one;
        },
      });
    } catch (error) {
      if (isStream) this.#options.onStreamFailed(error);
      throw error;
    } finally {
      // Other answers may still be read.
      if (isPlain) this.#running.delete(controller);
    }
  }

  /** Ends the requests in flight, except writes of documents. */
  abort(): void {
    for (const one of this.#running) one.abort();
  }

  async #send(isPlain: boolean, request: Request, controller: AbortController): Promise<Response> {
    const { uri, headers } = request;
    if (!writesDocuments.test(uri)) this.#running.add(controller);
    const over = () => void this.#running.delete(controller);
    const { agent, tag } = this.#options;
    const named = { ...request, headers: { ...(headers as Headers), 'user-agent': tag } };
    try {
      return await (isPlain ? sendPlain : sendByFetch)(agent, named, over);
    } catch (error) {
      over();
      throw error;
    }
  }
}

type Headers = Readonly<Record<string, string>>;
type Send = (agent: Agent, request: Request & { readonly headers: Headers }, over: () => void) => Promise<Response>;

/** Sends as the driver does; but the driver would end the whole process if a connection is lost during an answer. */
const sendByFetch: Send = async (agent, { uri, ...init }, over) => {
  const bodyStream = new PassThrough();
  bodyStream.pause();
  // The reader of the stream gets its error, and there may be no reader.
  bodyStream.on('error', () => {});
  bodyStream.setMaxListeners(0); // the driver reads a stream of documents twice at once
  const response = await fetch(uri, { ...init, dispatcher: agent as never });
  if (response.body) pipeline(Readable.fromWeb(response.body), bodyStream, over);
  else {
    bodyStream.end();
    over();
  }
  return { response, bodyStream };
};

/** Sends through undici without fetch()'s additions; the response has only the members that the driver reads. */
const sendPlain: Send = async (agent, { uri, method = 'GET', headers, body, signal }) => {
  const { origin, pathname, search } = new URL(uri);
  const answer = await agent.request({
    ...{ origin, path: `${pathname}${search}`, method: method as 'GET', headers, signal },
    body: (body ?? null) as string | null,
  });
  const { body: bodyStream, statusCode: status } = answer;
  bodyStream.on('error', () => {});
  const get = (name: string) => answer.headers[name.toLowerCase()] ?? null;
  return { response: { status, headers: { get } } as unknown as Response['response'], bodyStream };
};
