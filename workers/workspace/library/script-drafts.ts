import type { SqlDraft } from './file-drafts.ts';
import type { ScriptDraftRequest } from './script-draft-thread.ts';
import { answeringThread } from './thread-answers.ts';

export interface ScriptDrafts {
  /** As `draftOfPasted`. A later call makes the one before give up ('cancelled'). */
  pasted(script: string, engine: string | null, rows: number): Promise<SqlDraft | null>;
  /** As `draftOfSql`. `dialect`: the id of an engine, or null if the script is to show it. */
  ofFile(name: string, script: string, dialect: string | null): Promise<SqlDraft | null>;
  close(): Promise<void>;
}

/** Reads SQL scripts in separate threads, because long scripts take time and must not block the caller. */
export function createScriptDrafts(): ScriptDrafts {
  const threadOf = (what: string) =>
    answeringThread<ScriptDraftRequest, SqlDraft | null>({
      ...{ file: new URL('./script-draft-thread.ts', import.meta.url), what },
      ...{ limitMs: 15_000, hint: 'Use a shorter script: the statements and tables that the experiment needs.' },
    });
  const typed = threadOf('The script');
  const files = threadOf('The file');
  return {
    pasted(script, engine, rows) {
      void typed.cancel('Another script was pasted.');
      return typed.ask({ kind: 'pasted', script, engine, rows });
    },
    ofFile: (name, script, dialect) => files.ask({ kind: 'file', name, script, dialect }),
    async close() {
      await Promise.all([typed.close(), files.close()]);
    },
  };
}
