import { formatCount } from '#model/format/format.ts';
import { diagnosticLine } from '#model/text/diagnostic.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { toCsv } from '#presentation/tables/shared/csv.ts';
import { alignColumns } from '#presentation/terminal/run-text.ts';
import { type Preview, type PreviewValue, previewRows } from '#protocol/preview.ts';
import { readDataset } from '#rules/dataset-file.ts';
import { previewOf } from '#workspace/library/preview-rows.ts';
import { type Command, text } from '../command.ts';
import { experimentOptions, givenExperiment } from './experiment-text.ts';

const mostRows = 10_000;
/** Most characters of a value in the table; --json and --csv print all of it. */
const longestInTable = 60;

/** `dyno preview`: prints the first rows of a dataset. */
export const previewCommand: Command = {
  name: 'preview',
  arguments: 'FILE',
  summary:
    'Shows the first rows of an experiment’s dataset or of one of its tables. It does not apply keyKind, nullShare, distinctTimes, dates and documents of a variant.',
  options: {
    rows: { type: 'string', about: `Number of rows. Default: ${previewRows}.` },
    table: { type: 'string', about: 'Name of one of its `tables`, or of the dataset. Default: the dataset’s table.' },
    ...experimentOptions,
    json: { type: 'boolean', about: 'Prints one JSON object per row.' },
    csv: { type: 'boolean', about: 'Prints CSV.' },
  },
  takes: [1, 1],
  async run({ home, positionals: [file = ''], values, print, printJson, note }) {
    const wanted = rowsOf(text(values, 'rows'));
    if (wanted === null) {
      note(`--rows ${text(values, 'rows')}: there can be 1 to ${formatCount(mostRows)} rows.`);
      return exitCodes.usage;
    }
    const given = givenExperiment(home, file, values);
    const { dataset, problems } = readDataset(given.file, text(values, 'table'));
    for (const one of problems) note(`${file}:${diagnosticLine(one)} [${one.severity}]`);
    if (dataset === null) return exitCodes.badExperiment;
    const whole = values.json || values.csv;
    const { columns, rows } = await previewOf(given.folder, dataset, wanted, whole ? undefined : longestInTable);
    if (values.json) printJson(rows.map((row) => Object.fromEntries(columns.map((name, c) => [name, row[c]]))));
    else if (values.csv) print(csv(columns, rows));
    else for (const line of table(columns, rows)) print(line);
    return exitCodes.ok;
  },
};

function table(columns: readonly string[], rows: Preview['rows']): readonly string[] {
  const numeric = (value: PreviewValue) => value === null || /^-?\d+(\.\d+)?$/.test(String(value));
  const sides = columns.map((_, c) => (rows.every((row) => numeric(row[c]!)) ? 'right' : 'left'));
  return alignColumns([columns, ...rows.map((row) => row.map((value) => String(value ?? '')))], sides);
}

/**
 * The rows as CSV with the terminal's line ends; decimals are numbers, so that no program reads a minus as a formula.
 */
const csv = (columns: readonly string[], rows: Preview['rows']): string =>
  toCsv({ columns, rows: rows.map((row) => row.map(cell)) })
    .replaceAll('\r\n', '\n')
    .trimEnd();

const cell = (value: PreviewValue): string | number | null =>
  typeof value === 'boolean' ? String(value) : value !== null && decimal.test(String(value)) ? Number(value) : value;

const decimal = /^-?\d+\.\d+$/;

/** Null if the text is no number of rows that a preview can show. */
function rowsOf(written: string | undefined): number | null {
  const rows = written === undefined ? previewRows : Number(written);
  return Number.isInteger(rows) && rows >= 1 && rows <= mostRows ? rows : null;
}
