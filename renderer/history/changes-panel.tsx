import { Button as AriaButton } from 'react-aria-components/Button';
import { many } from '#model/format/plural.ts';
import { changeKindText, excerpts } from '#presentation/text/changes-text.ts';
import type { History } from '#protocol/history.ts';
import { goTo } from '../state/navigation.ts';
import { GridTable } from '../ui/display/grid-table.tsx';
import { Panel } from '../ui/display/panel.tsx';
import { formatMoment } from '../ui/text/format-moment.ts';

/** The most lines of the table. The CSV of the history has the differences of all runs. */
const mostLines = 200;

/** The differences between each run and the run before it, the newest first. */
export const ChangesPanel = ({ history: { runs } }: { readonly history: History }) => {
  const lines = runs
    .slice(1)
    .flatMap(({ id, startedAt, changes }) => changes.map((change, i) => ({ id, startedAt, change, isFirst: i === 0 })))
    .map((line, i, all) => ({ ...line, order: all.length - i }))
    .toReversed();
  if (runs.length < 2) return null;
  const shown = lines.slice(0, mostLines);
  const byRun = [...Map.groupBy(shown, ({ id }) => id).values()].flatMap((own) => own.toReversed());
  return (
    <Panel
      label="What changed between the runs"
      title="What changed between the runs"
      about={
        lines.length === 0
          ? 'No run differs from the run before in versions, settings, experiment, drivers, Dyno or machine.'
          : `Differences between each run and the run before it, newest first. ${lines.length > mostLines ? `The first ${mostLines} of ${many(lines.length, 'difference')} are shown. ` : ''}The charts mark these runs with dashed lines.`
      }
    >
      {lines.length > 0 && (
        <GridTable columns={['Run', 'Kind', 'What', 'Where', 'Before', 'After']}>
          {byRun.map(({ id, startedAt, change, order, isFirst }) => {
            const [before, after] = excerpts(change.before, change.after);
            return (
              <tr key={order}>
                <th scope="row">
                  {isFirst ? (
                    <AriaButton className="link" onPress={() => goTo({ page: 'run', runId: id })}>
                      {formatMoment(startedAt)}
                    </AriaButton>
                  ) : (
                    <span className="visually-hidden">{formatMoment(startedAt)}</span>
                  )}
                </th>
                <td>{changeKindText[change.kind]}</td>
                <td>{change.what}</td>
                <td>{change.where ?? ''}</td>
                <td className="wrap">{before}</td>
                <td className="wrap">{after}</td>
              </tr>
            );
          })}
        </GridTable>
      )}
    </Panel>
  );
};
