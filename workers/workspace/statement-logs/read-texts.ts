import type { CountedText } from '#engine-api/kept-statements.ts';
import { countedText } from '#engines/shared/kept-statements.ts';
import { extentOf } from '#model/statements/statement-extent.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';

/** A text without its values, and the values as they are written. */
interface TextRead {
  readonly counted: CountedText;
  readonly literals: readonly string[];
}

/** The most texts whose reading is remembered. */
const mostKnown = 20_000;
const mostKnownCharacters = 32 * 1_024 * 1_024;
/** Longer texts are read anew each time. */
const longestKnown = 20_000;

/** Signs that may begin a comment, an escape or a quoted part of another kind. */
const unsure = /\\|--|\/\*|#|\$[A-Za-z_$]|[\u0080-\uffff]/;
/** Quoted names and numbered parameters stay; the two groups are texts and numbers. */
const literal = /`[^`]*`|\$\d+|('(?:[^']|'')*')|("(?:[^"]|"")*")|(?<![\w.$])(\d+(?:\.\d+)?)(?![\w.])/g;

/**
 * Reads texts without their values. Texts that differ in plain literals alone are read once: finding the literals takes
 * a twentieth of the time that the tokens take.
 */
export function createTexts(language: StatementLanguage) {
  const quotesTexts = language.quoting?.includes('backslash') ?? false;
  const known = new Map<string, CountedText>();
  let size = 0;
  const remember = (key: string, counted: CountedText) => {
    if (known.size >= mostKnown || size > mostKnownCharacters) {
      known.clear();
      size = 0;
    }
    known.set(key, counted);
    size += key.length + ('text' in counted ? counted.text.length : 0);
  };
  const readWhole = (text: string): TextRead => {
    if (language.language === 'sql' && text.includes(';') && extentOf(text, language).next !== null)
      return { counted: { kind: 'several', words: '' }, literals: [] };
    const literals: string[] = [];
    const counted = countedText(text.replace(/[;\s]+$/, ''), false, language, (value) => literals.push(value));
    return { counted, literals };
  };
  return (text: string, isCut: boolean): TextRead => {
    if (isCut) return { counted: countedText(text.slice(0, 200), true, language), literals: [] };
    if (text.length > longestKnown || unsure.test(text)) return readWhole(text);
    const literals: string[] = [];
    const key = text.replaceAll(literal, (found, quoted?: string, double?: string, digits?: string) => {
      const isText = quoted !== undefined || (double !== undefined && quotesTexts);
      if (!isText && digits === undefined) return found;
      literals.push(found);
      return isText ? "''" : '0';
    });
    const before = known.get(key);
    if (before) return { counted: before, literals };
    const read = readWhole(text);
    // A number or text that the syntax needs stays in the text, so that another one makes another text.
    const isSame = read.literals.length === literals.length && read.literals.every((one, i) => one === literals[i]);
    const isCommand = 'kind' in read.counted && ['definition', 'session'].includes(read.counted.kind);
    if (isSame || isCommand) remember(key, read.counted);
    return read;
  };
}
