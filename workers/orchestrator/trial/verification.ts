import type { TableChecksum } from '#model/batch/batch.ts';
import { type OperationName, readOnlyOperations } from '#model/settings/vocabulary.ts';
import type { Verification, WorkerResult } from '#protocol/measurement.ts';
import type { RangeCheck } from '#protocol/messages.ts';
import { addChecksums } from '../worker/merge-results.ts';

export interface VerificationFacts {
  readonly operation: OperationName;
  /** True if the server generates the rows: their number can be checked, their values cannot. */
  readonly serverData: boolean;
  readonly columnNames: readonly string[];
  /** Checksum of the generated rows that were loaded before the clock started; null if there were none. */
  readonly loaded: TableChecksum | null;
  /** Checksum of the copied table; absent if there was none. */
  readonly source?: TableChecksum | null;
  readonly results: readonly Pick<WorkerResult, 'acknowledged' | 'uncertainRows' | 'statements'>[];
  /** Checksum at the server afterwards; null if it keeps no rows. */
  readonly found: TableChecksum | null;
}

export const notVerified = (
  note: string,
  outcome: Verification['outcome'] = 'skipped',
  foundRows: number | null = null,
): Verification => ({ outcome, expectedRows: null, foundRows, note });

/** A sentence about statements whose number of rows the server did not report, so nothing could be compared. */
function uncountedText(results: VerificationFacts['results']): string {
  const all = results.flatMap(({ statements = [] }) => statements);
  const names = new Set(all.filter(({ uncounted = 0 }) => uncounted > 0).map(({ name }) => name));
  const listed = [...names].map((name) => `“${name}”`).join(', ');
  return names.size === 0 ? '' : ` Of ${listed} the server did not say how many it touched.`;
}

/** Compares the rows that the server acknowledged with the rows that it has. Pure. */
export function verify(evidence: VerificationFacts): Verification {
  const { operation, loaded, results, found } = evidence;
  if (operation === 'statement')
    return notVerified(
      `The rows that each custom statement touched were compared with its expectRows, where that is given.${uncountedText(results)}`,
      'notPossible',
    );
  if (!found) return notVerified('The engine keeps no rows to look at.', 'notPossible');
  const acknowledged = results.map((one) => one.acknowledged);
  const known = acknowledged.filter((one) => one !== null);
  const changes = operation === 'insert' || operation === 'copy' || operation === 'delete';
  if (changes && known.length < acknowledged.length)
    return notVerified('The number of rows that the calls made is not known to the client.', 'notPossible', found.rows);
  const changed = changes ? known.reduce((sum, one) => sum + one.rows, 0) : 0;
  const before = loaded?.rows ?? 0;
  const expectedRows = operation === 'delete' ? before - changed : before + changed;
  const uncertain = results.reduce((sum, one) => sum + one.uncertainRows, 0);
  const [low, high] =
    operation === 'delete' ? [expectedRows - uncertain, expectedRows] : [expectedRows, expectedRows + uncertain];
  const counts = { expectedRows, foundRows: found.rows };
  if (found.rows < (changes ? low : expectedRows) || found.rows > (changes ? high : expectedRows))
    return {
      outcome: 'mismatch',
      ...counts,
      note: `The server has ${found.rows} rows where ${expectedRows}${uncertain > 0 && changes ? ` (± ${uncertain} in failed calls)` : ''} were acknowledged.`,
    };
  const expected = expectedChecksum(evidence, known, uncertain);
  if (typeof expected === 'string') return { outcome: 'countOnly', ...counts, note: expected };
  return compareColumns(evidence.columnNames, expected, found, counts);
}

/** The checksum that the table should have, or the reason why there is none. */
function expectedChecksum(
  { operation, serverData, loaded, source }: VerificationFacts,
  acknowledged: readonly TableChecksum[],
  uncertain: number,
): TableChecksum | string {
  if (serverData) return 'Rows counted; the server made the values itself.';
  if (readOnlyOperations.includes(operation)) return loaded ?? 'Rows counted.';
  if (operation !== 'insert' && operation !== 'copy')
    return `Rows counted; after ${operation}s the values are not compared.`;
  if (uncertain > 0) return `Rows counted; ${uncertain} rows in failed calls may or may not be there.`;
  const all = loaded ? [loaded, ...acknowledged] : acknowledged;
  const [first, ...rest] = all;
  if (!first) return 'Rows counted.';
  const sum = rest.reduce(addChecksums, first);
  if (!source) return sum;
  // The copy must have all rows with their sums, except for the keys, which are new.
  if (sum.rows === source.rows) return { ...sum, columns: sum.columns.map((one, c) => one ?? source.columns[c]!) };
  return `Rows counted; ${sum.rows} of ${source.rows} were copied, and which is not known.`;
}

/** Adds the check of ranges: each variant must give the same answer, however its columns are stored. */
export const withRanges = (verification: Verification, { ranges, rows, wrong }: RangeCheck): Verification =>
  wrong === null
    ? { ...verification, note: `${verification.note} ${ranges} ranges, ${rows} rows: as generated.` }
    : { ...verification, outcome: 'mismatch', note: `A range is not what was generated: ${wrong}` };

function compareColumns(
  names: readonly string[],
  expected: TableChecksum,
  found: TableChecksum,
  counts: Pick<Verification, 'expectedRows' | 'foundRows'>,
): Verification {
  const sums = [expected.columns, found.columns];
  const comparable = names.filter((_, c) => sums.every((columns) => typeof columns[c] === 'string'));
  const wrong = names.filter((name, c) => comparable.includes(name) && expected.columns[c] !== found.columns[c]);
  if (wrong.length > 0)
    return {
      outcome: 'mismatch',
      ...counts,
      note: `The number of rows is right, but not the content of ${wrong.join(', ')}: the checksum differs.`,
    };
  if (comparable.length === 0)
    return { outcome: 'countOnly', ...counts, note: 'Rows counted; no column has a checksum on both sides.' };
  return {
    outcome: 'match',
    ...counts,
    note:
      comparable.length === names.length
        ? 'Rows and checksums of all columns agree.'
        : `Rows and checksums of ${comparable.join(', ')} agree; the other columns have none.`,
  };
}
