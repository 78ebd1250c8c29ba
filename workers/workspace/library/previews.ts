import { Worker } from 'node:worker_threads';
import { readDataset } from '#experiment/dataset-file.ts';
import { DynoError, fromErrorData, type Result } from '#model/error.ts';
import { type Preview, type Previewed, previewRows } from '#protocol/preview.ts';
import type { PreviewRequest } from './preview-thread.ts';

export interface Previews {
  /**
   * The first rows of an experiment's dataset (`table`), or of one of its tables, whatever else is wrong with the text.
   * A later call makes the one before give up ('cancelled').
   */
  preview(text: string, table: string): Promise<Previewed>;
  close(): Promise<void>;
}

/** Nobody looks at more of a value than this. */
const longestShown = 400;
/** Lists of names for the largest pools take a few seconds on a slow machine. */
const patienceMs = 15_000;

interface Waiting {
  readonly id: number;
  readonly answer: (result: Result<Preview>) => void;
}

/** Makes rows in a thread of its own: large pools and long texts take time, and the caller must not block. */
export function createPreviews(): Previews {
  let thread: Worker | null = null;
  let waiting: Waiting | null = null;
  let lastId = 0;

  const settle = (result: Result<Preview>) => {
    waiting?.answer(result);
    waiting = null;
  };
  const fail = (error: DynoError) => settle({ ok: false, error: error.data });

  function start(): Worker {
    const made = new Worker(new URL('./preview-thread.ts', import.meta.url));
    made.unref();
    made.on('message', ({ id, result }: { readonly id: number; readonly result: Result<Preview> }) => {
      if (id === waiting?.id) settle(result);
    });
    made.on('error', (error) => {
      if (thread === made) thread = null;
      fail(new DynoError('internal', `The preview failed: ${error.message}`));
    });
    return made;
  }

  async function stop(): Promise<void> {
    const stopped = thread;
    thread = null;
    await stopped?.terminate();
  }

  return {
    async preview(text, table) {
      const { dataset, problems } = readDataset(text, table);
      if (dataset === null) return { problems };
      if (waiting !== null) {
        // Still at work on what nobody wants to see any more.
        fail(new DynoError('cancelled', 'Another preview was asked for.'));
        await stop();
      }
      thread ??= start();
      const id = ++lastId;
      const asked: PreviewRequest = { id, dataset, rows: previewRows, longest: longestShown };
      const { promise, resolve } = Promise.withResolvers<Result<Preview>>();
      waiting = { id, answer: resolve };
      thread.postMessage(asked);
      const timer = setTimeout(() => {
        fail(
          new DynoError('timeout', `The preview took longer than ${patienceMs / 1_000} s.`, {
            hint: 'Make pools, lists or texts smaller.',
          }),
        );
        void stop();
      }, patienceMs);
      const result = await promise;
      clearTimeout(timer);
      if (!result.ok) throw fromErrorData(result.error);
      return { preview: result.value };
    },
    async close() {
      fail(new DynoError('cancelled', 'The preview was closed.'));
      await stop();
    },
  };
}
