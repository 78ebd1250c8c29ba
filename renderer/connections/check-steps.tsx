import { type CheckReport, checkStepTitles } from '#model/connections.ts';
import { formatMs } from '#model/format/format.ts';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { StepList } from '../ui/display/step-list.tsx';
import { TestProgress } from '../ui/display/test-progress.tsx';
import type { Test } from './test-store.ts';
import { texts } from './text.ts';

const Outcome = ({ report }: { readonly report: CheckReport }) => {
  const failed = report.steps.find(({ state }) => state === 'failed');
  const trip = report.roundTripMs === null ? '' : texts.checkSteps.roundTrip(formatMs(report.roundTripMs));
  const product = [report.product, report.emulator && texts.checkSteps.emulator(report.emulator), trip]
    .filter(Boolean)
    .join(', ');
  switch (report.state) {
    case 'running':
      return null;
    case 'failed':
      return (
        <Notice
          tone="error"
          title={texts.checkSteps.failed(failed ? checkStepTitles[failed.step] : texts.checkSteps.theTest)}
        >
          {product}
        </Notice>
      );
    case 'cancelled':
      return <Notice tone="info" title={texts.checkSteps.theTestWasCancelled} />;
    case 'limited':
      return (
        <Notice tone="warning" title={texts.checkSteps.worksSomethingIsMissing}>
          {product}
        </Notice>
      );
    case 'ok':
      return (
        <Notice tone="info" title={texts.checkSteps.everythingWorks}>
          {product}
        </Notice>
      );
  }
};

interface Props {
  readonly test: Test;
  readonly onCancel: () => void;
  /** True to show the engine's notice; the form of a connection shows it already. */
  readonly withNotice?: boolean;
}

/** The steps of a connection test, also while it runs. */
export const CheckSteps = ({ test, onCancel, withNotice = false }: Props) => {
  const { report, isRunning, problem } = test;
  return (
    <TestProgress
      problem={problem}
      outcome={report && <Outcome report={report} />}
      testing={isRunning ? texts.checkSteps.testing : null}
      cancel={texts.checkSteps.cancelTest}
      onCancel={onCancel}
    >
      {report && <StepList label={texts.checkSteps.stepsOfTheTest} titles={checkStepTitles} steps={report.steps} />}
      {withNotice && report?.notice && <p className="muted">{report.notice}</p>}
      {report?.cautions.map((caution) => (
        <p key={caution} className="muted">
          {caution}
        </p>
      ))}
      {report?.grants && <CopyBox label={texts.checkSteps.scriptForTheServerS} text={report.grants} />}
    </TestProgress>
  );
};
