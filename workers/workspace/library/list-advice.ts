import { catalog } from '#engines/catalog.ts';
import type { Experiment } from '#experiment/schema/experiment.ts';
import { writtenParameters } from '#experiment/statements/written-texts.ts';
import type { ListType, ParameterSpec } from '#model/statements/statements.ts';
import type { Problem } from '#model/text/diagnostic.ts';
import type { Path } from '#model/text/path-text.ts';
import { looksLikeType } from '#runner/operations/list-values.ts';
import { columnOfFile, wrongInFile } from './csv-column.ts';
import { type CsvRecord, parseCsv } from './csv-records.ts';
import { headOfListFile } from './list-files.ts';

type Csv = ParameterSpec & { readonly type: 'csv' };

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
  return writtenParameters(experiment).flatMap(({ path, spec }) => {
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
