import { parentPort } from 'node:worker_threads';
import { type Result, toErrorData } from '#model/error.ts';

/** Answers each request in a thread of `answeringThread` (thread-answers.ts). Errors of `answer` are sent as data. */
export function answerRequests<Asked>(answer: (asked: Asked) => unknown): void {
  const resultOf = (asked: Asked): Result<unknown> => {
    try {
      return { ok: true, value: answer(asked) };
    } catch (thrown) {
      return { ok: false, error: toErrorData(thrown) };
    }
  };
  parentPort?.on('message', ({ id, asked }: { readonly id: number; readonly asked: Asked }) =>
    parentPort?.postMessage({ id, result: resultOf(asked) }),
  );
}
