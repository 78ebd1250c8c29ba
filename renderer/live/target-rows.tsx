import { phaseText } from '#analysis/text/phase-text.ts';
import { errorText } from '#model/error-text.ts';
import { formatCount, formatMs, formatPercent, formatShort } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { Sparkline } from '../charts/sparkline.tsx';
import { Swatch } from '../charts/swatch.tsx';
import { HelpButton } from '../help/help-button.tsx';
import { liveTopic } from '../help/help-store.ts';
import { GridTable, numbers } from '../ui/display/grid-table.tsx';
import { Panel } from '../ui/display/panel.tsx';
import type { TargetStatus } from './target-status.ts';

function activity(status: TargetStatus): string {
  if (status.problem) return `cannot be used: ${errorText(status.problem)}`;
  if (status.now) return `${phaseText[status.now.phase]}: ${status.now.variant}`;
  if (status.trialsDone === status.trialsPlanned) return 'done';
  return 'queued';
}

function formatTrials({ trialsDone, trialsPlanned, atMost }: TargetStatus): string {
  if (trialsPlanned === null) return `${many(trialsDone, 'trial')} so far`;
  return `${trialsDone} of ${atMost ? 'at most ' : ''}${trialsPlanned}`;
}

/** The label of a maximum says that it is a maximum. */
function latencyOf({ figures }: TargetStatus): string {
  const latency = figures?.latency ?? null;
  return latency?.of === 'max' ? `max ${formatMs(latency.ms)}` : formatMs(latency?.ms);
}

const errorsOf = ({ errors, lost }: TargetStatus): string =>
  lost === null
    ? formatCount(errors)
    : `${formatCount(errors)} · retries ${formatCount(lost.retries)}, ${formatPercent(lost.share)} of the time`;

const Row = ({ status }: { readonly status: TargetStatus }) => (
  <tr className="target-row" aria-label={`Target ${status.name}`}>
    <th scope="row">
      <span className="target-name" title={status.name}>
        <Swatch index={status.index} />
        <span>{status.name}</span>
      </span>
    </th>
    <td>
      <Sparkline values={status.rates} index={status.index} />
    </td>
    <td className="num">
      <strong>{formatShort(status.figures?.perSecond)}</strong>
    </td>
    <td className="num">{latencyOf(status)}</td>
    <td className={status.errors > 0 ? 'num bad' : 'num'}>{errorsOf(status)}</td>
    <td className="num">{formatTrials(status)}</td>
    <td className={status.problem ? 'target-activity bad' : 'target-activity muted'} title={activity(status)}>
      {activity(status)}
    </td>
  </tr>
);

interface Props {
  readonly statuses: readonly TargetStatus[];
  readonly unit: string;
}

/** The work of each target, in rows of fixed height. */
export const TargetRows = ({ statuses, unit }: Props) => (
  <Panel
    label="Targets"
    title="Targets"
    about="Throughput and latency of the variant that was measured last. “max” replaces p99 if there are too few calls."
    action={<HelpButton about="Targets" topic={liveTopic} />}
  >
    <GridTable columns={['Target', 'Throughput so far', ...numbers(unit, 'Latency p99', 'Errors', 'Trials'), 'Now']}>
      {statuses.map((status) => (
        <Row key={status.name} status={status} />
      ))}
    </GridTable>
  </Panel>
);
