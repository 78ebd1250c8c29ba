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
  /** The file as it was last readable. */
  readonly raw: Raw;
  /** It is not readable now: the last state stays in sight, but cannot be edited. */
  readonly broken: boolean;
}

/** The file as a form. */
export const ExperimentForm = ({ raw, broken }: Props) => (
  <div className="form">
    {broken && (
      <Notice tone="error" title="The YAML cannot be read">
        Mend it on the right; the form then follows.
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
