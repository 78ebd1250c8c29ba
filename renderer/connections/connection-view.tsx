import { appInfo } from '../state/app-info.ts';
import { connections } from '../state/connections.ts';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/button.tsx';
import { CopyBox } from '../ui/copy-box.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ActionMenu } from '../ui/menu.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { Panel } from '../ui/panel.tsx';
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

const Form = ({ open, onUse }: ConnectionUse & { readonly open: OpenForm }) => {
  const { form, opinion, showAll } = open;
  const engine = useStore(appInfo)?.engines.find(({ id }) => id === form.engine);
  const saved = useStore(connections)?.connections.find(({ id }) => id === form.id);
  const isSaving = useStore(savingConnection);
  const subject = formSubject(form.key);
  const test = useStore(tests)[subject];
  const dirty = form.id === null || formHasChanges(open);
  const grants = opinion?.grants ?? null;
  const problems = showAll ? (opinion?.problems.length ?? 0) : 0;
  return (
    <>
      <PageHead
        title={form.name || 'New connection'}
        mark={dirty && <span className="badge">{form.id === null ? 'Not saved yet' : 'Unsaved changes'}</span>}
        subtitle={
          <p role="status">
            {problems > 0
              ? `${problems === 1 ? 'One field needs' : `${problems} fields need`} another look.`
              : [engine?.label, opinion?.address].filter(Boolean).join(' at ')}
          </p>
        }
        actions={
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
            <Button onPress={() => void testForm()} isDisabled={test?.isRunning ?? false}>
              Test
            </Button>
            <Button onPress={() => void saveForm()} isDisabled={!dirty || isSaving}>
              Save
            </Button>
            <Button
              kind="primary"
              onPress={() => void saveAndTest()}
              isDisabled={!dirty || isSaving || (test?.isRunning ?? false)}
            >
              Save and test
            </Button>
          </>
        }
      />
      <div className="page-body connection">
        <section className="panel connection-panel" aria-label="Connection">
          <ConnectionForm open={open} />
        </section>
        <Panel label="Test" title="Test">
          <div className="connection-test">
            {test && !test.isRunning && test.content !== testedContent(form) && (
              <p className="muted">Tested before the last changes:</p>
            )}
            {test ? (
              <CheckSteps test={test} onCancel={() => cancelTest(subject)} />
            ) : (
              <p className="muted">
                A test walks from the name of the host to port, TLS, login, rights and server counters, and names the
                step that fails. It makes a table and drops it; nothing else is touched.
              </p>
            )}
            {grants !== null && !test?.report?.grants && (
              <details>
                <summary>Script that gives this user the rights Dyno needs</summary>
                <CopyBox label="For the server’s administrator" text={grants} />
              </details>
            )}
          </div>
        </Panel>
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
      <p>Open one from the list, or add one there.</p>
      <Button onPress={() => goTo({ page: 'connections' })}>Connections</Button>
    </EmptyState>
  );
};
