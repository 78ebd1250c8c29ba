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
import { TargetsSection } from './targets/targets-section.tsx';
import { FactorsSection } from './workload/factors-section.tsx';
import { WorkloadTabs } from './workload/workload-tabs.tsx';

interface Props {
  /** The data of the last valid text. */
  readonly raw: Raw;
  /** True if the text is currently invalid. The form then shows the last valid data and is read-only. */
  readonly broken: boolean;
  /** Null until the text is checked. */
  readonly problems: readonly Diagnostic[] | null;
}

type Content = (props: { readonly raw: Raw; readonly problems: Props['problems'] }) => ReactNode;

const contents: Readonly<Record<SectionId, Content>> = {
  question: ({ raw }) => <QuestionSection raw={raw} />,
  targets: ({ raw }) => <TargetsSection raw={raw} />,
  workload: ({ raw, problems }) => <WorkloadTabs raw={raw} problems={problems} />,
  factors: ({ raw }) => <FactorsSection raw={raw} />,
  measurement: ({ raw }) => <MeasureSection raw={raw} />,
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
          <div inert={broken}>{contents[id]({ raw, problems })}</div>
        </TabPanel>
      ))}
    </section>
  </Tabs>
);
