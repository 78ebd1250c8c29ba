import { catalog } from '#engines/catalog.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import type { ListType, ParameterSpec, TransactionStep } from '#model/statements/statements.ts';
import { isBlock } from '#model/statements/steps.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import type { Path } from '#model/text/path-text.ts';
import { looksLikeType } from '#runner/operations/list-values.ts';
import { columnOfFile, wrongInFile } from './csv-column.ts';
import { type CsvRecord, parseCsv } from './csv-records.ts';
import { headOfListFile } from './list-files.ts';

type Csv = ParameterSpec & { readonly type: 'csv' };
type Parameters = Readonly<Record<string, ParameterSpec>>;

/**
 * Advice on columns of CSV files whose first values look like another type, because they are sent as text without a
 * declared type. `engines`: the engines of its targets. An unreadable file gets no advice; the run reports it.
 */
export function listAdvice(experiment: Experiment, engines: readonly string[], folder: string): readonly Problem[] {
  const heads = new Map<string, readonly CsvRecord[] | null>();
  const headOf = (file: string): readonly CsvRecord[] | null => {
    const known = heads.get(file);
    if (known !== undefined) return known;
    const head = readHead(folder, file);
    heads.set(file, head);
    return head;
  };
  return parametersWithPaths(experiment).flatMap(({ path, spec }) => {
    const head = spec.type === 'csv' ? headOf(spec.file) : null;
    return head === null || spec.type !== 'csv' ? [] : adviceOn(spec, path, head, engines);
  });
}

function readHead(folder: string, file: string): readonly CsvRecord[] | null {
  try {
    return parseCsv(headOfListFile(folder, file), file);
  } catch {
    return null;
  }
}

function adviceOn(spec: Csv, path: Path, head: readonly CsvRecord[], engines: readonly string[]): readonly Problem[] {
  const warning = (at: string, message: string, suggestion: string | null): Problem => ({
    severity: 'warning',
    path: at === '' ? path : [...path, at],
    message,
    suggestion,
  });
  const names = head[0]?.fields.map(({ text }) => text) ?? [];
  if (!names.includes(spec.column))
    return [warning('column', `${spec.file} has no column “${spec.column}”.`, `Its columns are ${names.join(', ')}.`)];
  const column = columnOfFile(head, spec);
  if (spec.as !== undefined) {
    const wrong = wrongInFile(column, spec, spec.as);
    return wrong ? [warning('as', wrong.message, wrong.data.hint ?? null)] : [];
  }
  const type = looksLikeType(column.values);
  if (type === 'text') return [];
  return [
    {
      ...warning(
        '',
        `The values of the column “${spec.column}” in ${spec.file} look like ${words[type]}, and are sent as text.`,
        `Write \`as: ${type}\` to send ${words[type]}, or \`as: text\` if they are text. ${meetings(type, engines)}`.trim(),
      ),
      fix: { kind: 'set', path: [...path, 'as'], value: type },
    },
  ];
}

const words: Readonly<Record<ListType, string>> = {
  text: 'text',
  integer: 'whole numbers',
  decimal: 'decimals',
  float: 'floating-point numbers',
  uuid: 'UUIDs',
  timestamp: 'dates or times',
  boolean: 'booleans',
  bytes: 'bytes',
};

/** The way in which the experiment's engines compare a text with a number. */
function meetings(type: ListType, engines: readonly string[]): string {
  if (type !== 'integer' && type !== 'decimal') return '';
  return catalog
    .filter(({ descriptor }) => engines.includes(descriptor.id))
    .flatMap(({ descriptor: { label, statements } }) => {
      const { literal, bound } = statements?.textMeetsNumber ?? { literal: 'converts', bound: 'converts' };
      if (bound === 'findsNothing') return [`${label} finds no number by a text.`];
      return literal === 'refuses' ? [`${label} refuses a text beside a number where the method is literal.`] : [];
    })
    .join(' ');
}

/** All parameters of a file, each with its place. */
function parametersWithPaths({ statements = {}, transactions = {}, scenarios = {} }: Experiment) {
  const of = (at: Path, parameters: Parameters = {}) =>
    Object.entries(parameters).map(([name, spec]) => ({ path: [...at, 'parameters', name], spec }));
  const inSteps = (at: Path, steps: readonly TransactionStep[]): ReturnType<typeof of> =>
    steps.flatMap((step, i) => {
      if (!isBlock(step)) return [];
      const own = [...at, i];
      return [
        ...of(own, step.parameters),
        ...inSteps([...own, 'steps'], step.steps),
        ...inSteps([...own, 'otherwise'], step.otherwise ?? []),
      ];
    });
  return [
    ...Object.entries(statements).flatMap(([name, one]) => of(['statements', name], one.parameters)),
    ...Object.entries(transactions).flatMap(([name, one]) => [
      ...of(['transactions', name], one.parameters),
      ...inSteps(['transactions', name, 'steps'], one.steps),
    ]),
    ...Object.entries(scenarios).flatMap(([name, one]) => of(['scenarios', name], one.parameters)),
  ];
}
