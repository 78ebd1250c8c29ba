import type { SavedConnection } from '#model/connections.ts';
import { DynoError } from '#model/error.ts';
import type { PlannedFile } from '#planning/plan-experiment.ts';
import type { CheckRequest } from './check-thread.ts';
import { answeringThread } from './thread-answers.ts';

export interface Checks {
  /** Parses and plans a text. A check that takes too long is a problem of the text. @throws 'cancelled' */
  check(text: string, connections: readonly SavedConnection[], folder?: string): Promise<PlannedFile>;
  /** Abandons the running check. */
  cancelAll(): void;
  close(): Promise<void>;
}

/** Many times the duration of the largest valid experiment (hostile-experiments.test.ts). */
const checkLimitMs = 15_000;

/** Checks and plans experiments in a separate thread, so that no text can block the caller. */
export function createChecks(limitMs = checkLimitMs): Checks {
  const thread = answeringThread<CheckRequest, PlannedFile>({
    file: new URL('./check-thread.ts', import.meta.url),
    what: 'The check of this experiment',
    limitMs,
    hint: 'Make it smaller: fewer levels, columns or statements.',
  });
  return {
    async check(text, connections, folder) {
      try {
        return await thread.ask({ text, connections, folder: folder ?? null });
      } catch (thrown) {
        if (!(thrown instanceof DynoError) || thrown.data.kind !== 'timeout') throw thrown;
        const { message, hint } = thrown.data;
        const place = { line: 1, column: 1, endLine: 1, endColumn: 1 };
        return {
          plan: null,
          diagnostics: [{ severity: 'error', ...place, path: '', message, suggestion: hint }],
        };
      }
    },
    cancelAll: () => void thread.cancel('The page that asked is gone.'),
    close: thread.close,
  };
}
