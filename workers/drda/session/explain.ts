import type { DrdaError } from '../errors.ts';
import { tokenSeparator } from '../sql/sqlcard.ts';
import type { Statement } from './statement.ts';

/**
 * Derby and its forks send an error's id and what it is about, and have the sentence made by a procedure, as Derby's
 * own client does. Its parameters are the fields of the SQLCARD; the text is the fifteenth, and the last one is 0 where
 * there is a text.
 */
export const explainSql = `CALL SYSIBM.SQLCAMESSAGE(${Array(16).fill('?').join(', ')})`;

/** The server's sentence; null where it has none. */
export async function explain(procedure: Statement, { sqlCode, sqlState, tokens }: DrdaError): Promise<string | null> {
  const message = tokens.join(tokenSeparator);
  const counters = [0, 0, 0, 0, 0, 0];
  const row = procedure.encode([
    [sqlCode, message.length, message, '', ...counters, ' ', sqlState, null, 'en_US', null, null],
  ]);
  const output = await procedure.call(row);
  const [text, code] = [output[14], output[15]];
  return code === 0 && typeof text === 'string' ? text : null;
}
