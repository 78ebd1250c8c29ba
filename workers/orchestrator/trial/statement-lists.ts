import type { AnsweredRows } from '#engine-api/statement.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import {
  type ListedParameter,
  listedParameters,
  type TextChoice,
  textFor,
} from '#experiment/statements/statement-mix.ts';
import type { PlansByName } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import { formatCount } from '#model/format/format.ts';
import type { Options } from '#model/settings/options.ts';
import { mayWriteText } from '#model/statements/reads-only.ts';
import type { ValueList } from '#model/statements/statements.ts';
import type { FoundFiles } from '#protocol/journal.ts';
import { answeredList } from '#runner/operations/answered-list.ts';
import { ofFileContents } from '#runner/rows/file-contents.ts';
import { columnOfFile, wrongInFile } from '#workspace/library/csv-column.ts';
import { type CsvRecord, parseCsv } from '#workspace/library/csv-records.ts';
import { readListFile } from '#workspace/library/list-files.ts';
import type { Control } from '../worker/control.ts';

/** Maximum number of rows of a list, and of characters of its values. Each client worker keeps them in memory. */
const mostRows = 2_000_000;
const mostCharacters = 64_000_000;

interface ListContext {
  readonly control: Control;
  readonly experiment: Experiment;
  readonly choice: TextChoice;
  readonly files: FoundFiles;
  /** The tables that queries may name. */
  readonly tables: PlansByName;
  readonly options: Options;
  /** True if queries are only tried: queries that may write are not run, and changes of the others are undone. */
  readonly isTry: boolean;
}

/**
 * Returns the values for these statements and transactions, by the ids of listedParameters. Reads each file and each
 * query once, before the clock starts, so their columns have values of the same rows.
 */
export async function readLists(
  { control, experiment, choice, files, tables, options, isTry }: ListContext,
  items: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ValueList>> {
  const lists = new Map<string, ValueList>();
  const records = new Map<string, readonly CsvRecord[]>();
  const answers = new Map<string, AnsweredRows>();
  for (const { id, spec } of listedParameters(experiment, items)) {
    const { row = '' } = spec;
    let list: ValueList;
    if (spec.type === 'csv') {
      const text = records.has(spec.file) ? '' : readListFile(files, spec.file);
      try {
        const known = records.get(spec.file) ?? parseCsv(text, spec.file);
        records.set(spec.file, known);
        list = { ...listOfFile(known, spec), source: `${row} csv ${spec.file}` };
      } catch (thrown) {
        throw ofFileContents(thrown);
      }
    } else {
      const text = queryFor(spec.text, id, choice);
      if (isTry) refuseWrites(text, id, control);
      const request = { call: 'query', text, tables, options, most: mostRows + 1, isUndone: isTry } as const;
      const known = answers.get(text) ?? (await control.ask(request, signal));
      answers.set(text, known);
      list = { ...answeredList(known, `The query of the parameter “${id}”`, spec), source: `${row} query ${text}` };
    }
    requireSome(list, id, spec);
    lists.set(id, list);
  }
  return lists;
}

type Csv = ListedParameter['spec'] & { readonly type: 'csv' };
type Query = ListedParameter['spec'] & { readonly type: 'query' };

function queryFor(text: Query['text'], id: string, choice: TextChoice): string {
  const chosen = textFor(text, choice);
  if (chosen === null)
    throw new DynoError('badInput', `The query of the parameter “${id}” has no text for ${choice.engine}.`);
  return chosen;
}

/** @throws DynoError 'unsupported' for a query that may write, which a try does not run. */
function refuseWrites(text: string, id: string, { descriptor: { statements } }: Control): void {
  const why = statements ? mayWriteText(text, statements) : null;
  if (why === null) return;
  throw new DynoError(
    'unsupported',
    `The query of the parameter “${id}” may write, and a try runs none that does. ${why}`,
    {
      hint: 'A run does run it. Take its values from a query that only reads, or from a CSV file.',
    },
  );
}

/** Throws 'badInput' for an empty list, and for a list that is too long to be kept by every worker. */
function requireSome({ values }: ValueList, id: string, { type }: ListedParameter['spec']): void {
  if (values.length === 0)
    throw new DynoError('badInput', `The parameter “${id}” has nothing to be drawn from: ${type} gave no values.`);
  const characters = values.reduce((sum, value) => sum + (value?.length ?? 0), 0);
  if (values.length <= mostRows && characters <= mostCharacters) return;
  const [limit, unit] =
    values.length > mostRows ? ([mostRows, 'values'] as const) : ([mostCharacters, 'characters'] as const);
  throw new DynoError(
    'badInput',
    `The list of the parameter “${id}” has more than ${formatCount(limit)} ${unit}, which is what a worker holds.`,
    {
      hint:
        type === 'csv'
          ? 'Put fewer lines into the file, drawn at random so that they stand for all.'
          : 'Let the query answer fewer rows, drawn at random so that they stand for all; for keys of a table that Dyno loads, use `type: key`.',
    },
  );
}

function listOfFile(records: readonly CsvRecord[], spec: Csv): ValueList {
  const column = columnOfFile(records, spec);
  const as = spec.as ?? 'text';
  const wrong = wrongInFile(column, spec, as);
  if (wrong) throw wrong;
  return { as, values: column.values };
}
