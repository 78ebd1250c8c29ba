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
import { texts } from './text.ts';

const LastTest = ({ check }: { readonly check: LoadHostCheck | null }) => {
  if (!check) return <span className="faint">{texts.loadHostsView.notTestedYet}</span>;
  const { at, state, failedStep } = check;
  return (
    <div className="last-check" data-state={state}>
      <Icon name={state === 'failed' ? 'error' : state === 'limited' ? 'warning' : 'check'} />
      <div>
        {state === 'failed' && failedStep
          ? texts.loadHostsView.failed(loadHostStepTitles[failedStep])
          : texts.loadHostsView.works}
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
        <Button aria-label={texts.loadHostsView.testOf(name)} onPress={() => void testHost(host)}>
          {texts.loadHostsView.test}
        </Button>
        <ActionMenu
          label={texts.loadHostsView.actionsFor(name)}
          actions={[
            { id: 'edit', label: texts.loadHostsView.edit, run: () => onEdit(host) },
            { id: 'remove', label: texts.loadHostsView.remove, run: () => void removeHost(host) },
          ]}
        />
      </td>
    </tr>
  );
};

/** The machines that load can come from: list, form and test. */
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
        title={texts.loadHostsView.title}
        mark={<HelpButton about={texts.loadHostsView.loadHosts} topic={loadHostsTopic} />}
        subtitle={texts.loadHostsView.subtitle}
        actions={
          <Button icon="plus" kind="primary" onPress={add}>
            {texts.loadHostsView.add}
          </Button>
        }
      />
      <div className="page-body stack">
        {list?.problem && (
          <Notice tone="warning" title={texts.loadHostsView.cannotBeRead}>
            {list.problem}
          </Notice>
        )}
        <section aria-label={texts.loadHostsView.mine} className="panel">
          {list !== null && entries.length === 0 ? (
            <EmptyState title={texts.loadHostsView.none}>
              <p>{texts.loadHostsView.noneText}</p>
              <Button kind="primary" onPress={add}>
                {texts.loadHostsView.addALoadHost}
              </Button>
            </EmptyState>
          ) : (
            <GridTable
              className="connections-table"
              label={texts.loadHostsView.mine}
              columns={[
                texts.loadHostsView.name,
                texts.loadHostsView.place,
                ...numbers(texts.loadHostsView.cores, texts.loadHostsView.roundTrip, texts.loadHostsView.calibration),
                texts.loadHostsView.lastTest,
                { title: texts.loadHostsView.actions, kind: 'hidden' },
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
            <CopyBox label={texts.loadHostsView.key} text={key} />
            <p className="faint">{texts.loadHostsView.keyHelp}</p>
          </div>
        )}
      </div>
      {edited && <HostDialog key={edited.host?.name ?? ''} host={edited.host} onClose={() => setEdited(null)} />}
      <HostTestDialog />
    </>
  );
};
