import { DrdaError } from '../errors.ts';
import { codePoints, nameOf } from './code-points.ts';
import { readObjects } from './read-objects.ts';

/** The meaning of each reply message (DRDA Volume 3, the chapter of its name). */
const words = new Map<number, string>([
  [codePoints.AGNPRMRM, 'the server has a permanent error of its own'],
  [codePoints.ABNUOWRM, 'the server rolled the transaction back'],
  [codePoints.CMDATHRM, 'the user may not give this command'],
  [codePoints.CMDCHKRM, 'the server could not carry the command out'],
  [codePoints.CMDNSPRM, 'the server does not know this command'],
  [codePoints.CMDVLTRM, 'the command is not allowed here'],
  [codePoints.DSCINVRM, 'the server does not accept the description of the parameters'],
  [codePoints.DTAMCHRM, 'the parameters are not as described'],
  [codePoints.MGRDEPRM, 'a manager that the command needs is missing'],
  [codePoints.MGRLVLRM, 'the server does not support the levels asked for'],
  [codePoints.OBJNSPRM, 'the server does not know this object'],
  [codePoints.OPNQFLRM, 'the query could not be opened'],
  [codePoints.PRCCNVRM, 'the server did not expect this command now'],
  [codePoints.PRMNSPRM, 'the server does not know this parameter of a command'],
  [codePoints.QRYNOPRM, 'the query is not open'],
  [codePoints.QRYPOPRM, 'the query is open already'],
  [codePoints.RDBACCRM, 'the database is in use by this connection already'],
  [codePoints.RDBAFLRM, 'the database could not be opened'],
  [codePoints.RDBATHRM, 'the user may not use the database'],
  [codePoints.RDBNACRM, 'the database was not opened before'],
  [codePoints.RDBNFNRM, 'the server has no such database'],
  [codePoints.RSCLMTRM, 'the server has not the resources'],
  [codePoints.SQLERRRM, 'an SQL error'],
  [codePoints.SYNTAXRM, 'the server found a fault in the message'],
  [codePoints.TRGNSPRM, 'the server does not support this target'],
  [codePoints.VALNSPRM, 'the server does not support this value of a parameter'],
]);

/** True for a reply message that says that a command was not executed. */
export const saysNo = (codePoint: number): boolean => words.has(codePoint);

/**
 * The error of a reply message, with the code point or condition that it names. If an SQLCARD comes with it, the
 * SQLCARD says more.
 */
export function replyError(codePoint: number, buffer: Buffer, start: number, end: number): DrdaError {
  const about: string[] = [];
  readObjects(buffer, start, end, (inner, bytes, from, to) => {
    if (inner === codePoints.CODPNT && to - from === 2) about.push(nameOf(bytes.readUInt16BE(from)));
    else if ((inner === codePoints.SYNERRCD || inner === codePoints.PRCCNVCD) && to - from === 1)
      about.push(`${nameOf(inner)} 0x${bytes[from]!.toString(16)}`);
  });
  const detail = about.length > 0 ? ` [${about.join(', ')}]` : '';
  return new DrdaError('protocol', `${nameOf(codePoint)}: ${words.get(codePoint) ?? 'refused'}${detail}.`, {
    codePoint,
  });
}
