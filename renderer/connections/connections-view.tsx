import { Button as AriaButton } from 'react-aria-components/Button';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { type CheckSummary, type ConnectionEntry, checkStepTitles } from '#model/connections.ts';
import { formatMs } from '#model/format/format.ts';
import { isReference } from '#model/reference.ts';
import { Swatch } from '../charts/swatch.tsx';
import { appInfo } from '../state/app-info.ts';
import { connections } from '../state/connections.ts';
import { goTo } from '../state/navigation.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { Icon } from '../ui/icon.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';
import { BuiltInTargets } from './built-in-targets.tsx';
import { cleanUp } from './clean-dialog.tsx';
import { deleteConnection, duplicateConnection } from './connection-actions.ts';
import type { ConnectionUse } from './connection-use.ts';
import { importConnections } from './import-dialog.tsx';
import { MissingServers } from './missing-servers.tsx';
import { editConnection, newConnection } from './open-connection.ts';
import { formHasChanges, openForm } from './open-form.ts';
import { missingServers } from './server-install.ts';
import { testOf } from './test-dialog.tsx';

const passwordWords = { stored: 'stored', ask: 'asked for' } as const;

function passwordText({ values, passwords }: ConnectionEntry): string {
  const places = Object.values(passwords).map((place) =>
    typeof place === 'string' ? passwordWords[place] : 'printed by a command',
  );
  const fromEnvironment = Object.values(values).some(isReference) ? ['from the environment'] : [];
  return [...new Set([...places, ...fromEnvironment])].join(', ');
}

const LastCheck = ({ check }: { readonly check: CheckSummary | null }) => {
  if (!check) return <span className="faint">not tested yet</span>;
  const when = <time dateTime={check.at}>{formatMoment(check.at)}</time>;
  const trip = check.roundTripMs === null ? '' : `, ${formatMs(check.roundTripMs)}`;
  return (
    <div className="last-check" data-state={check.state}>
      <Icon name={check.state === 'failed' ? 'error' : check.state === 'limited' ? 'warning' : 'check'} />
      <div>
        {check.state === 'failed'
          ? `${check.failedStep ? checkStepTitles[check.failedStep] : 'Test'} failed`
          : `${check.state === 'limited' ? 'Works partly' : 'Works'}: ${check.product ?? ''}${trip}`}
        <div className="faint">{when}</div>
      </div>
    </div>
  );
};

interface RowProps extends ConnectionUse {
  readonly entry: ConnectionEntry;
  readonly engine: EngineDescriptor | undefined;
}

const Row = ({ entry, engine, onUse }: RowProps) => {
  const { id, name, address, problem, lastCheck, hue, production } = entry;
  return (
    <tr>
      <th scope="row">
        <span className="connection-name">
          <Swatch index={hue} />
          {engine ? (
            <AriaButton className="link" onPress={() => editConnection(entry)}>
              {name}
            </AriaButton>
          ) : (
            name
          )}
          {production && <span className="production-badge">Production</span>}
        </span>
      </th>
      <td>{engine?.label ?? entry.engine}</td>
      <td className="connection-address">
        {address ?? ''}
        {problem !== null && <div className="help-problem">{problem}</div>}
      </td>
      <td className="muted">{passwordText(entry)}</td>
      <td>
        <LastCheck check={lastCheck} />
      </td>
      <td className="connections-actions">
        <Button aria-label={`Test ${name}`} isDisabled={!engine} onPress={() => testOf(name, { id })}>
          Test
        </Button>
        <ActionMenu
          label={`Actions for ${name}`}
          actions={[
            { id: 'edit', label: 'Edit', disabled: !engine, run: () => editConnection(entry) },
            { id: 'use', label: 'Use in experiment', run: () => onUse(name) },
            { id: 'duplicate', label: 'Duplicate', run: () => void duplicateConnection(entry) },
            {
              id: 'clean',
              label: 'Clean up tables and parameters',
              disabled: !engine,
              run: () => void cleanUp(entry),
            },
            { id: 'delete', label: 'Delete', run: () => void deleteConnection(entry) },
          ]}
        />
      </td>
    </tr>
  );
};

interface MineProps extends ConnectionUse {
  readonly entries: readonly ConnectionEntry[];
  readonly engines: readonly EngineDescriptor[];
}

/** The connections by group; those without a group come first. */
const byGroup = (entries: readonly ConnectionEntry[]) =>
  [...Map.groupBy(entries, ({ group = '' }) => group)].toSorted(([a], [b]) => a.localeCompare(b, 'en'));

const Mine = ({ entries, engines, onUse }: MineProps) => (
  <div className="panel scroll-x">
    <table className="grid-table connections-table" aria-label="My connections">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Engine</th>
          <th scope="col">Address</th>
          <th scope="col">Password</th>
          <th scope="col">Last test</th>
          <th scope="col">
            <span className="visually-hidden">Actions</span>
          </th>
        </tr>
      </thead>
      {byGroup(entries).map(([group, ofGroup]) => (
        <tbody key={group}>
          {group !== '' && (
            <tr className="connections-group">
              <th scope="rowgroup" colSpan={6}>
                {group}
              </th>
            </tr>
          )}
          {ofGroup.map((entry) => (
            <Row key={entry.id} entry={entry} engine={engines.find(({ id }) => id === entry.engine)} onUse={onUse} />
          ))}
        </tbody>
      ))}
    </table>
  </div>
);

export const ConnectionsView = ({ onUse }: ConnectionUse) => {
  const list = useStore(connections);
  const open = useStore(openForm);
  const info = useStore(appInfo);
  const missing = useStore(missingServers);
  const engines = info?.engines ?? [];
  const entries = list?.connections ?? [];
  return (
    <>
      <PageHead
        title="Connections"
        subtitle="Your servers. Experiments use their names as targets; addresses and passwords stay on this computer."
        actions={
          <>
            <Button onPress={() => void importConnections()}>Import…</Button>
            <Button icon="plus" kind="primary" onPress={newConnection}>
              New connection
            </Button>
          </>
        }
      />
      <div className="page-body stack">
        {list?.problem && (
          <Notice tone="warning" title="Some connections cannot be read">
            {list.problem}
          </Notice>
        )}
        {open && formHasChanges(open) && (
          <Notice tone="info" title={`“${open.form.name || 'New connection'}” is not saved`}>
            <Button onPress={() => goTo({ page: 'connection' })}>Continue editing</Button>
          </Notice>
        )}
        <section aria-label="My connections">
          <h2 className="section-title">My connections</h2>
          {list !== null && entries.length === 0 ? (
            <div className="panel">
              <EmptyState title="No connection yet">
                <p>
                  Add your own server: complete the form or paste a URL, then test the connection step by step. Import
                  reads the connections of other programs, such as PostgreSQL’s service files, tnsnames.ora and DBeaver.
                </p>
                <Button kind="primary" onPress={newConnection}>
                  Add a connection
                </Button>
              </EmptyState>
            </div>
          ) : (
            <Mine entries={entries} engines={engines} onUse={onUse} />
          )}
        </section>
        <section aria-label="Built in">
          <h2 className="section-title">Built in</h2>
          <BuiltInTargets engines={engines} missing={missing ?? info?.missing ?? {}} />
          <MissingServers engines={engines} />
        </section>
      </div>
    </>
  );
};
