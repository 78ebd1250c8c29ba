import type { RunModel } from '#analysis/model.ts';
import { serverSummaries } from '#analysis/server-summary.ts';
import { untoldByServers } from '#analysis/server-untold.ts';
import { serverColumns, serverNote, serverRow } from '#analysis/server-words.ts';
import { variantLabel } from '#planning/variant-of.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** Columns of words rather than of numbers. */
const inWords: readonly string[] = ['Server’s own time', 'In its own words', 'Known by'];

/** What the servers told of their time and work, cell by cell. Nothing where none told anything. */
export const ServerPanel = ({ model }: { readonly model: RunModel }) => {
  const rows = serverSummaries(model);
  if (rows.length === 0) return null;
  return (
    <Panel
      label="Server’s time in numbers"
      anchor="server-time-table"
      title="Where the servers’ time went, in numbers"
      about={serverNote}
    >
      <GridTable
        columns={[
          'Variant',
          'Target',
          ...serverColumns.flatMap((title) => (inWords.includes(title) ? [title] : numbers(title))),
        ]}
      >
        {rows.map((summary) => {
          const texts = serverRow(summary);
          return (
            <tr key={`${summary.variant} ${summary.target}`}>
              <th scope="row">{variantLabel(model.plan, summary.variant)}</th>
              <td>{summary.target}</td>
              {serverColumns.map((title) => (
                <td key={title} className={inWords.includes(title) ? 'muted' : 'num'}>
                  {texts[title]}
                </td>
              ))}
            </tr>
          );
        })}
      </GridTable>
      {untoldByServers(model).map(({ target, sentences }) => (
        <p key={target} className="untold muted">
          Not told by {target}: {sentences.join(' ')}
        </p>
      ))}
    </Panel>
  );
};
