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
  /** The path with its query ("/stats"), in the database, or on the whole server if `ofServer` is true. */
  readonly path: string;
  readonly ofServer?: boolean;
  /** JSON, as it goes over the wire. */
  readonly body?: string;
  /** The numbers of the answer keep every digit, to be shown and captured; parsing then takes longer. */
  readonly exactly?: boolean;
}

/** The code of an error: the answer is no JSON. */
export const noJson = 'noJson';

/**
 * A request by the driver's own executor, for operations of the server that the driver lacks. The answer is parsed as
 * JSON. Null: it is empty, or the server has no such thing (404).
 */
export class HttpCommand extends RavenCommand<unknown> {
  readonly #request: HttpRequest;

  constructor(request: HttpRequest) {
    super();
    this.#request = request;
    // Each request wants a new answer, so nothing is cached.
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
