import { createInterface } from 'node:readline/promises';
import { DynoError } from '#model/error.ts';

/** Asks the user of a terminal, one question at a time. */
interface Questions extends Disposable {
  /**
   * The answer to a question, or `usual` for an empty one. It is asked again while `problem` has a sentence about the
   * answer. Without a terminal, nobody is asked. Throws 'cancelled' at Ctrl-C.
   */
  ask(question: string, usual: string, problem?: (answer: string) => string | null): Promise<string>;
}

/** Without a question, the usual answers. */
const silent: Questions = { ask: async (_, usual) => usual, [Symbol.dispose]() {} };

/** Questions on a terminal; `isAsking` false, or no terminal: nobody is asked. `note` prints problems of answers. */
export function openQuestions(isAsking: boolean, note: (text: string) => void): Questions {
  if (!isAsking || !process.stdin.isTTY || !process.stderr.isTTY) return silent;
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  terminal.on('SIGINT', () => stop.abort());
  terminal.on('close', () => stop.abort());
  return {
    async ask(question, usual, problem = () => null) {
      for (;;) {
        let answer: string;
        try {
          answer = (await terminal.question(`${question} [${usual}] `, { signal: stop.signal })).trim();
        } catch {
          throw new DynoError('cancelled', 'Cancelled.');
        }
        const given = answer === '' ? usual : answer;
        const wrong = problem(given);
        if (wrong === null) return given;
        note(wrong);
      }
    },
    [Symbol.dispose]: () => terminal.close(),
  };
}
