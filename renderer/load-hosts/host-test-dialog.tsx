import { formatCount, formatRate } from '#model/format/format.ts';
import { type LoadHostReport, loadHostStepTitles } from '#model/load-host-check.ts';
import { installing, installServer } from '../connections/server-install.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { ProgressBar } from '../ui/display/progress-bar.tsx';
import { StepList } from '../ui/display/step-list.tsx';
import { TestProgress } from '../ui/display/test-progress.tsx';
import { Dialog } from '../ui/overlays/dialog.tsx';
import { cancelHostTest, closeHostTest, hostTest, testHost } from './host-tests.ts';
import { texts } from './text.ts';

const natsServer = 'nats-server';

const Outcome = ({ report }: { readonly report: LoadHostReport }) => {
  const { state, steps, machine, callsPerSecond } = report;
  const failed = steps.find((one) => one.state === 'failed');
  switch (state) {
    case 'running':
      return null;
    case 'failed':
      return (
        <Notice
          tone="error"
          title={texts.hostTestDialog.failed(failed ? loadHostStepTitles[failed.step] : texts.hostTestDialog.theTest)}
        />
      );
    case 'cancelled':
      return <Notice tone="info" title={texts.hostTestDialog.cancelled} />;
    default:
      return (
        <Notice tone="info" title={texts.hostTestDialog.works}>
          {machine && callsPerSecond !== null
            ? texts.hostTestDialog.machine(
                texts.hostTestDialog.cores(formatCount(machine.cores)),
                formatRate(callsPerSecond, 'calls/s'),
              )
            : null}
        </Notice>
      );
  }
};

/** Fetches nats-server where its lack is what a test has found. */
const InstallNats = ({ onDone }: { readonly onDone: () => void }) => {
  const now = useStore(installing);
  return now?.tool === natsServer ? (
    <div className="server-installing">
      <ProgressBar label={texts.hostTestDialog.installNats} fraction={now.fraction} />
      <p className="faint">{now.activity}</p>
    </div>
  ) : (
    <Button
      icon="download"
      isDisabled={now !== null}
      onPress={() => void installServer(texts.hostTestDialog.natsServer, natsServer).then(onDone)}
    >
      {texts.hostTestDialog.installNats}
    </Button>
  );
};

/** The steps of the test of a load host, also while it runs. */
export const HostTestDialog = () => {
  const test = useStore(hostTest);
  if (!test) return null;
  const { host, report, isRunning, problem } = test;
  const lacksNats =
    'ssh' in host && report?.steps.some(({ step, error }) => step === 'bus' && error?.kind === 'unsupported');
  return (
    <Dialog title={texts.hostTestDialog.testOf(host.name)} open onClose={closeHostTest}>
      <div className="dialog-body">
        <TestProgress
          problem={problem}
          outcome={report && <Outcome report={report} />}
          testing={isRunning ? texts.hostTestDialog.testing : null}
          cancel={texts.hostTestDialog.cancelTest}
          onCancel={cancelHostTest}
        >
          {report && <StepList label={texts.hostTestDialog.steps} titles={loadHostStepTitles} steps={report.steps} />}
          {lacksNats && <InstallNats onDone={() => void testHost(host)} />}
        </TestProgress>
        <div className="dialog-actions">
          {!isRunning && <Button onPress={() => void testHost(host)}>{texts.hostTestDialog.testAgain}</Button>}
          <Button onPress={closeHostTest}>{texts.hostTestDialog.close}</Button>
        </div>
      </div>
    </Dialog>
  );
};
