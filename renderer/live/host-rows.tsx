import type { LiveHost } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import { GridTable, numbers } from '../ui/display/grid-table.tsx';
import { Panel } from '../ui/display/panel.tsx';

const Row = ({ host }: { readonly host: LiveHost }) => (
  <tr aria-label={`Load host ${host.name}`}>
    <th scope="row">{host.name}</th>
    <td className="num">
      <strong>{formatShort(host.callsPerSecond)}</strong>
    </td>
    <td className="num">{formatCount(host.workers)}</td>
    <td className="num">{formatCount(host.cores)}</td>
    <td className="num">{formatPercent(host.processorsBusy)}</td>
    <td className="num">{formatPercent(host.eventLoopUtilisation)}</td>
    <td className="num">{formatMs(host.beganAfterMs)}</td>
    <td className="num">{formatMs(host.clockErrorMs)}</td>
  </tr>
);

/** A panel with the state of each load host in the current or last trial. Each row has a fixed height. */
export const HostRows = ({ hosts }: { readonly hosts: readonly LiveHost[] }) => (
  <Panel
    label="Load hosts"
    title="Load hosts"
    about="The machines that generate the load, with their values of the last second. “Began after” belongs to the last finished trial."
    action={<HelpButton about="Load hosts" topic={liveTopic} />}
  >
    <GridTable
      columns={[
        'Load host',
        ...numbers('Calls/s', 'Processes', 'Cores', 'Processors busy', 'Busiest process', 'Began after', 'Clock error'),
      ]}
    >
      {hosts.map((host) => (
        <Row key={host.name} host={host} />
      ))}
    </GridTable>
  </Panel>
);
