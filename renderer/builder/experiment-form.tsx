import type { ReactNode } from 'react';
import { TabPanel, Tabs } from 'react-aria-components/Tabs';
import type { Diagnostic } from '#model/text/diagnostic.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Notice } from '../ui/display/notice.tsx';
import type { Raw } from './draft/raw-experiment.ts';
import { MeasureSection } from './measure/measure-section.tsx';
import { Outline } from './outline/outline.tsx';
import { yamlShown } from './outline/outline-store.ts';
import { type SectionId, sections } from './outline/sections.ts';
import { shownSection } from './outline/shown-section.ts';
import { QuestionSection } from './question-section.tsx';
import { ChecksSection } from './statements/checks-section.tsx';
import { StatementsSection } from './statements/statements-section.tsx';
import { DatasetSection } from './tables/dataset-section.tsx';
import { TablesSection } from './tables/tables-section.tsx';
import { TargetsSection } from './targets/targets-section.tsx';
import { FactorsSection } from './workload/factors-section.tsx';
import { OptionsSection } from './workload/options-section.tsx';
import { WorkloadSection } from './workload/workload-section.tsx';

interface Props {
  /** The data of the last valid text. */
  readonly raw: Raw;
  /** True if the text is currently invalid. The form then shows the last valid data and is read-only. */
  readonly broken: boolean;
  /** Null until the text is checked. */
  readonly problems: readonly Diagnostic[] | null;
}

const contents: Readonly<Record<SectionId, (raw: Raw) => ReactNode>> = {
  question: (raw) => <QuestionSection raw={raw} />,
  servers: (raw) => <TargetsSection raw={raw} />,
  workload: (raw) => (
    <>
      <WorkloadSection raw={raw} />
      <StatementsSection raw={raw} />
      <DatasetSection raw={raw} />
      <TablesSection raw={raw} />
      <ChecksSection raw={raw} />
      <OptionsSection raw={raw} />
    </>
  ),
  factors: (raw) => <FactorsSection raw={raw} />,
  measurement: (raw) => <MeasureSection raw={raw} />,
};

const BrokenNotice = () => (
  <Notice tone="error" title="The YAML cannot be read">
    Correct it there; the form then follows.
    {!useStore(yamlShown) && (
      <p>
        <Button onPress={() => yamlShown.set(true)}>Show the YAML</Button>
      </p>
    )}
  </Notice>
);

/** The experiment file as a form: an outline, and the section that is chosen there. */
export const ExperimentForm = ({ raw, broken, problems }: Props) => (
  <Tabs
    className="builder-sections"
    orientation="vertical"
    selectedKey={useStore(shownSection)}
    onSelectionChange={(id) => shownSection.set(id as SectionId)}
  >
    <Outline raw={raw} problems={problems} />
    <section className="builder-form" aria-label="Form">
      {broken && <BrokenNotice />}
      {sections.map(({ id }) => (
        <TabPanel key={id} id={id} className="form">
          <div inert={broken}>{contents[id](raw)}</div>
        </TabPanel>
      ))}
    </section>
  </Tabs>
);
