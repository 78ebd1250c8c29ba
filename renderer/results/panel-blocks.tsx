import { useState } from 'react';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Block } from '#presentation/outline/panel.ts';
import type { Cell } from '#protocol/plan.ts';
import { Chart } from '../charts/chart.tsx';
import { Select } from '../ui/controls/fields.tsx';
import { CopyBox } from '../ui/display/copy-box.tsx';
import { PanelTable, TargetName } from './panel-table.tsx';

interface Props {
  readonly model: RunModel;
  readonly blocks: readonly Block[];
  /** Opens the trials of a cell. Absent: rows open nothing. */
  readonly onInspect?: (cell: Cell) => void;
}

/** The content below the title of a panel. */
export const PanelBlocks = ({ blocks, ...own }: Props) =>
  // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no identity but their place
  blocks.map((block, i) => <PanelBlock key={i} block={block} {...own} />);

interface PairProps extends Omit<Props, 'blocks'> {
  readonly block: Extract<Block, { readonly kind: 'pair' }>;
}

/** Two things side by side, chosen from lists. */
const PairBlock = ({ block: { label, sides, left, right, inReport, draw }, ...own }: PairProps) => {
  const [first] = inReport;
  const [[a, b], choose] = useState<readonly [number, number]>([first?.[0] ?? 0, first?.[1] ?? 0]);
  // A filter may have removed some of them.
  const [i, j] = [Math.min(a, left.length - 1), Math.min(b, right.length - 1)];
  const choices = (all: readonly string[]) => all.map((one, at) => ({ id: String(at), label: one }));
  return (
    <section className="block-pair" aria-label={label}>
      <div className="block-pair-choices">
        <Select label={sides[0]} choices={choices(left)} value={String(i)} onChange={(id) => choose([Number(id), j])} />
        <Select
          label={sides[1]}
          choices={choices(right)}
          value={String(j)}
          onChange={(id) => choose([i, Number(id)])}
        />
      </div>
      <PanelBlocks blocks={draw(i, j)} {...own} />
    </section>
  );
};

const PanelBlock = ({ block, ...own }: Omit<Props, 'blocks'> & { readonly block: Block }) => {
  switch (block.kind) {
    case 'table':
      return <PanelTable table={block.table} label={block.label} {...own} />;
    case 'chart':
      return <Chart chart={block.chart} />;
    case 'text':
      return <p className="panel-text muted">{block.text}</p>;
    case 'code':
      return block.label === undefined ? (
        <pre className="file-text mono">{block.text}</pre>
      ) : (
        <CopyBox label={block.label} text={block.text} />
      );
    case 'facts':
      return (
        <table className="grid-table facts-table">
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
          <h3>{block.target === undefined ? block.title : <TargetName model={own.model} name={block.target} />}</h3>
          <PanelBlocks blocks={block.blocks} {...own} />
        </section>
      );
    case 'pair':
      return <PairBlock block={block} {...own} />;
    case 'fold':
      return (
        <details className="block-fold" open={block.isOpen}>
          <summary>{block.summary}</summary>
          <PanelBlocks blocks={block.blocks} {...own} />
        </details>
      );
  }
};
