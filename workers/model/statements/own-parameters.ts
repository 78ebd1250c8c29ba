import { firstWordsOf } from './statement-extent.ts';
import { partsOf, type StatementLanguage } from './statement-text.ts';

/** A parameter in the product's own notation. */
interface OwnParameter {
  /** The line, counted from 1. */
  readonly line: number;
  readonly column: number;
  readonly sign: string;
}

/** Texts in which the server itself gives these parameters a value. */
const defining = /^(prepare|create|alter|do|declare)\b/;

/** The first parameter in the product's own notation ($1, ?, :1), to which Dyno assigns no value; null: none. */
export function ownParameterIn(text: string, language: StatementLanguage): OwnParameter | null {
  const { ownParameters } = language;
  if (ownParameters === undefined || defining.test(firstWordsOf(text, language))) return null;
  const pattern = new RegExp(ownParameters);
  let at = 0;
  for (const part of partsOf(text, language)) {
    if (part.kind === 'parameter' || part.kind === 'table') {
      at += part.name.length + (part.kind === 'parameter' ? 1 : 2);
      continue;
    }
    const found = part.kind === 'code' ? pattern.exec(part.text) : null;
    if (found) {
      const before = text.slice(0, at + found.index).split('\n');
      return { line: before.length, column: before.at(-1)!.length + 1, sign: found[0] };
    }
    at += part.text.length;
  }
  return null;
}
