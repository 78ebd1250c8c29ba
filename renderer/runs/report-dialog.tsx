import { useState } from 'react';
import { type ReportFormat, reportFormats } from '#protocol/report-formats.ts';
import { reportAuthor } from '../state/preferences.ts';
import { reportQuestion } from '../state/report-question.ts';
import { runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { Checkbox, TextField } from '../ui/controls/fields.tsx';
import { Segmented } from '../ui/controls/segmented.tsx';
import { QuestionDialog } from '../ui/overlays/question-dialog.tsx';

type Question = NonNullable<ReturnType<typeof reportQuestion.get>>;

interface Props extends Pick<Question, 'purpose' | 'answer'> {
  readonly note: string;
}

const formats: Readonly<Record<ReportFormat, { readonly label: string; readonly about: string }>> = {
  html: { label: 'HTML', about: 'One file that any browser shows and prints.' },
  pdf: { label: 'PDF', about: 'A4 pages with bookmarks, for a mail or a printer.' },
};

const Choices = ({ note, purpose, answer }: Props) => {
  const isPrint = purpose === 'print';
  const [format, setFormat] = useState<ReportFormat>('html');
  const [author, setAuthor] = useState(reportAuthor.get());
  const [appendix, setAppendix] = useState(true);
  const [anonymous, setAnonymous] = useState(false);
  const save = () => {
    const named = author.trim();
    reportAuthor.set(named);
    answer({ choices: { anonymous, appendix, author: named }, format });
  };
  return (
    <QuestionDialog
      title={isPrint ? 'Print report' : 'Export report'}
      action={isPrint ? 'Print…' : 'Save report…'}
      focusAction
      onCancel={() => answer(null)}
      onAnswer={save}
    >
      <p className="muted">
        Two pages have the question, the answer, the picture, the quality of the data and the conditions.
      </p>
      {isPrint ? null : (
        <div className="report-format">
          <Segmented
            label="Format"
            choices={reportFormats.map((id) => ({ id, label: formats[id].label }))}
            value={format}
            onChange={(id) => setFormat(reportFormats.find((one) => one === id) ?? 'html')}
          />
          <span className="muted">{formats[format].about}</span>
        </div>
      )}
      <Checkbox
        label="Add an appendix: all numbers, findings, settings and the experiment file"
        checked={appendix}
        onChange={setAppendix}
      />
      <Checkbox
        label="Replace the names of engines and targets by letters, because some licences forbid publishing benchmarks by name"
        checked={anonymous}
        onChange={setAnonymous}
      />
      <TextField
        label="Author"
        help="The report names the author under its title."
        value={author}
        onChange={setAuthor}
      />
      <p className="muted">
        {note === ''
          ? 'This run has no note. A note that you write under “Notes” becomes part of the report.'
          : anonymous
            ? 'The note on this run is left out, because it may contain names.'
            : 'The report contains your note on this run.'}
      </p>
    </QuestionDialog>
  );
};

/** Asks what the report of a run contains. */
export const ReportDialog = () => {
  const asked = useStore(reportQuestion);
  const entries = useStore(runs);
  if (asked === null) return null;
  const note = entries?.find(({ id }) => id === asked.runId)?.note ?? '';
  return <Choices key={`${asked.purpose} ${asked.runId}`} {...asked} note={note.trim()} />;
};
