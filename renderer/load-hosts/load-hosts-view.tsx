import { useEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { formatCount, formatMs, formatShort } from '#model/format/format.ts';
import { type LoadHostCheck, type LoadHostEntry, loadHostStepTitles } from '#model/load-host-check.ts';
import { loadHostPlace, type SavedLoadHost } from '#model/load-hosts.ts';
import { HelpButton } from '../help/help-button.tsx';
import { loadHostsTopic } from '../help/help-store.ts';
import { coordinatorKey, loadHosts, readCoordinatorKey } from '../state/load-hosts.ts';
import { useStore } from '../state/store.ts';
import { Button } from '../ui/controls/button.tsx';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { EmptyState } from '../ui/display/empty-state.tsx';
import { GridTable, numbers } from '../ui/display/grid-table.tsx';
import { Notice } from '../ui/display/notice.tsx';
import { PageHead } from '../ui/display/page-head.tsx';
import { Icon } from '../ui/icon.tsx';
import { ActionMenu } from '../ui/overlays/menu.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';
import { removeHost } from './host-actions.ts';
import { HostDialog } from './host-dialog.tsx';
import { HostTestDialog } from './host-test-dialog.tsx';
import { testHost } from './host-tests.ts';

const LastTest = ({ check }: { readonly check: LoadHostCheck | null }) => {
  if (!check) return <span className="faint">not tested yet</span>;
  const { at, state, failedStep } = check;
  return (
    <div className="last-check" data-state={state}>
      <Icon name={state === 'failed' ? 'error' : state === 'limited' ? 'warning' : 'check'} />
      <div>
        {state === 'failed' && failedStep ? `${loadHostStepTitles[failedStep]} failed` : 'Works'}
        <div className="faint">
          <time dateTime={at}>{formatMoment(at)}</time>
        </div>
      </div>
    </div>
  );
};

interface RowProps {
  readonly entry: LoadHostEntry;
  readonly onEdit: (host: SavedLoadHost) => void;
}

const Row = ({ entry: { host, lastCheck }, onEdit }: RowProps) => {
  const { name } = host;
  const { cores = null, roundTripMs = null, callsPerSecond = null } = lastCheck ?? {};
  return (
    <tr>
      <th scope="row">
        <AriaButton className="link" onPress={() => onEdit(host)}>
          {name}
        </AriaButton>
      </th>
      <td className="connection-address">{loadHostPlace(host)}</td>
      <td className="num">{cores === null ? '–' : formatCount(cores)}</td>
      <td className="num">{formatMs(roundTripMs)}</td>
      <td className="num">{formatShort(callsPerSecond)}</td>
      <td>
        <LastTest check={lastCheck} />
      </td>
      <td className="connections-actions">
        <Button aria-label={`Test ${name}`} onPress={() => void testHost(host)}>
          Test
        </Button>
        <ActionMenu
          label={`Actions for ${name}`}
          actions={[
            { id: 'edit', label: 'Edit', run: () => onEdit(host) },
            { id: 'remove', label: 'Remove', run: () => void removeHost(host) },
          ]}
        />
      </td>
    </tr>
  );
};

/** The machines that can generate load: list, form and test. */
export const LoadHostsView = () => {
  const list = useStore(loadHosts);
  const key = useStore(coordinatorKey);
  useEffect(() => void readCoordinatorKey(), []);
  const [edited, setEdited] = useState<{ readonly host: SavedLoadHost | null } | null>(null);
  const entries = list?.hosts ?? [];
  const add = () => setEdited({ host: null });
  return (
    <>
      <PageHead
        title="Load hosts"
        mark={<HelpButton about="load hosts" topic={loadHostsTopic} />}
        subtitle="Other machines that can generate load. An experiment names them under “loadFrom”."
        actions={
          <Button icon="plus" kind="primary" onPress={add}>
            Add load host
          </Button>
        }
      />
      <div className="page-body stack">
        {list?.problem && (
          <Notice tone="warning" title="The load hosts cannot be read">
            {list.problem}
          </Notice>
        )}
        <section aria-label="My load hosts" className="panel">
          {list !== null && entries.length === 0 ? (
            <EmptyState title="All load comes from this machine">
              <p>
                A single client machine reaches its limit long before a good server does. Add machines to which you can
                log in over SSH: a run copies Dyno there, starts it, and removes everything afterwards.
              </p>
              <Button kind="primary" onPress={add}>
                Add a load host
              </Button>
            </EmptyState>
          ) : (
            <GridTable
              className="connections-table"
              label="My load hosts"
              columns={[
                'Name',
                'Connection',
                ...numbers('Cores', 'Round trip', 'Calls/s of one process'),
                'Last test',
                { title: 'Actions', kind: 'hidden' },
              ]}
            >
              {entries.map((entry) => (
                <Row key={entry.host.name} entry={entry} onEdit={(host) => setEdited({ host })} />
              ))}
            </GridTable>
          )}
        </section>
        {key !== null && (
          <div className="host-key">
            <CopyBox label="Public key of Dyno on this machine" text={key} />
            <p className="faint">
              An agent that you start yourself needs this key. It then takes work from this machine only.
            </p>
          </div>
        )}
      </div>
      {edited && <HostDialog key={edited.host?.name ?? ''} host={edited.host} onClose={() => setEdited(null)} />}
      <HostTestDialog />
    </>
  );
};
