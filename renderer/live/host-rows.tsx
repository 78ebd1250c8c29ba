import type { LiveHost } from '#analysis/run-model/run-model.ts';
import { formatCount, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import { GridTable, numbers } from '../ui/display/grid-table.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { texts } from './text.ts';

const Row = ({ host }: { readonly host: LiveHost }) => (
  <tr aria-label={texts.hostRows.hostNamed(host.name)}>
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

/** How each load host is: of the trial that measures, or of the last one. A row of a fixed height for each. */
export const HostRows = ({ hosts }: { readonly hosts: readonly LiveHost[] }) => (
  <Panel
    label={texts.hostRows.loadHosts}
    title={texts.hostRows.loadHosts}
    about={texts.hostRows.about}
    action={<HelpButton about={texts.hostRows.loadHosts} topic={liveTopic} />}
  >
    <GridTable
      columns={[
        texts.hostRows.loadHost,
        ...numbers(
          texts.hostRows.calls,
          texts.hostRows.processes,
          texts.hostRows.cores,
          texts.hostRows.processorsBusy,
          texts.hostRows.busiestProcess,
          texts.hostRows.beganAfter,
          texts.hostRows.clockError,
        ),
      ]}
    >
      {hosts.map((host) => (
        <Row key={host.name} host={host} />
      ))}
    </GridTable>
  </Panel>
);
