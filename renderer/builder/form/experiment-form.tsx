import { useMemo, useRef } from 'react';
import { Notice } from '../../ui/notice.tsx';
import { DatasetSection } from './dataset-section.tsx';
import { FactorsSection } from './factors-section.tsx';
import { type Raw, readRaw } from './form-model.ts';
import { MeasureSection } from './measure-section.tsx';
import { QuestionSection } from './question-section.tsx';
import { TargetsSection } from './targets-section.tsx';
import { WorkloadSection } from './workload-section.tsx';

/** The file as a form. While the text is broken the last readable state stays in sight, but cannot be edited. */
export const ExperimentForm = ({ text }: { readonly text: string }) => {
  // Not deferred: a field that shows an older text while somebody types loses what they type.
  const raw = useMemo(() => readRaw(text), [text]);
  const last = useRef<Raw>({});
  if (raw) last.current = raw;
  const shown = raw ?? last.current;
  return (
    <div className="form">
      {!raw && (
        <Notice tone="error" title="The YAML cannot be read">
          Mend it on the right; the form then follows.
        </Notice>
      )}
      <div inert={!raw}>
        <QuestionSection raw={shown} />
        <TargetsSection raw={shown} />
        <FactorsSection raw={shown} />
        <DatasetSection raw={shown} />
        <WorkloadSection raw={shown} />
        <MeasureSection raw={shown} />
      </div>
    </div>
  );
};
