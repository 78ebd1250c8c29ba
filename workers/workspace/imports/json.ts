import { DynoError, toErrorData } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';

type Mapping = Readonly<Record<string, unknown>>;

/** Parses a mapping from JSON with comments and trailing commas, as in settings of editors. */
export function readMapping(text: string): Mapping {
  const plain = withoutComments(text);
  try {
    const value: unknown = JSON.parse(plain);
    return isMapping(value) ? value : { '': value };
  } catch (thrown) {
    if (thrown instanceof RangeError) throw new DynoError('badInput', 'The file is nested too deep.');
    // The parser's message would repeat the text.
    throw new DynoError('badInput', 'The file is not JSON.', { code: toErrorData(thrown).code });
  }
}

/** The text is read in one pass, so no text can make it slow. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  const end = (from: number, word: string) => {
    const at = text.indexOf(word, from);
    return at < 0 ? text.length : at + word.length;
  };
  for (let at = 0; at < text.length; ) {
    const start = at;
    const char = text[at];
    if (char === '"') {
      at++;
      while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
      at++;
      kept.push(text.slice(start, at));
    } else if (char === '/' && text[at + 1] === '/') at = end(at, '\n');
    else if (char === '/' && text[at + 1] === '*') at = end(at + 2, '*/');
    else {
      if ((char === '}' || char === ']') && kept.at(-1) === ',') kept.pop();
      if (!/\s/.test(char ?? '')) kept.push(char ?? '');
      at++;
    }
  }
  return kept.join('');
}

/** The value of a key as a mapping; an empty mapping if it is none. */
export const mappingIn = (from: Mapping, key: string): Mapping => {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  return isMapping(value) ? value : {};
};

/** The value of a key as text; '' unless it is a text, number or boolean. */
export const textIn = (from: Mapping, key: string): string => {
  const value = Object.hasOwn(from, key) ? from[key] : undefined;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
};

/** The texts, numbers and booleans of a mapping, as text. */
export const textsOf = (from: Mapping): readonly (readonly [string, string])[] =>
  Object.keys(from).map((key) => [key, textIn(from, key)] as const);
