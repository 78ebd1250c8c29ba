import type { Block } from '../outline/panel.ts';
import type { PanelTable } from '../tables/shared/panel-table.ts';
import { paragraph } from './context.ts';
import type { ReportBlock, ReportTable } from './document.ts';

/** The blocks of a panel as blocks of the report, in which readers can neither choose nor unfold. */
export const outlineBlocks = (blocks: readonly Block[]): readonly ReportBlock[] => blocks.flatMap(outlineBlock);

function outlineBlock(block: Block): readonly ReportBlock[] {
  switch (block.kind) {
    case 'table':
      return [{ kind: 'table', table: reportTable(block.table) }];
    case 'text':
      return [paragraph('note', block.text)];
    case 'chart':
    case 'facts':
    case 'code':
      return [block];
    case 'group': {
      const { title, target, blocks } = block;
      const heading = { kind: 'heading', level: 3, text: title, ...(target !== undefined && { target }) } as const;
      return [heading, ...outlineBlocks(blocks)];
    }
    case 'pair':
      return block.inReport.flatMap(([left, right]) => [
        { kind: 'heading', level: 4, text: `${block.left[left] ?? ''} beside ${block.right[right] ?? ''}` } as const,
        ...outlineBlocks(block.draw(left, right)),
      ]);
    case 'fold':
      return block.isOpenInReport ? outlineBlocks(block.blocks) : [];
  }
}

export const reportTable = ({ columns, rows }: PanelTable): ReportTable => ({
  columns,
  rows: rows.map(({ cells, group }) => ({
    group,
    cells: cells.map((cell) => {
      if (typeof cell === 'string') return { lines: [cell] };
      const { text, tone, mark } = cell;
      return { lines: typeof text === 'string' ? [text] : text, tone, mark };
    }),
  })),
});
