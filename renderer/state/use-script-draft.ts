import { useEffect, useState } from 'react';
import { toErrorData } from '#model/error.ts';
import { errorText } from '#model/error-text.ts';
import type { DraftedSql } from '#protocol/ipc.ts';
import { request } from './bridge.ts';

const typingPauseMs = 250;

/** The experiment that Dyno made of a script, or the reason why the script could not be read. */
interface ScriptDraft {
  /** False while a newer script is being read. */
  readonly isCurrent: boolean;
  readonly draft: DraftedSql | null;
  readonly problem: string | null;
}

/** The experiment of a script, read again after each pause in typing. Null for an empty script. */
export function useScriptDraft(script: string, engine: string | null, rows: number): ScriptDraft | null {
  const [read, setRead] = useState<(Omit<ScriptDraft, 'isCurrent'> & { readonly of: string }) | null>(null);
  const of = JSON.stringify([script, engine, rows]);
  useEffect(() => {
    if (script.trim() === '') return;
    let isLatest = true;
    const timer = setTimeout(() => {
      request('statements:draft', { script, engine, rows }).then(
        ({ draft }) => isLatest && setRead({ of, draft, problem: null }),
        (thrown) => isLatest && setRead({ of, draft: null, problem: errorText(toErrorData(thrown)) }),
      );
    }, typingPauseMs);
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [script, engine, rows, of]);
  return script.trim() === '' || read === null ? null : { ...read, isCurrent: read.of === of };
}
