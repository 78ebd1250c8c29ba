import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';

// biome-ignore-start lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place

type OnLink = (href: string) => void;

const marks = /(`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)]+\))/;

/** A text with `code`, **strong** and *emphasised* words, and links. */
function inline(text: string, onLink: OnLink | undefined): readonly ReactNode[] {
  return text.split(marks).map((part, i) => {
    if (part.startsWith('`') && part.length > 1) return <code key={i}>{part.slice(1, -1)}</code>;
    if (part.startsWith('**')) return <strong key={i}>{inline(part.slice(2, -2), onLink)}</strong>;
    if (part.startsWith('*') && part.length > 1) return <em key={i}>{inline(part.slice(1, -1), onLink)}</em>;
    const link = /^\[(?<label>[^\]]+)\]\((?<href>[^)]+)\)$/.exec(part)?.groups;
    if (!link) return part;
    const { label = '', href = '' } = link;
    // Nothing is opened outside of the window.
    if (!onLink || /^\w+:/.test(href)) return <span key={i}>{inline(label, undefined)}</span>;
    return (
      <AriaButton key={i} className="link" onPress={() => onLink(href)}>
        {label}
      </AriaButton>
    );
  });
}

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const Table = ({ lines, onLink }: { readonly lines: readonly string[]; readonly onLink: OnLink | undefined }) => {
  const [head = '', , ...rows] = lines;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <div className="markdown-table" tabIndex={0}>
      <table className="grid-table">
        <thead>
          <tr>
            {cellsOf(head).map((cell, i) => (
              <th key={i} scope="col">
                {inline(cell, onLink)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, r) => (
            <tr key={r}>
              {cellsOf(row).map((cell, i) => (
                <td key={i}>{inline(cell, onLink)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

/** A part of a text that is drawn by itself. */
interface Block {
  readonly kind: 'heading' | 'code' | 'table' | 'list' | 'text';
  readonly lines: readonly string[];
}

const kindOf = (line: string): Block['kind'] =>
  line.startsWith('#')
    ? 'heading'
    : line.startsWith('```')
      ? 'code'
      : line.startsWith('|')
        ? 'table'
        : /^(?:[-*]|\d+\.) /.test(line)
          ? 'list'
          : 'text';

/** The blocks of a text; comments and pictures are left out. */
function blocksOf(text: string): readonly Block[] {
  const blocks: { kind: Block['kind']; lines: string[] }[] = [];
  let open: { kind: Block['kind']; lines: string[] } | null = null;
  for (const line of text.replaceAll(/<!--[\s\S]*?-->/g, '').split('\n')) {
    if (open?.kind === 'code') {
      if (line.startsWith('```')) open = null;
      else open.lines.push(line);
      continue;
    }
    const kind = kindOf(line);
    // A list goes on in indented lines, also behind an empty one.
    const goesOn = open?.kind === 'list' && (/^\s+\S/.test(line) || kind === 'list');
    if (line.trim() === '' || /^!\[[^\]]*\]\([^)]*\)\s*$/.test(line)) {
      if (open?.kind !== 'list') open = null;
      continue;
    }
    if (open && (goesOn || (open.kind === kind && kind !== 'heading'))) {
      open.lines.push(line);
      continue;
    }
    open = { kind, lines: kind === 'code' ? [] : [line] };
    blocks.push(open);
  }
  return blocks;
}

/** The texts of a list's items, without their marks. */
function itemsOf(lines: readonly string[]): readonly string[] {
  const items: string[][] = [];
  for (const line of lines) {
    const first = /^(?:[-*]|\d+\.) (?<text>.*)$/.exec(line)?.groups?.text;
    if (first !== undefined) items.push([first]);
    else items.at(-1)?.push(line.replace(/^ {1,3}/, ''));
  }
  return items.map((item) => item.join('\n'));
}

const headings = ['h2', 'h3', 'h4', 'h5'] as const;

const BlockView = ({
  block: { kind, lines },
  onLink,
}: {
  readonly block: Block;
  readonly onLink: OnLink | undefined;
}) => {
  switch (kind) {
    case 'heading': {
      const [, level = '#', title = ''] = /^(#+)\s+(.*)$/.exec(lines[0] ?? '') ?? [];
      const Heading = headings[Math.min(level.length, headings.length) - 1] ?? 'h5';
      return <Heading>{inline(title, onLink)}</Heading>;
    }
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <pre tabIndex={0}>
          <code>{lines.join('\n')}</code>
        </pre>
      );
    case 'table':
      return <Table lines={lines} onLink={onLink} />;
    case 'list':
      return (
        <ul>
          {itemsOf(lines).map((item, i) => (
            <li key={i}>
              {blocksOf(item).map((block, b) =>
                block.kind === 'text' ? (
                  <span key={b}>{inline(block.lines.join(' '), onLink)}</span>
                ) : (
                  <BlockView key={b} block={block} onLink={onLink} />
                ),
              )}
            </li>
          ))}
        </ul>
      );
    case 'text':
      return <p>{inline(lines.join(' '), onLink)}</p>;
  }
};

/**
 * The part of Markdown that the documentation and the gallery use: headings, paragraphs, lists, tables, code, emphasis
 * and links. `onLink` gets the address of a link within the documentation; without it links are plain text.
 */
export const Markdown = ({ text, onLink }: { readonly text: string; readonly onLink?: OnLink | undefined }) => (
  <div className="markdown">
    {blocksOf(text.trim()).map((block, i) => (
      <BlockView key={i} block={block} onLink={onLink} />
    ))}
  </div>
);

// biome-ignore-end lint/suspicious/noArrayIndexKey: as above
