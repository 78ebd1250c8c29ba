import { useEffect, useRef, useState } from 'react';
import { annotateRun } from '../runs/run-actions.ts';
import { runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { TextField } from '../ui/controls/fields.tsx';

/** The note is saved after this time without a keystroke. */
const pauseMs = 600;

/** The user's note on a run, which is saved automatically. */
export const NotesView = ({ runId }: { readonly runId: string }) => {
  const kept = useStore(runs)?.find(({ id }) => id === runId)?.note ?? '';
  const [text, setText] = useState(kept);
  const latest = useRef({ text, kept });
  latest.current = { text, kept };
  useEffect(() => {
    if (text === kept) return;
    const timer = setTimeout(() => void annotateRun(runId, text), pauseMs);
    return () => clearTimeout(timer);
  }, [runId, text, kept]);
  // The last changes are saved when the user leaves the tab.
  useEffect(
    () => () => {
      if (latest.current.text !== latest.current.kept) void annotateRun(runId, latest.current.text);
    },
    [runId],
  );
  return (
    <div className="view notes-view">
      <TextField
        label="Note"
        help="A note on this run. The page Runs shows it and searches in it. It is stored beside the run file and is not exported."
        multiline
        value={text}
        onChange={setText}
      />
      <p className="faint" role="status">
        {text === kept ? (text === '' ? '' : 'Saved') : 'Editing…'}
      </p>
    </div>
  );
};
