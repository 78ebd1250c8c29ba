import { DynoError } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import { extentOf } from '#model/statements/statement-extent.ts';
import { partsOf } from '#model/statements/statement-text.ts';
import { statementLanguage } from '../descriptor.ts';

/** The hint of option maxdop, with a space before it; empty: the limits of the server hold. */
export const maxdopHint = ({ maxdop = 0 }: Options): string =>
  Number(maxdop) === 0 ? '' : ` OPTION (MAXDOP ${Number(maxdop)})`;

/**
 * A reading statement of the user's own with the hint of option maxdop at its end. The hint has a line of its own,
 * because the text may end with a comment. Throws 'unsupported' for a text with hints, because a statement has one
 * OPTION clause at most (Transact-SQL Reference, "OPTION clause").
 */
export function withMaxdop(text: string, options: Options): string {
  const hint = maxdopHint(options).trimStart();
  const { end, next } = extentOf(text, statementLanguage);
  if (hint === '' || next !== null) return text;
  const hasHints = partsOf(text, statementLanguage).some(
    (part) => part.kind === 'code' && /\boption\s*\(/i.test(part.text),
  );
  if (hasHints)
    throw new DynoError('unsupported', 'sqlserver.maxdop adds an OPTION clause, and the statement has one already.', {
      hint: 'Write MAXDOP into the clause of the text, and leave sqlserver.maxdop at 0.',
    });
  return `${text.slice(0, end).trimEnd()}\n${hint}`;
}
