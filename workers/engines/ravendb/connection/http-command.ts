/*
 * Private members of ravendb that this file uses; driver-privates.test.ts has a contract for each:
 * RavenCommand._canCache, RavenCommand._canCacheAggressively.
 */
import type { Readable, Stream } from 'node:stream';
import { RavenCommand, type ServerNode } from 'ravendb';
import { DynoError } from '#model/error.ts';
import { parseExactly } from '#model/text/exact-json.ts';

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query: "/stats". It is of the database, or of the whole server where `ofServer`. */
  readonly path: string;
  readonly ofServer?: boolean;
  /** JSON, as it goes over the wire. */
  readonly body?: string;
  /** The answer's numbers keep every digit: what is shown and captured. It takes longer to parse. */
  readonly exactly?: boolean;
}

/** The code of an error: an answer that is no JSON. */
export const noJson = 'noJson';

/**
 * One request by the driver's own request executor: the way in which its operations are built, for those of the server
 * that it has none for. The answer is parsed as JSON; null where there is none, or no such thing (404).
 */
export class HttpCommand extends RavenCommand<unknown> {
  readonly #request: HttpRequest;

  constructor(request: HttpRequest) {
    super();
    this.#request = request;
    // Each request wants a new answer: nothing is kept from before.
    this._canCache = false;
    this._canCacheAggressively = false;
    this.result = null;
  }

  override get isReadRequest(): boolean {
    return (this.#request.method ?? 'GET') === 'GET';
  }

  override createRequest(node: ServerNode) {
    const { method = 'GET', path, ofServer = false, body } = this.#request;
    return {
      method,
      uri: ofServer ? `${node.url}${path}` : `${node.url}/databases/${node.database}${path}`,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    };
  }

  override async setResponseAsync(stream: Stream | null): Promise<string> {
    if (stream === null) return '';
    const chunks: Buffer[] = [];
    for await (const chunk of stream as Readable) chunks.push(chunk);
    const text = chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString();
    this.result = text === '' ? null : this.#parse(text);
    return text;
  }

  #parse(text: string): unknown {
    try {
      return this.#request.exactly ? parseExactly(text) : JSON.parse(text);
    } catch {
      throw new DynoError('other', 'The server has answered with something that is no JSON.', { code: noJson });
    }
  }
}
