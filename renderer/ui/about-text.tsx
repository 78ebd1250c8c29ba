import type { ReactNode } from 'react';

/** Renders **strong** and *emphasised* words. */
const inline = (text: string): readonly ReactNode[] =>
  text.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/).map((part, i) => {
    // biome-ignore-start lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place
    if (part.startsWith('**')) return <strong key={i}>{part.slice(2, -2)}</strong>;
    if (part.startsWith('*') && part.length > 1) return <em key={i}>{part.slice(1, -1)}</em>;
    return part;
    // biome-ignore-end lint/suspicious/noArrayIndexKey: as above
  });

const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

const Table = ({ lines }: { readonly lines: readonly string[] }) => {
  const [head = '', , ...rows] = lines;
  return (
    <table className="grid-table about-table">
      <thead>
        <tr>
          {cellsOf(head).map((cell) => (
            <th key={cell} scope="col">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            {cellsOf(row).map((cell, i) => (
              <td key={cellsOf(head)[i]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
};

/** Renders an experiment's `about`: the part of Markdown that the gallery uses, which is paragraphs and tables. */
export const AboutText = ({ text }: { readonly text: string }) => (
  <div className="about">
    {text
      .trim()
      .split(/\n\s*\n/)
      .map((block) =>
        block.startsWith('|') ? <Table key={block} lines={block.split('\n')} /> : <p key={block}>{inline(block)}</p>,
      )}
  </div>
);
