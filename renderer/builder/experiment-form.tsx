import { Notice } from '../ui/notice.tsx';
import type { Raw } from './draft/raw-experiment.ts';
import { MeasureSection } from './measure/measure-section.tsx';
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
  /** Data of the last valid text. */
  readonly raw: Raw;
  /** True if the text is not valid now: the form then shows the last valid data, and cannot be edited. */
  readonly broken: boolean;
}

/** The experiment file as a form. */
export const ExperimentForm = ({ raw, broken }: Props) => (
  <div className="form">
    {broken && (
      <Notice tone="error" title="The YAML cannot be read">
        Correct it on the right; the form then follows.
      </Notice>
    )}
    <div inert={broken}>
      <QuestionSection raw={raw} />
      <TargetsSection raw={raw} />
      <FactorsSection raw={raw} />
      <DatasetSection raw={raw} />
      <TablesSection raw={raw} />
      <WorkloadSection raw={raw} />
      <StatementsSection raw={raw} />
      <ChecksSection raw={raw} />
      <OptionsSection raw={raw} />
      <MeasureSection raw={raw} />
    </div>
  </div>
);
