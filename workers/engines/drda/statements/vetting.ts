import { DynoError } from '#model/error.ts';

/** Words that a statement needs to make a Java routine, a disk store, a listener or a link to another server. */
const reaching =
  /(?<![\p{L}_])(external|diskstore|hdfsstore|asynceventlistener|gatewaysender|gatewayreceiver)(?![\p{L}\p{N}_])/iu;
const making = /create|alter/i;

/**
 * A text in the form in which a lexer may read it that folds letters (ſ is S) and knows Java's escapes of characters.
 */
const unfolded = (text: string): string =>
  text
    .replaceAll(/\\u+([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .normalize('NFKC')
    .toUpperCase();

/**
 * Refuses a text of the user's own that would reach beyond tables. Whoever owns a schema may declare any static method
 * of Java as a routine (`java.lang.System.exit`), and on SQLFire's family make disk stores in any folder and listeners
 * of any class; no right of SQL prevents that. Neither product runs a text within a text, so these words have to stand
 * in the text itself. They are also refused in comments and literals, and behind a digit, where a word can begin: few
 * texts need them there, and nobody can hide them. Throws 'permission'.
 */
export function vet(text: string): void {
  const read = unfolded(text);
  const [, word] = reaching.exec(read) ?? [];
  if (word === undefined || !making.test(read)) return;
  throw new DynoError(
    'permission',
    `CREATE … ${word.toUpperCase()} reaches beyond tables: no statement of an experiment may do that.`,
    { hint: 'What such a statement makes is a DBA’s to make, before the run.' },
  );
}
