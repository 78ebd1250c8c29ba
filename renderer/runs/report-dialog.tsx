import { useState } from 'react';
import { longestName, type ReportChoices, reportSections, type SectionName } from '#protocol/report-choices.ts';
import { isFolderFormat, type ReportFormat, reportFormats } from '#protocol/report-formats.ts';
import { reportAuthor, reportPreferences } from '../state/preferences.ts';
import { reportQuestion } from '../state/report-question.ts';
import { runs } from '../state/runs.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Checkbox, Select, TextField } from '../ui/controls/fields.tsx';
import { QuestionDialog } from '../ui/overlays/question-dialog.tsx';
import { LogoField } from './logo-field.tsx';

type Question = NonNullable<ReturnType<typeof reportQuestion.get>>;

interface Props extends Pick<Question, 'purpose' | 'answer'> {
  readonly note: string;
}

const formats: Readonly<Record<ReportFormat, { readonly label: string; readonly about: string }>> = {
  html: { label: 'HTML', about: 'One file that any browser shows and prints.' },
  pdf: { label: 'PDF', about: 'A4 pages with bookmarks, for a mail or a printer.' },
  markdown: { label: 'Markdown', about: 'Text and tables without charts, for a wiki or a repository.' },
  csv: { label: 'CSV tables', about: 'A folder with all numbers, second by second, for a spreadsheet.' },
  parquet: { label: 'Parquet tables', about: 'A folder with all numbers, second by second, for a program.' },
  svg: { label: 'SVG pictures', about: 'A folder with every chart as a drawing.' },
  png: { label: 'PNG pictures', about: 'A folder with every chart as a picture.' },
};

const sectionLabels: Readonly<Record<SectionName, string>> = {
  answer: 'Answer',
  picture: 'Picture',
  caveats: 'Data quality',
  note: 'Note',
  conditions: 'Conditions',
  numbers: 'All numbers',
  history: 'History',
  findings: 'Findings',
  latency: 'Latency',
  time: 'Over time',
  plans: 'Query plans',
  settings: 'Settings',
  checks: 'Checks',
  machine: 'Machine',
  experiment: 'Experiment file',
};

const firstPages: readonly SectionName[] = ['answer', 'picture', 'caveats', 'note', 'conditions'];

const Choices = ({ note, purpose, answer }: Props) => {
  const isPrint = purpose === 'print';
  const [{ format: remembered, ...kept }] = useState(reportPreferences.get());
  const [format, setFormat] = useState<ReportFormat>(isPrint ? 'html' : remembered);
  const [choices, setChoices] = useState<ReportChoices>({ ...kept, title: '', author: reportAuthor.get() });
  const { sections, title, author, logo, hidesEngines, hidesHosts } = choices;
  const change = (changes: Partial<ReportChoices>) => setChoices({ ...choices, ...changes });
  const isDocument = !isFolderFormat(format);
  const save = () => {
    const named = author.trim();
    reportAuthor.set(named);
    reportPreferences.set({ sections, logo, hidesEngines, hidesHosts, format: isPrint ? remembered : format });
    answer({ choices: { ...choices, title: title.trim(), author: named }, format });
  };
  return (
    <QuestionDialog
      title={isPrint ? 'Print report' : 'Export report'}
      action={isPrint ? 'Print…' : 'Save report…'}
      isWide
      isReady={!isDocument || sections.length > 0}
      focusAction
      onCancel={() => answer(null)}
      onAnswer={save}
    >
      {!isPrint && (
        <Select
          label="Format"
          help={formats[format].about}
          choices={reportFormats.map((id) => ({ id, label: formats[id].label }))}
          value={format}
          onChange={(id) => setFormat(id as ReportFormat)}
        />
      )}
      {isDocument && (
        <>
          <div className="report-names">
            <TextField
              label="Title"
              placeholder="Name of the experiment"
              value={title}
              onChange={(typed) => change({ title: typed.slice(0, longestName) })}
            />
            <TextField
              label="Author"
              placeholder="Nobody is named"
              value={author}
              onChange={(typed) => change({ author: typed.slice(0, longestName) })}
            />
          </div>
          <Sections chosen={sections} onChange={(chosen) => change({ sections: chosen })} />
          {format !== 'markdown' && <LogoField logo={logo} onChange={(picked) => change({ logo: picked })} />}
        </>
      )}
      <fieldset className="report-hidden">
        <legend className="label">Names that are replaced</legend>
        <Checkbox
          label="Engines and targets become letters, because some licences forbid publishing benchmarks by name"
          checked={hidesEngines}
          onChange={(checked) => change({ hidesEngines: checked })}
        />
        <Checkbox
          label="Hosts, users, databases and paths become numbers"
          checked={hidesHosts}
          onChange={(checked) => change({ hidesHosts: checked })}
        />
      </fieldset>
      {isDocument && sections.includes('note') && (
        <p className="muted">
          {note === ''
            ? 'This run has no note. A note that you write under “Notes” becomes part of the report.'
            : hidesEngines
              ? 'The note on this run is left out, because it may contain names.'
              : 'The report contains your note on this run.'}
        </p>
      )}
    </QuestionDialog>
  );
};

interface SectionsProps {
  readonly chosen: readonly SectionName[];
  readonly onChange: (chosen: SectionName[]) => void;
}

const Sections = ({ chosen, onChange }: SectionsProps) => (
  <fieldset className="report-sections">
    <legend className="label">Sections</legend>
    <div className="report-sections-grid">
      {reportSections.map((name) => (
        <Checkbox
          key={name}
          label={sectionLabels[name]}
          checked={chosen.includes(name)}
          onChange={(checked) =>
            onChange(reportSections.filter((one) => (one === name ? checked : chosen.includes(one))))
          }
        />
      ))}
    </div>
    <div className="row">
      <Button kind="quiet" onPress={() => onChange([...reportSections])}>
        All sections
      </Button>
      <Button kind="quiet" onPress={() => onChange([...firstPages])}>
        First two pages
      </Button>
    </div>
  </fieldset>
);

/** Asks what the report of a run contains. */
export const ReportDialog = () => {
  const asked = useStore(reportQuestion);
  const entries = useStore(runs);
  if (asked === null) return null;
  const note = entries?.find(({ id }) => id === asked.runId)?.note ?? '';
  return <Choices key={`${asked.purpose} ${asked.runId}`} {...asked} note={note.trim()} />;
};
