import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Block } from '#presentation/outline/panel.ts';
import { Chart } from '../charts/chart.tsx';
import { PanelTable, TargetName } from './panel-table.tsx';

interface Props {
  readonly model: RunModel;
  readonly blocks: readonly Block[];
}

/** What stands below the title of a panel. */
export const PanelBlocks = ({ model, blocks }: Props) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place
  blocks.map((block, i) => <PanelBlock key={i} model={model} block={block} />);

const PanelBlock = ({ model, block }: { readonly model: RunModel; readonly block: Block }) => {
  switch (block.kind) {
    case 'table':
      return <PanelTable model={model} table={block.table} label={block.label} />;
    case 'chart':
      return <Chart chart={block.chart} />;
    case 'text':
      return <p className="panel-text muted">{block.text}</p>;
    case 'code':
      return <pre className="file-text mono">{block.text}</pre>;
    case 'facts':
      return (
        <table className="grid-table">
          <tbody>
            {block.facts.map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value}</td>
              </tr>
            ))}
          </tbody>
        </table>
      );
    case 'group':
      return (
        <section className="block-group" aria-label={block.title}>
          <h3>{block.target === undefined ? block.title : <TargetName model={model} name={block.target} />}</h3>
          <PanelBlocks model={model} blocks={block.blocks} />
        </section>
      );
    case 'fold':
      return (
        <details className="block-fold">
          <summary>{block.summary}</summary>
          <PanelBlocks model={model} blocks={block.blocks} />
        </details>
      );
  }
};
