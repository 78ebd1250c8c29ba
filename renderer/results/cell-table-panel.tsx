import { type CellTable, hasRemarks } from '#analysis/cell-table.ts';
import { GridTable, numbers } from '../ui/grid-table.tsx';
import { Panel } from '../ui/panel.tsx';

/** A table of cells. Nothing where it has no lines. */
export const CellTablePanel = ({ table }: { readonly table: CellTable }) => {
  const { id, title, note, words = [], columns, remark: remarkHead = '', rows } = table;
  if (rows.length === 0) return null;
  const isRemarked = hasRemarks(table);
  const heads = ['Variant', 'Target', ...words, ...numbers(...columns), ...(isRemarked ? [remarkHead] : [])];
  return (
    <Panel label={title} anchor={id} title={title} about={note}>
      <GridTable className={`${id}-table`} columns={heads}>
        {rows.map(({ variant, target, words: said = [], texts, off, remark }) => (
          <tr key={[variant, target, ...said, texts[0]].join(' ')}>
            <th scope="row">{variant}</th>
            <td>{target}</td>
            {words.map((head, i) => (
              <td key={head}>{said[i]}</td>
            ))}
            {columns.map((head, i) => (
              <td key={head} className={i === off ? 'num differs' : 'num'}>
                {texts[i]}
              </td>
            ))}
            {isRemarked && <td className="remark">{remark}</td>}
          </tr>
        ))}
      </GridTable>
    </Panel>
  );
};
