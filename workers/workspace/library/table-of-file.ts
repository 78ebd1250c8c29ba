import { basename } from 'node:path';
import { identifierOf } from '#experiment/statements/dataset-of-tables.ts';
import type { FileColumnType } from '#model/dataset/column-specs.ts';
import { type FromFile, mostRows } from '#model/dataset/dataset.ts';
import { datasetTable } from '#model/dataset/tables.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { lazyList } from '#model/text/lazy-list.ts';
import { oneLine } from '#model/text/printable.ts';
import { cannotRead, openGiven } from '#platform/given-file.ts';
import type { ProposedColumn, ProposedTable } from '#protocol/proposed-table.ts';
import { type GuessedFile, guessColumns, notUtf8 } from '#runner/rows/guess-columns.ts';
import type { GuessedColumn, TimeForm } from '#runner/rows/guessed-column.ts';

/** Rows whose values are looked at, unless the user wants more. */
export const usualLook = 100_000;
/** Further rows are counted up to so many bytes of the text. */
const mostCounted = 256_000_000;

/**
 * A table that takes its rows from a file, with the columns, types and key that its first rows have. `path` leads to
 * the file that `from` names. `look`: rows whose values are looked at. Throws 'badInput' for a file without rows, and
 * for one that cannot be read.
 */
export async function tableOfFile(
  path: string,
  from: FromFile,
  look = usualLook,
  signal: AbortSignal = new AbortController().signal,
): Promise<ProposedTable> {
  try {
    await (await openGiven(path)).close();
    return await proposed(path, from, look, signal);
  } catch (thrown) {
    throw cannotRead(from.file, thrown);
  }
}

async function proposed(path: string, from: FromFile, look: number, signal: AbortSignal): Promise<ProposedTable> {
  const guess = (one: FromFile) => guessColumns(path, one, { rows: look, bytes: mostCounted }, signal);
  try {
    return tableOf(from, await guess(from));
  } catch (thrown) {
    if (from.encoding !== undefined || !(thrown instanceof DynoError) || thrown.data.code !== notUtf8) throw thrown;
    const other = { ...from, encoding: 'windows-1252' } as const;
    const made = tableOf(other, await guess(other));
    return { ...made, told: ['The file is not in UTF-8, and was read as windows-1252.', ...made.told] };
  }
}

function tableOf(from: FromFile, file: GuessedFile): ProposedTable {
  if (file.looked === 0) throw new DynoError('badInput', `${from.file} has no rows.`);
  const [left = null] = file.leftOut;
  if (file.columns.length === 0)
    throw new DynoError(
      'badInput',
      `${from.file} has no column that a table could have${left === null ? '' : `: “${left.name}” ${left.why}`}.`,
    );
  const taken = new Set<string>();
  const named = file.columns.map((column) => [identifierOf(bare(column.name), taken), column] as const);
  const key = named.find(([, column]) => isKey(column, column === file.columns[0]))?.[0];
  const stem = bare(basename(from.file).replace(/\..*$/s, ''));
  return {
    name: identifierOf(stem, new Set([datasetTable])),
    table: {
      from,
      rows: Math.min(file.rows, mostRows),
      ...(key !== undefined && { key }),
      columns: Object.fromEntries(named.map(([name, column]) => [name, specOf(name, column)])),
    },
    told: toldOf(from.file, file, named, key).map(oneLine),
  };
}

/** The name without signs at its end, which would become underscores. */
const bare = (name: string): string => name.replace(/[^\p{L}\p{N}]+$/u, '');

function specOf(name: string, { name: inFile, spec }: GuessedColumn): ProposedColumn {
  const { nulls, ...type } = spec;
  return { type: 'file', ...(inFile !== name && { column: inFile }), ...type, ...(nulls > 0 && { nulls }) };
}

const keyTypes: readonly FileColumnType[] = ['integer', 'uuid', 'text'];

/** A column that is unique only by chance, such as a time, is no key. */
const isKey = ({ name, spec, isUnique }: GuessedColumn, isFirst: boolean): boolean =>
  isUnique &&
  keyTypes.includes(spec.as) &&
  (isFirst || /(^|[^a-z])(id|key|uuid|guid|code|number|no|nr)$|Id$/i.test(name));

function toldOf(
  file: string,
  { leftOut, looked, rows, isCounted }: GuessedFile,
  named: readonly (readonly [string, GuessedColumn])[],
  key: string | undefined,
): readonly string[] {
  const inForm = (form: TimeForm) => named.filter(([, one]) => one.timeForms.includes(form)).map(([name]) => name);
  const times = (form: TimeForm, what: string) => {
    const names = inForm(form);
    return names.length === 0 ? [] : [`${list.format(names)}: ${form}; ${what}.`];
  };
  const empty = named.filter(([, { spec }]) => spec.nulls === 1).map(([name]) => name);
  return [
    ...(looked < rows || !isCounted
      ? [
          `The types are those of the first ${many(looked, 'row')}; a later value that does not fit is an error, which names its line and column.`,
        ]
      : []),
    ...(isCounted ? [] : [`${file} has more than ${formatCount(rows)} rows: raise \`rows\` to use them.`]),
    key === undefined
      ? 'No column looks like a key: `line: { type: sequence }` beside the columns, with `key: line`, would be one.'
      : `${key} is the key, because its values differ in ${looked < rows || !isCounted ? 'these rows' : 'all rows'}.`,
    ...times('days', 'a day is stored as its midnight'),
    ...times('times without a zone', 'they are stored as times in UTC'),
    ...times('times with a zone', 'they are stored in UTC, without the zone'),
    ...(empty.length === 0 ? [] : [`${list.format(empty)}: null in all rows that were read.`]),
    ...leftOut.slice(0, mostTold).map(({ name, why }) => `The column “${name.slice(0, 60)}” was left out: it ${why}.`),
    ...(leftOut.length > mostTold ? [`${leftOut.length - mostTold} more columns were left out.`] : []),
  ];
}

const mostTold = 10;
const list = lazyList('en', 'conjunction');
