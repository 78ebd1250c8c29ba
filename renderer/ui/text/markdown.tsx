import { lexer, type MarkedToken, type Token, type Tokens } from 'marked';
import { createElement, Fragment, type ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';

// biome-ignore-start lint/suspicious/noArrayIndexKey: parts of a text have no identity but their place
// biome-ignore-start lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard

type OnLink = ((href: string) => void) | undefined;

const headings = ['h2', 'h3', 'h4', 'h5'] as const;

const drawn = (tokens: readonly Token[], onLink: OnLink): readonly ReactNode[] =>
  tokens.map((token, i) => <Fragment key={i}>{drawnToken(token as MarkedToken, onLink)}</Fragment>);

function drawnToken(token: MarkedToken, onLink: OnLink): ReactNode {
  switch (token.type) {
    case 'heading':
      return createElement(headings[token.depth - 1] ?? 'h5', null, ...drawn(token.tokens, onLink));
    case 'paragraph':
      return token.tokens.every(({ type }) => type === 'image') ? null : <p>{drawn(token.tokens, onLink)}</p>;
    case 'blockquote':
    case 'strong':
    case 'em':
    case 'del':
      return createElement(token.type, null, ...drawn(token.tokens, onLink));
    case 'list':
      return createElement(
        token.ordered ? 'ol' : 'ul',
        null,
        ...token.items.map((item, i) => <li key={i}>{drawn(item.tokens, onLink)}</li>),
      );
    case 'table':
      return <Table table={token} onLink={onLink} />;
    case 'code':
      return (
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      );
    case 'codespan':
      return <code>{token.text}</code>;
    case 'link':
      // The window does not open external links.
      if (!onLink || /^\w+:/.test(token.href)) return drawn(token.tokens, undefined);
      return (
        <AriaButton className="link" onPress={() => onLink(token.href)}>
          {drawn(token.tokens, undefined)}
        </AriaButton>
      );
    case 'html': {
      // HTML in Markdown is shown as plain text.
      const text = token.text.replaceAll(/<!--[\s\S]*?-->/g, '').trim();
      return text !== '' && token.block ? <p>{text}</p> : text;
    }
    case 'text':
      return token.tokens ? drawn(token.tokens, onLink) : token.text.replaceAll('\n', ' ');
    case 'escape':
      return token.text;
    case 'br':
      return <br />;
    default:
      return null; // pictures, rules, addresses of links
  }
}

const Table = ({ table, onLink }: { readonly table: Tokens.Table; readonly onLink: OnLink }) => (
  <div className="markdown-table" tabIndex={0}>
    <table className="grid-table">
      <thead>
        <tr>
          {table.header.map(({ tokens }, i) => (
            <th key={i} scope="col">
              {drawn(tokens, onLink)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {table.rows.map((row, r) => (
          <tr key={r}>
            {row.map(({ tokens }, i) => (
              <td key={i}>{drawn(tokens, onLink)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

/**
 * Renders Markdown without pictures and HTML comments. `onLink` receives the address of a link within the
 * documentation. Without it links are plain text.
 */
export const Markdown = ({ text, onLink }: { readonly text: string; readonly onLink?: OnLink }) => (
  <div className="markdown">{drawn(lexer(text.trim()), onLink)}</div>
);

// biome-ignore-end lint/suspicious/noArrayIndexKey: as above
// biome-ignore-end lint/a11y/noNoninteractiveTabindex: as above
