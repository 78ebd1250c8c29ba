import { useEffect, useRef, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { annotateRun } from '../runs/run-actions.ts';
import { goTo } from '../state/navigation.ts';
import { runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { TextField } from '../ui/controls/fields.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';

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
    const timer = setTimeout(() => void annotateRun(runId, { note: text }), pauseMs);
    return () => clearTimeout(timer);
  }, [runId, text, kept]);
  // The last changes are saved when the user leaves the tab.
  useEffect(
    () => () => {
      if (latest.current.text !== latest.current.kept) void annotateRun(runId, { note: latest.current.text });
    },
    [runId],
  );
  return (
    <div className="view notes-view">
      <div>
        <TextField
          label="Note"
          help="A note on this run. The page Runs shows it and searches in it. Reports contain it; an exported run file does not."
          multiline
          value={text}
          onChange={setText}
        />
        <p className="faint" role="status">
          {text === kept ? (text === '' ? '' : 'Saved') : 'Editing…'}
        </p>
      </div>
      <OtherNotes runId={runId} />
    </div>
  );
};

/** The notes on other runs of the experiment, the newest run first. */
const OtherNotes = ({ runId }: { readonly runId: string }) => {
  const entries = useStore(runs) ?? [];
  const name = entries.find(({ id }) => id === runId)?.name;
  const others = entries
    .filter((run) => run.id !== runId && run.name === name && run.note !== '')
    .toSorted((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  return (
    <Panel
      label="Notes on other runs"
      title="Notes on other runs"
      about={others.length === 0 ? 'Notes on other runs of this experiment appear here.' : undefined}
    >
      {others.map(({ id, startedAt, note }) => (
        <article key={id} className="other-note">
          <AriaButton className="link" onPress={() => goTo({ page: 'run', runId: id })}>
            {formatMoment(startedAt)}
          </AriaButton>
          <p>{note}</p>
        </article>
      ))}
    </Panel>
  );
};
