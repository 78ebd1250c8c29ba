import type { Previewed } from '#protocol/preview.ts';
import type { PreviewRequest } from './preview-thread.ts';
import { answeringThread } from './thread-answers.ts';

export interface Previews {
  /**
   * The first rows of an experiment's dataset (`table`), or of one of its tables, whatever else is wrong with the text.
   * A later call makes the one before give up ('cancelled').
   */
  preview(text: string, table: string): Promise<Previewed>;
  close(): Promise<void>;
}

/**
 * Generates rows in a separate thread, because large pools, long texts and files take time and must not block the
 * caller. `folder`: that of the files that experiments name.
 */
export function createPreviews(folder: string): Previews {
  const thread = answeringThread<PreviewRequest, Previewed>({
    file: new URL('./preview-thread.ts', import.meta.url),
    what: 'The preview',
    // Lists of names for the largest pools take a few seconds on a slow machine.
    limitMs: 15_000,
    hint: 'Make pools, lists or texts smaller.',
  });
  return {
    preview(text, table) {
      // The thread would still work on a preview that nobody wants any more.
      void thread.cancel('Another preview was asked for.');
      return thread.ask({ text, table, folder });
    },
    close: thread.close,
  };
}
