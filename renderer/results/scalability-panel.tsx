import { useMemo } from 'react';
import type { RunModel } from '#analysis/model.ts';
import { loadRows, type SweepRow, scalabilityNote, sweepRows } from '#analysis/sweep-table.ts';
import { nameOf } from '#analysis/sweep-words.ts';
import { Swatch } from '../charts/swatch.tsx';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** What the law says of every sweep over connections, and the sweep load by load. Nothing for sweeps of fewer than five loads. */
export const ScalabilityPanel = ({ model }: { readonly model: RunModel }) => {
  const rows = useMemo(() => sweepRows(model), [model]);
  if (rows.length === 0) return null;
  return (
    <Panel label="Scalability" title="How it scales, in numbers" about={scalabilityNote}>
      {rows.map((row) => (
        <SweepTables
          key={nameOf(row.sweep)}
          row={row}
          index={model.plan.targets.find(({ name }) => name === row.sweep.target)?.index ?? 0}
        />
      ))}
    </Panel>
  );
};

const SweepTables = ({ row, index }: { readonly row: SweepRow; readonly index: number }) => {
  const { sweep, coefficients, quality, sentences } = row;
  const name = nameOf(sweep);
  return (
    <section className="sweep" aria-label={name}>
      <h3 className="legend">
        <Swatch index={index} /> {name}
      </h3>
      <p className="sweep-words">
        {sentences.join(' ')} {quality !== '' && <span className="muted">{quality}.</span>}
      </p>
      {coefficients.length > 0 && (
        <GridTable
          columns={['Coefficient', ...numbers('Value'), 'What it means']}
          label={`Coefficients of ${name}`}
          className="sweep-law"
        >
          {coefficients.map(({ symbol, name: word, value, meaning }) => (
            <tr key={symbol}>
              <th scope="row">
                {symbol} {word}
              </th>
              <td className="num">{value}</td>
              <td>{meaning}</td>
            </tr>
          ))}
        </GridTable>
      )}
      <details>
        <summary>Load by load</summary>
        <GridTable
          columns={[...numbers('Connections', sweep.unit, 'p50', 'p99', 'Users by Little’s law'), 'To mind']}
          label={`Loads of ${name}`}
        >
          {loadRows(sweep).map(({ load, throughput, p50, p99, users, note }) => (
            <tr key={load}>
              <th scope="row" className="num">
                {load}
              </th>
              <td className="num">{throughput}</td>
              <td className="num">{p50}</td>
              <td className="num">{p99}</td>
              <td className="num">{users}</td>
              <td>{note}</td>
            </tr>
          ))}
        </GridTable>
      </details>
    </section>
  );
};
