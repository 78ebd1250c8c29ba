import type { Operation } from '#engine-api/operation.ts';
import type { Session } from '#engine-api/session.ts';
import type { ErrorData } from '#model/error.ts';
import type { TimeSplit } from '../timing/time-split.ts';
import { ConnectCounter } from './connect-counts.ts';
import type { Phase } from './phase.ts';
import { turn } from './turn.ts';

/** The steps that open a session for a connection. */
interface SessionMaker {
  open(): Promise<Session>;
  prepare(session: Session): Promise<Operation>;
}

/** The options of a session that its connection opens anew now and then. */
interface RenewalOptions {
  /** Number of calls after which the session is due to end (Settings.callsPerConnection); 0: never. */
  readonly callsPerConnection: number;
  /** True if the engine runs in this process. */
  readonly inProcess: boolean;
  readonly split: TimeSplit;
  readonly toError: (thrown: unknown) => ErrorData;
}

/** The session of a connection. After a number of calls it is due, and the connection ends it and opens another one. */
export class ClientSession {
  session: Session;
  operation: Operation;
  readonly #maker: SessionMaker;
  readonly #options: RenewalOptions;
  /** Calls that the session may still make. */
  #left: number;
  #isOpen = true;
  /** Bytes of the sessions that have ended; null: one of them did not count them. */
  #ended: { readonly sent: number; readonly received: number } | null = { sent: 0, received: 0 };

  private constructor(session: Session, operation: Operation, maker: SessionMaker, options: RenewalOptions) {
    this.session = session;
    this.operation = operation;
    this.#maker = maker;
    this.#options = options;
    this.#left = this.#mostCalls;
  }

  /** Opens a session and prepares its operation. If that fails, the session is closed. */
  static async open(maker: SessionMaker, options: RenewalOptions): Promise<ClientSession> {
    const session = await maker.open();
    return new ClientSession(session, await preparedIn(session, maker), maker, options);
  }

  /** Number of calls that the session may still make. 0: it is due. Infinity: it never is. */
  get callsLeft(): number {
    return this.#isOpen ? this.#left : 0;
  }

  /** Counts calls that the session has made; the calls of a transaction may be more than were left. */
  made(calls: number): void {
    this.#left = Math.max(0, this.#left - calls);
  }

  /**
   * Ends the session, opens another one and prepares its operation, and counts the time. A failure is an error of the
   * phase; the session is then still due. Never rejects.
   */
  async renew(phase: Phase): Promise<void> {
    const { inProcess, split, toError } = this.#options;
    const start = performance.now();
    let endedAt: number | null = null;
    let openedAt: number | null = null;
    let error: ErrorData | null = null;
    if (inProcess) split.enters(start);
    try {
      await this.close();
      endedAt = performance.now();
      const session = await this.#maker.open();
      openedAt = performance.now();
      this.operation = await preparedIn(session, this.#maker);
      this.session = session;
      this.#isOpen = true;
      this.#left = this.#mostCalls;
    } catch (thrown) {
      error = toError(thrown);
    }
    const end = performance.now();
    if (inProcess) split.leaves(end);
    else split.ends(end);
    if (end <= phase.countsUntilMs) {
      phase.counts.connecting ??= new ConnectCounter();
      const times = {
        endMs: (endedAt ?? end) - start,
        openMs: endedAt === null ? 0 : (openedAt ?? end) - endedAt,
        prepareMs: openedAt === null ? 0 : end - openedAt,
      };
      if (error) {
        phase.counts.connecting.failed(times);
        phase.counts.error(error.kind);
        phase.noteError(error, end);
      } else phase.counts.connecting.succeeded(times);
      phase.extend(start, end);
    }
    // A refusal may come without a turn of the event loop, and the next attempt follows at once.
    if (error) await turn(split);
  }

  /** Bytes on the wire of this session and of those before it; null: a driver does not count them. */
  wireBytes(): { readonly sent: number; readonly received: number } | null {
    const own = this.#isOpen ? this.session.wireBytes() : { sent: 0, received: 0 };
    return own && this.#ended && { sent: own.sent + this.#ended.sent, received: own.received + this.#ended.received };
  }

  /** Closes the session unless it is closed. Ignores errors: if the server is gone, the next call shows it. */
  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#ended = this.wireBytes();
    this.#isOpen = false;
    await Promise.allSettled([this.session[Symbol.asyncDispose]()]);
  }

  get #mostCalls(): number {
    return this.#options.callsPerConnection || Number.POSITIVE_INFINITY;
  }
}

async function preparedIn(session: Session, maker: SessionMaker): Promise<Operation> {
  try {
    return await maker.prepare(session);
  } catch (thrown) {
    await session[Symbol.asyncDispose]();
    throw thrown;
  }
}
