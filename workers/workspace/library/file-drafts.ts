import { stringify } from 'yaml';
import { formatCount } from '#model/format/format.ts';
import { parametersIn, type StatementLanguage } from '#model/statements/statement-text.ts';
import { parseCsv } from './csv-records.ts';
import { statementsIn } from './script-statements.ts';

/** The text of an experiment that a file of another kind became, and what the user should know about it. */
export interface FileDraft {
  readonly text: string;
  readonly note: string;
}

const mostStatements = 40;
const mostColumns = 5;

/**
 * The statements of an SQL script as an experiment of custom statements. `name`: the file's name without its ending.
 */
export function draftOfSql(name: string, script: string): FileDraft | null {
  const { texts: found, language } = statementsIn(script, mostStatements);
  const texts = found.slice(0, mostStatements);
  if (texts.length === 0) return null;
  const statements = Object.fromEntries(texts.map((text, index) => [nameOf(text, index), statementOf(text, language)]));
  const parameters = texts.some((text) => parametersIn(text, language, []).length > 0);
  return {
    text: draftText(name, 'How fast are these statements?', statements, [
      'Choose a connection to your server under targets: Dyno never creates, changes or drops your tables by itself.',
      ...(parameters ? ['Say under parameters what values each parameter gets.'] : []),
    ]),
    note: [
      found.length > mostStatements
        ? `The first ${mostStatements} statements of the script are here.`
        : `${texts.length === 1 ? 'One statement' : `${texts.length} statements`} of the script.`,
      'Nothing has run: choose a connection, then Try once.',
    ].join(' '),
  };
}

/** A statement whose parameters are drawn from a CSV file in the folder of the experiments. Throws as parseCsv does. */
export function draftOfCsv(name: string, file: string, csv: string): FileDraft | null {
  const [columns = [], ...rows] = parseCsv(csv, file);
  const named = columns.filter((column) => column.trim() !== '').slice(0, mostColumns);
  if (named.length === 0 || rows.length === 0) return null;
  const parameters = new Map(
    named.map((column, index) => [parameterName(column, index), { type: 'csv', file, column }]),
  );
  const text = `SELECT ${[...parameters.keys()].map((parameter) => `:${parameter}`).join(', ')}`;
  return {
    text: draftText(
      name,
      `How fast are our statements with the values of ${file}?`,
      { 'with-values': { text, parameters: Object.fromEntries(parameters) } },
      ['Replace the statement by one of yours; its parameters take the values of the file, row by row.'],
    ),
    note: `${rows.length === 1 ? 'One row' : `${formatCount(rows.length)} rows`} of values. The file was copied beside your experiments, where runs read it.`,
  };
}

function draftText(
  name: string,
  question: string,
  statements: Readonly<Record<string, unknown>>,
  comments: readonly string[],
): string {
  const experiment = {
    dyno: 1,
    name,
    question,
    workload: { operation: 'statement', method: 'prepared' },
    statements,
    targets: ['embedded-postgres'],
    measure: { until: { seconds: 2 }, repeats: 3 },
  };
  return [...comments.map((comment) => `# ${comment}\n`), stringify(experiment, { lineWidth: 0 })].join('');
}

/** "select-3": its first word and its place in the script. */
function nameOf(text: string, index: number): string {
  const [word] = /[a-z]+/i.exec(text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, '')) ?? ['statement'];
  return `${word.toLowerCase().slice(0, 20)}-${index + 1}`;
}

function statementOf(text: string, language: StatementLanguage): unknown {
  const parameters = parametersIn(text, language, []);
  if (parameters.length === 0) return { text };
  return {
    text,
    parameters: Object.fromEntries(parameters.map((name) => [name, { type: 'integer', min: 1, max: 1000 }])),
  };
}

/** A column's name as the name of a parameter; two columns whose names differ in signs alone stay apart. */
function parameterName(column: string, index: number): string {
  const plain = column
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 24);
  return /^[a-z]/.test(plain) ? `${plain}_${index + 1}` : `value_${index + 1}`;
}
