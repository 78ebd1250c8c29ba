import { Worker } from 'node:worker_threads';
import { DynoError, fromErrorData, type Result } from '#model/error.ts';

/** A thread that answers one request after another, so that its caller never blocks. */
interface AnsweringThread<Asked, Answer> {
  /** @throws the error of the thread; 'timeout' after the time limit, 'cancelled' if the request is abandoned. */
  ask(asked: Asked): Promise<Answer>;
  /** Abandons the requests as 'cancelled' with this reason. Ends the thread if it is working. */
  cancel(reason: string): Promise<void>;
  close(): Promise<void>;
}

interface ThreadOptions {
  /** The thread's module, which calls `answerRequests` (thread-requests.ts). */
  readonly file: URL;
  /** The task, as the subject of a sentence: "The preview". */
  readonly what: string;
  /** Time limit of an answer in ms, after which the thread is ended. */
  readonly limitMs: number;
  /** The advice if an answer takes longer. */
  readonly hint: string;
  /** True if the thread ends when nothing is asked any more, which frees its memory; default: it waits. */
  readonly endsAtOnce?: boolean;
}

interface Waiting<Asked> {
  readonly id: number;
  readonly asked: Asked;
  readonly settle: (result: Result<unknown>) => void;
}

/** Starts a thread with the first request, and a new one after an abandoned request. */
export function answeringThread<Asked, Answer>({
  file,
  what,
  limitMs,
  hint,
  endsAtOnce = false,
}: ThreadOptions): AnsweringThread<Asked, Answer> {
  let thread: Worker | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;
  /** The thread works on the first request; the others wait. */
  let queue: readonly Waiting<Asked>[] = [];

  function settleFirst(result: Result<unknown>): void {
    clearTimeout(timer);
    const [first, ...others] = queue;
    queue = others;
    first?.settle(result);
    if (endsAtOnce && queue.length === 0) void stop();
    else next();
  }
  const fail = (error: DynoError) => settleFirst({ ok: false, error: error.data });

  function start(): Worker {
    const made = new Worker(file);
    made.on('message', ({ id, result }: { readonly id: number; readonly result: Result<unknown> }) => {
      if (id === queue[0]?.id) settleFirst(result);
    });
    // A listener keeps the process alive, also if it is added after unref().
    made.unref();
    made.on('error', ({ message }) => {
      if (thread !== made) return;
      thread = null;
      fail(new DynoError('internal', `${what} failed: ${message}`));
    });
    return made;
  }

  async function stop(): Promise<void> {
    const stopped = thread;
    thread = null;
    await stopped?.terminate();
  }

  function next(): void {
    const [first] = queue;
    if (first === undefined) return;
    thread ??= start();
    thread.postMessage({ id: first.id, asked: first.asked });
    timer = setTimeout(() => {
      void stop();
      fail(new DynoError('timeout', `${what} took longer than ${limitMs / 1_000} s.`, { hint }));
    }, limitMs);
  }

  async function cancel(reason: string): Promise<void> {
    if (queue.length === 0) return;
    clearTimeout(timer);
    const given = queue;
    queue = [];
    const { data } = new DynoError('cancelled', reason);
    for (const { settle } of given) settle({ ok: false, error: data });
    await stop();
  }

  return {
    async ask(asked) {
      const { promise, resolve } = Promise.withResolvers<Result<unknown>>();
      queue = [...queue, { id: ++lastId, asked, settle: resolve }];
      if (queue.length === 1) next();
      const result = await promise;
      if (!result.ok) throw fromErrorData(result.error);
      return result.value as Answer;
    },
    cancel,
    async close() {
      await cancel(`${what} was closed.`);
      await stop();
    },
  };
}
