import { Tab, TabList } from 'react-aria-components/Tabs';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Raw } from '../draft/raw-experiment.ts';
import { type SectionStatus, sections, statusOf, summaryOf } from './sections.ts';

const icons = { ok: 'check', warning: 'warning', error: 'error' } as const;
const spoken: Readonly<Record<SectionStatus, string>> = {
  ok: '',
  warning: ', has warnings',
  error: ', has errors',
};

interface Props {
  readonly raw: Raw;
  /** Null until the file is checked. */
  readonly problems: readonly Diagnostic[] | null;
}

/** The status of a section or of a part of it. */
export const StatusMark = ({ status }: { readonly status: SectionStatus }) => (
  <span className={`outline-mark outline-${status}`}>
    <Icon name={icons[status]} />
    <span className="visually-hidden">{spoken[status]}</span>
  </span>
);

/** The sections of the form, each with its status and a one-line summary. */
export const Outline = ({ raw, problems }: Props) => (
  <TabList className="outline" aria-label="Sections of the experiment">
    {sections.map(({ id, label }) => {
      const status = problems && statusOf(id, problems);
      const summary = summaryOf(id, raw);
      return (
        <Tab key={id} id={id} className="outline-entry">
          <span className="outline-label">{label}</span>
          {status && <StatusMark status={status} />}
          <span className="outline-summary" title={summary}>
            {summary}
          </span>
        </Tab>
      );
    })}
  </TabList>
);
