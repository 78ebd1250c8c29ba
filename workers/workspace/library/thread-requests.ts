import { parentPort } from 'node:worker_threads';
import { type Result, toErrorData } from '#model/error.ts';

/** Answers each request in a thread of `answeringThread` (thread-answers.ts). Errors of `answer` are sent as data. */
export function answerRequests<Asked>(answer: (asked: Asked) => unknown): void {
  const resultOf = async (asked: Asked): Promise<Result<unknown>> => {
    try {
      return { ok: true, value: await answer(asked) };
    } catch (thrown) {
      return { ok: false, error: toErrorData(thrown) };
    }
  };
  parentPort?.on('message', async ({ id, asked }: { readonly id: number; readonly asked: Asked }) => {
    parentPort?.postMessage({ id, result: await resultOf(asked) });
  });
}
