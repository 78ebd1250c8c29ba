import type { Experiment } from '#experiment/schema/experiment.ts';
import { listedParameters, type TextChoice, textFor } from '#experiment/statements/statement-mix.ts';
import type { PlansByName } from '#model/dataset/dataset.ts';
import { DynoError } from '#model/error.ts';
import type { Options } from '#model/settings/options.ts';
import type { ValueList } from '#model/statements/statements.ts';
import type { FoundFiles } from '#protocol/journal.ts';
import { guessListType } from '#runner/operations/list-values.ts';
import { parseCsv } from '#workspace/library/csv-records.ts';
import { readListFile } from '#workspace/library/list-files.ts';
import type { Control } from '../worker/control.ts';

/** Most values of one parameter: each client worker holds them. */
const mostValues = 200_000;

interface ListContext {
  readonly control: Control;
  readonly experiment: Experiment;
  readonly choice: TextChoice;
  readonly files: FoundFiles;
  /** The tables that queries may name. */
  readonly tables: PlansByName;
  readonly options: Options;
}

/** The values for these statements and transactions, by the ids of listedParameters. Read before the clock starts. */
export async function readLists(
  { control, experiment, choice, files, tables, options }: ListContext,
  items: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ValueList>> {
  const lists = new Map<string, ValueList>();
  for (const { id, spec } of listedParameters(experiment, items)) {
    const values =
      spec.type === 'csv'
        ? readColumn(files, spec.file, spec.column)
        : await askValues(control, { text: queryFor(spec.text, id, choice), tables, options }, signal);
    if (values.length === 0)
      throw new DynoError(
        'badInput',
        `The parameter “${id}” has nothing to be drawn from: ${spec.type} gave no values.`,
      );
    lists.set(id, { as: spec.as ?? guessListType(values), values });
  }
  return lists;
}

function queryFor(text: Parameters<typeof textFor>[0], id: string, choice: TextChoice): string {
  const chosen = textFor(text, choice);
  if (chosen === null)
    throw new DynoError('badInput', `The query of the parameter “${id}” has no text for ${choice.engine}.`);
  return chosen;
}

/** The first column of the answer. */
async function askValues(
  control: Control,
  query: { readonly text: string; readonly tables: PlansByName; readonly options: Options },
  signal: AbortSignal,
): Promise<readonly (string | null)[]> {
  const { rows } = await control.ask({ call: 'query', ...query, most: mostValues }, signal);
  return rows.map(([first]) => first ?? null);
}

function readColumn(files: FoundFiles, file: string, column: string): readonly (string | null)[] {
  const [names = [], ...records] = parseCsv(readListFile(files, file), file);
  const index = names.indexOf(column);
  if (index === -1)
    throw new DynoError('badInput', `${file} has no column “${column}”.`, { hint: `It has: ${names.join(', ')}.` });
  return records.slice(0, mostValues).map((record) => record[index] || null);
}
