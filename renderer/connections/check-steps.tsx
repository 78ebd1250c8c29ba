import { type CheckReport, checkStepTitles } from '#model/connections.ts';
import { formatMs } from '#model/format/format.ts';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { StepList } from '../ui/display/step-list.tsx';
import { TestProgress } from '../ui/display/test-progress.tsx';
import type { Test } from './test-store.ts';

const Outcome = ({ report }: { readonly report: CheckReport }) => {
  const failed = report.steps.find(({ state }) => state === 'failed');
  const trip = report.roundTripMs === null ? '' : `round trip ${formatMs(report.roundTripMs)}`;
  const product = [report.product, report.emulator && `emulator: ${report.emulator}`, trip].filter(Boolean).join(', ');
  switch (report.state) {
    case 'running':
      return null;
    case 'failed':
      return (
        <Notice tone="error" title={`${failed ? checkStepTitles[failed.step] : 'The test'} failed`}>
          {product}
        </Notice>
      );
    case 'cancelled':
      return <Notice tone="info" title="The test was cancelled" />;
    case 'limited':
      return (
        <Notice tone="warning" title="The connection works, but something is missing">
          {product}
        </Notice>
      );
    case 'ok':
      return (
        <Notice tone="info" title="Everything works">
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
      testing={isRunning ? 'Testing…' : null}
      cancel="Cancel test"
      onCancel={onCancel}
    >
      {report && <StepList label="Steps of the test" titles={checkStepTitles} steps={report.steps} />}
      {withNotice && report?.notice && <p className="muted">{report.notice}</p>}
      {report?.cautions.map((caution) => (
        <p key={caution} className="muted">
          {caution}
        </p>
      ))}
      {report?.grants && (
        <CopyBox
          label="Script for the server’s administrator: it grants the least rights that Dyno needs"
          text={report.grants}
        />
      )}
    </TestProgress>
  );
};
