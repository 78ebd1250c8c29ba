import { type CheckReport, type CheckStep, checkStepTitles } from '#model/connections.ts';
import { formatMs } from '#model/format/format.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import type { Test } from './test-store.ts';

const icons: Readonly<Record<CheckStep['state'], IconName>> = {
  waiting: 'clock',
  running: 'clock',
  ok: 'check',
  limited: 'warning',
  failed: 'error',
  skipped: 'skip',
  notTried: 'skip',
};
const words: Readonly<Record<CheckStep['state'], string>> = {
  waiting: 'not yet',
  running: 'under way',
  ok: 'works',
  limited: 'works in part',
  failed: 'failed',
  skipped: 'does not apply',
  notTried: 'not tried',
};

const Step = ({ step, state, ms, detail, error }: CheckStep) => (
  <li className="check-step" data-state={state}>
    <Icon name={icons[state]} />
    <div className="grow">
      <div className="check-step-line">
        <strong>{checkStepTitles[step]}</strong>
        <span className={state === 'notTried' || state === 'running' ? 'faint' : 'visually-hidden'}>
          {words[state]}
        </span>
        {ms !== null && <span className="faint">{formatMs(ms)}</span>}
      </div>
      {error ? (
        <>
          <p>{error.message}</p>
          {error.hint && <p className="check-step-hint">{error.hint}</p>}
        </>
      ) : (
        detail && <p className="check-step-detail">{detail}</p>
      )}
    </div>
  </li>
);

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
        <Notice tone="warning" title="Works; something is missing">
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
  /** Whether to show the engine's notice; the form of a connection shows it already. */
  readonly withNotice?: boolean;
}

/** The steps of a connection test, also while it runs. */
export const CheckSteps = ({ test, onCancel, withNotice = false }: Props) => {
  const { report, isRunning, problem } = test;
  return (
    <div className="check">
      <div role="status" className="check-outcome">
        {problem !== null && <Notice tone="error" title={problem} />}
        {report && <Outcome report={report} />}
        {isRunning && (
          <div className="row">
            <span className="grow muted">Testing…</span>
            <Button onPress={onCancel}>Cancel test</Button>
          </div>
        )}
      </div>
      {report && (
        <ol className="check-steps" aria-label="Steps of the test">
          {report.steps.map((step) => (
            <Step key={step.step} {...step} />
          ))}
        </ol>
      )}
      {withNotice && report?.notice && <p className="muted">{report.notice}</p>}
      {report?.grants && (
        <CopyBox label="Script for the server’s administrator: the least rights that Dyno needs" text={report.grants} />
      )}
    </div>
  );
};
