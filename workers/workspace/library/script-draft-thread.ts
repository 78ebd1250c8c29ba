import { draftOfPasted, draftOfSql } from './file-drafts.ts';
import { dialects } from './script-dialects.ts';
import { answerRequests } from './thread-requests.ts';

/** A request of `createScriptDrafts` to its thread. `dialect`: the id of the engine in whose dialect a file is read. */
export type ScriptDraftRequest =
  | { readonly kind: 'pasted'; readonly script: string; readonly engine: string | null; readonly rows: number }
  | { readonly kind: 'file'; readonly name: string; readonly script: string; readonly dialect: string | null };

answerRequests((asked: ScriptDraftRequest) =>
  asked.kind === 'pasted'
    ? draftOfPasted(asked.script, asked.engine, asked.rows)
    : draftOfSql(
        asked.name,
        asked.script,
        dialects.find(({ id }) => id === asked.dialect),
      ),
);
