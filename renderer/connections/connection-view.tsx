import { appInfo } from '../state/app-info.ts';
import { connections } from '../state/connections.ts';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { CheckSteps } from './check-steps.tsx';
import {
  deleteConnection,
  duplicateConnection,
  formSubject,
  saveAndTest,
  saveForm,
  savingConnection,
  testForm,
} from './connection-actions.ts';
import { ConnectionForm } from './connection-form.tsx';
import { testedContent } from './connection-form-model.ts';
import type { ConnectionUse } from './connection-use.ts';
import { formHasChanges, type OpenForm, openForm } from './open-form.ts';
import { cancelTest, tests } from './test-store.ts';

interface FormProps extends ConnectionUse {
  readonly open: OpenForm;
}

const Actions = ({ open, onUse }: FormProps) => {
  const { form } = open;
  const saved = useStore(connections)?.connections.find(({ id }) => id === form.id);
  const isSaving = useStore(savingConnection);
  const isTesting = useStore(tests)[formSubject(form.key)]?.isRunning ?? false;
  const isUnchanged = form.id !== null && !formHasChanges(open);
  return (
    <>
      {saved && (
        <>
          <Button onPress={() => onUse(saved.name)}>Use in experiment</Button>
          <ActionMenu
            label={`Actions for ${saved.name}`}
            actions={[
              { id: 'duplicate', label: 'Duplicate', run: () => void duplicateConnection(saved) },
              { id: 'delete', label: 'Delete', run: () => void deleteConnection(saved) },
            ]}
          />
        </>
      )}
      <Button onPress={() => void testForm()} isDisabled={isTesting}>
        Test
      </Button>
      <Button onPress={() => void saveForm()} isDisabled={isUnchanged || isSaving}>
        Save
      </Button>
      <Button kind="primary" onPress={() => void saveAndTest()} isDisabled={isUnchanged || isSaving || isTesting}>
        Save and test
      </Button>
    </>
  );
};

const TestPanel = ({ open: { form, opinion } }: { readonly open: OpenForm }) => {
  const subject = formSubject(form.key);
  const test = useStore(tests)[subject];
  const grants = opinion?.grants ?? null;
  return (
    <Panel label="Test" title="Test">
      <div className="connection-test">
        {test && !test.isRunning && test.content !== testedContent(form) && (
          <p className="muted">This test ran before the last changes:</p>
        )}
        {test ? (
          <CheckSteps test={test} onCancel={() => cancelTest(subject)} />
        ) : (
          <p className="muted">
            A test checks host name, port, TLS, login, rights and server counters one by one, and names the step that
            fails. It creates a table and drops it, and changes nothing else.
          </p>
        )}
        {grants !== null && !test?.report?.grants && (
          <details>
            <summary>Script that grants this user the rights that Dyno needs</summary>
            <CopyBox label="For the server’s administrator" text={grants} />
          </details>
        )}
      </div>
    </Panel>
  );
};

const Form = ({ open, onUse }: FormProps) => {
  const { form, opinion, showAll } = open;
  const engine = useStore(appInfo)?.engines.find(({ id }) => id === form.engine);
  const problems = showAll ? (opinion?.problems.length ?? 0) : 0;
  const mark = form.id === null ? 'Not saved yet' : formHasChanges(open) ? 'Unsaved changes' : null;
  return (
    <>
      <PageHead
        title={form.name || 'New connection'}
        mark={mark && <span className="badge">{mark}</span>}
        subtitle={
          <p role="status">
            {problems > 0
              ? `${problems === 1 ? 'One field needs' : `${problems} fields need`} another look.`
              : [engine?.label, opinion?.address].filter(Boolean).join(' at ')}
          </p>
        }
        actions={<Actions open={open} onUse={onUse} />}
      />
      <div className="page-body connection">
        <section className="panel connection-panel" aria-label="Connection">
          <ConnectionForm open={open} />
        </section>
        <TestPanel open={open} />
      </div>
    </>
  );
};

export const ConnectionView = ({ onUse }: ConnectionUse) => {
  const open = useStore(openForm);
  return open ? (
    <Form open={open} onUse={onUse} />
  ) : (
    <EmptyState title="No connection is open">
      <p>Open a connection from the list, or add a new one there.</p>
      <Button onPress={() => goTo({ page: 'connections' })}>Connections</Button>
    </EmptyState>
  );
};
