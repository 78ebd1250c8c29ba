import { formatRate } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
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

const natsServer = 'nats-server';

const Outcome = ({ report }: { readonly report: LoadHostReport }) => {
  const { state, steps, machine, callsPerSecond } = report;
  const failed = steps.find((one) => one.state === 'failed');
  switch (state) {
    case 'running':
      return null;
    case 'failed':
      return <Notice tone="error" title={`${failed ? loadHostStepTitles[failed.step] : 'The test'} failed`} />;
    case 'cancelled':
      return <Notice tone="info" title="The test was cancelled" />;
    default:
      return (
        <Notice tone="info" title="Everything works">
          {machine && callsPerSecond !== null
            ? `${many(machine.cores, 'core')}, ${formatRate(callsPerSecond, 'calls/s')} with the no-op engine and one process. The test left nothing on the host.`
            : null}
        </Notice>
      );
  }
};

/** Installs nats-server if the test has found that it is missing. */
const InstallNats = ({ onDone }: { readonly onDone: () => void }) => {
  const now = useStore(installing);
  return now?.tool === natsServer ? (
    <div className="server-installing">
      <ProgressBar label="Install nats-server" fraction={now.fraction} />
      <p className="faint">{now.activity}</p>
    </div>
  ) : (
    <Button
      icon="download"
      isDisabled={now !== null}
      onPress={() => void installServer('nats-server', natsServer).then(onDone)}
    >
      Install nats-server
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
    <Dialog title={`Test ${host.name}`} open onClose={closeHostTest}>
      <div className="dialog-body">
        <TestProgress
          problem={problem}
          outcome={report && <Outcome report={report} />}
          testing={isRunning ? 'Testing…' : null}
          cancel="Cancel test"
          onCancel={cancelHostTest}
        >
          {report && <StepList label="Steps of the test" titles={loadHostStepTitles} steps={report.steps} />}
          {lacksNats && <InstallNats onDone={() => void testHost(host)} />}
        </TestProgress>
        <div className="dialog-actions">
          {!isRunning && <Button onPress={() => void testHost(host)}>Test again</Button>}
          <Button onPress={closeHostTest}>Close</Button>
        </div>
      </div>
    </Dialog>
  );
};
