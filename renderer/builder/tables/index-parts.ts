import { isRecord } from '../draft/raw-experiment.ts';

/** The parts of an index as the file writes them. */
type Parts = readonly unknown[];

/**
 * The parts of an index as one line: `store, sold desc, doc.address.city, (lower(name))`. Null: the form cannot show
 * them, as an expression with a text for each engine.
 */
export function partsText(parts: Parts): string | null {
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part;
    if (!isRecord(part)) return null;
    const { column, path, expression, order } = part;
    const behind = order === undefined ? '' : ` ${String(order)}`;
    if (typeof expression === 'string' && isBalanced(expression)) return `(${expression})${behind}`;
    if (typeof column !== 'string') return null;
    return `${column}${typeof path === 'string' ? `.${path}` : ''}${behind}`;
  });
  return texts.includes(null) ? null : texts.join(', ');
}

/** The parts that a line has, as the file writes them. Undefined: it has none. */
export function readParts(line: string): Parts | undefined {
  const parts = splitAtCommas(line).map((text) => {
    const [, body = text, order] = /^(.*\S)\s+(asc|desc)$/is.exec(text) ?? [];
    const ordered = order === undefined ? {} : { order: order.toLowerCase() };
    if (body.startsWith('(') && body.endsWith(')')) return { expression: body.slice(1, -1).trim(), ...ordered };
    const dot = body.indexOf('.');
    const column = dot === -1 ? body : body.slice(0, dot);
    if (dot === -1 && order === undefined) return column;
    return { column, ...(dot !== -1 && { path: body.slice(dot + 1) }), ...ordered };
  });
  return parts.length === 0 ? undefined : parts;
}

/** Splits at commas outside of brackets and of texts in quotes. */
function splitAtCommas(line: string): readonly string[] {
  const texts: string[] = [''];
  let depth = 0;
  let quoted = false;
  for (const char of line) {
    if (char === "'") quoted = !quoted;
    if (!quoted && char === '(') depth++;
    if (!quoted && char === ')') depth--;
    if (!quoted && depth <= 0 && char === ',') texts.push('');
    else texts[texts.length - 1] += char;
  }
  return texts.map((text) => text.trim()).filter((text) => text !== '');
}

const isBalanced = (text: string): boolean => splitAtCommas(`(${text})`).length === 1;
