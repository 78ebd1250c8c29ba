import { DynoError } from '#model/error.ts';

/** Words that a statement needs to make a Java routine, a store in a folder, a listener, a link to another server. */
const reaching = /\b(external|diskstore|hdfsstore|asynceventlistener|gatewaysender|gatewayreceiver)\b/i;
const making = /\b(create|alter)\b/i;

/**
 * Refuses a text of the user's own that would reach beyond tables: whoever owns a schema may declare any static method
 * of Java as a routine (`java.lang.System.exit`), and on SQLFire's family make disk stores in any folder and listeners
 * of any class; no right of SQL keeps that from anybody. Neither product runs a text within a text, so that these words
 * have to stand there. They are looked for in comments and texts, too: nothing is lost there, and nobody can hide them.
 * Throws 'permission'.
 */
export function vet(text: string): void {
  const [, word] = reaching.exec(text) ?? [];
  if (word === undefined || !making.test(text)) return;
  throw new DynoError(
    'permission',
    `CREATE … ${word.toUpperCase()} reaches beyond tables: no statement of an experiment may do that.`,
    { hint: 'What such a statement makes is a DBA’s to make, before the run.' },
  );
}
