import { type CheckReport, type CheckStep, checkStepTitles } from '#model/connections.ts';
import { formatMs } from '#model/format/format.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import type { Test } from './test-store.ts';
import { texts } from './text.ts';

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
  waiting: texts.checkSteps.notYet,
  running: texts.checkSteps.underWay,
  ok: 'works',
  limited: texts.checkSteps.worksInPart,
  failed: 'failed',
  skipped: texts.checkSteps.doesNotApply,
  notTried: texts.checkSteps.notTried,
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
            <span className="grow muted">{texts.checkSteps.testing}</span>
            <Button onPress={onCancel}>{texts.checkSteps.cancelTest}</Button>
          </div>
        )}
      </div>
      {report && (
        <ol className="check-steps" aria-label={texts.checkSteps.stepsOfTheTest}>
          {report.steps.map((step) => (
            <Step key={step.step} {...step} />
          ))}
        </ol>
      )}
      {withNotice && report?.notice && <p className="muted">{report.notice}</p>}
      {report?.grants && <CopyBox label={texts.checkSteps.scriptForTheServerS} text={report.grants} />}
    </div>
  );
};
