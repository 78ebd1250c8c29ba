import { sharedWriter } from '../bytes/byte-writer.ts';
import type { Row } from '../fdoca/rows.ts';
import type { ServerDialect } from './dialect.ts';
import type { Query } from './query.ts';
import { QueryReply } from './query-reply.ts';
import { ChangesReply } from './replies.ts';
import { type BlockSize, closeQuery, continueQuery } from './requests.ts';
import type { Transport } from './transport.ts';

export interface Cursor {
  /** The next block of rows, at least one; null after the last. */
  fetch(): Promise<readonly Row[] | null>;
  close(): Promise<void>;
}

/** The parts of a connection that its statements share. */
export interface Session {
  readonly transport: Transport;
  readonly packaged: Buffer;
  readonly dialect: ServerDialect;
  freeSection(section: number): void;
}

export class QueryCursor implements Cursor {
  readonly #session: Session;
  readonly #section: number;
  readonly #query: Query;
  readonly #block: BlockSize;
  #isClosed = false;

  constructor(session: Session, section: number, query: Query, block: BlockSize) {
    this.#session = session;
    this.#section = section;
    this.#query = query;
    this.#block = block;
  }

  get isOpen(): boolean {
    return !this.#isClosed && !this.#query.isOver;
  }

  async fetch(): Promise<readonly Row[] | null> {
    for (;;) {
      if (this.#isClosed) return null;
      const rows = this.#query.takeRows();
      if (rows.length > 0) return rows;
      if (this.#query.isOver) return null;
      await this.#next();
    }
  }

  #next(): Promise<void> {
    const { transport, packaged } = this.#session;
    const to = sharedWriter();
    continueQuery(to, packaged, this.#section, this.#block, this.#query.instance);
    return new Promise((resolve, reject) => {
      transport.send(to.copy(), new QueryReply(this.#query, false, { resolve, reject }));
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    const wasOpen = this.isOpen;
    this.#isClosed = true;
    if (!wasOpen) return;
    const { transport, packaged } = this.#session;
    if (!transport.isAlive) return;
    const to = sharedWriter();
    closeQuery(to, packaged, this.#section, this.#query.instance);
    await new Promise<number>((resolve, reject) => {
      transport.send(to.copy(), new ChangesReply(1, null, transport.limits, { resolve, reject }));
    });
  }
}
