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
import { texts } from './text.ts';

const passwordWords = { stored: 'stored', ask: texts.connectionsView.askedFor } as const;

function passwordText({ values, passwords }: ConnectionEntry): string {
  const places = Object.values(passwords).map((place) =>
    typeof place === 'string' ? passwordWords[place] : texts.connectionsView.printedByACommand,
  );
  const fromEnvironment = Object.values(values).some(isReference) ? [texts.connectionsView.fromTheEnvironment] : [];
  return [...new Set([...places, ...fromEnvironment])].join(', ');
}

const LastCheck = ({ check }: { readonly check: CheckSummary | null }) => {
  if (!check) return <span className="faint">{texts.connectionsView.notTestedYet}</span>;
  const when = <time dateTime={check.at}>{formatMoment(check.at)}</time>;
  const trip = check.roundTripMs === null ? '' : `, ${formatMs(check.roundTripMs)}`;
  return (
    <div className="last-check" data-state={check.state}>
      <Icon name={check.state === 'failed' ? 'error' : check.state === 'limited' ? 'warning' : 'check'} />
      <div>
        {check.state === 'failed'
          ? texts.connectionsView.failed(
              check.failedStep ? checkStepTitles[check.failedStep] : texts.connectionsView.test,
            )
          : `${check.state === 'limited' ? texts.connectionsView.worksInPart : texts.connectionsView.works}: ${check.product ?? ''}${trip}`}
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
          {production && <span className="production-badge">{texts.connectionsView.production}</span>}
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
        <Button
          aria-label={texts.connectionsView.testOf(name)}
          isDisabled={!engine}
          onPress={() => testOf(name, { id })}
        >
          {texts.connectionsView.test}
        </Button>
        <ActionMenu
          label={texts.connectionsView.actionsFor(name)}
          actions={[
            { id: 'edit', label: texts.connectionsView.edit, disabled: !engine, run: () => editConnection(entry) },
            { id: 'use', label: texts.connectionsView.useInExperiment, run: () => onUse(name) },
            { id: 'duplicate', label: texts.connectionsView.duplicate, run: () => void duplicateConnection(entry) },
            {
              id: 'clean',
              label: texts.connectionsView.cleanUpTablesThatDyno,
              disabled: !engine,
              run: () => void cleanUp(entry),
            },
            { id: 'delete', label: texts.connectionsView.delete, run: () => void deleteConnection(entry) },
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

/** Those without a group come first. */
const byGroup = (entries: readonly ConnectionEntry[]) =>
  [...Map.groupBy(entries, ({ group = '' }) => group)].toSorted(([a], [b]) => a.localeCompare(b, 'en'));

const Mine = ({ entries, engines, onUse }: MineProps) => (
  <div className="panel scroll-x">
    <table className="grid-table connections-table" aria-label={texts.connectionsView.myConnections}>
      <thead>
        <tr>
          <th scope="col">{texts.connectionsView.name}</th>
          <th scope="col">{texts.connectionsView.engine}</th>
          <th scope="col">{texts.connectionsView.address}</th>
          <th scope="col">{texts.connectionsView.password}</th>
          <th scope="col">{texts.connectionsView.lastTest}</th>
          <th scope="col">
            <span className="visually-hidden">{texts.connectionsView.actions}</span>
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
        title={texts.connectionsView.connections}
        subtitle={texts.connectionsView.yourServersExperimentsNameThem}
        actions={
          <>
            <Button onPress={() => void importConnections()}>{texts.connectionsView.import}</Button>
            <Button icon="plus" kind="primary" onPress={newConnection}>
              {texts.connectionsView.newConnection}
            </Button>
          </>
        }
      />
      <div className="page-body stack">
        {list?.problem && (
          <Notice tone="warning" title={texts.connectionsView.someConnectionsCannotBeRead}>
            {list.problem}
          </Notice>
        )}
        {open && formHasChanges(open) && (
          <Notice
            tone="info"
            title={texts.connectionsView.isNotSaved(open.form.name || texts.connectionsView.newConnection)}
          >
            <Button onPress={() => goTo({ page: 'connection' })}>{texts.connectionsView.continueWithIt}</Button>
          </Notice>
        )}
        <section aria-label={texts.connectionsView.myConnections}>
          <h2 className="section-title">{texts.connectionsView.myConnections}</h2>
          {list !== null && entries.length === 0 ? (
            <div className="panel">
              <EmptyState title={texts.connectionsView.noConnectionYet}>
                <p>{texts.connectionsView.addAServerOfYours}</p>
                <Button kind="primary" onPress={newConnection}>
                  {texts.connectionsView.addAConnection}
                </Button>
              </EmptyState>
            </div>
          ) : (
            <Mine entries={entries} engines={engines} onUse={onUse} />
          )}
        </section>
        <section aria-label={texts.connectionsView.builtIn}>
          <h2 className="section-title">{texts.connectionsView.builtIn}</h2>
          <BuiltInTargets engines={engines} missing={missing ?? info?.missing ?? {}} />
          <MissingServers engines={engines} />
        </section>
      </div>
    </>
  );
};
