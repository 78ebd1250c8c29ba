import * as v from 'valibot';
import { isMapping, type Report } from './check-shape.ts';
import { checkColumn } from './column-rules.ts';
import { type ColumnSpec, columnSchema } from './column-specs.ts';
import { leadsNowhere } from './dataset-rules.ts';
import { operationsOf } from './factor-rules.ts';
import { checkFollowers } from './follower-rules.ts';
import { didYouMean } from './nearest-word.ts';
import type { Path } from './path-text.ts';
import { weightsOf } from './statement-mix.ts';
import { statementsSchema, transactionsSchema } from './statements.ts';
import { datasetTable } from './tables.ts';

type Mapping = Readonly<Record<string, unknown>>;

const mapping = (value: unknown): Mapping => (isMapping(value) ? value : {});

const mixSchema = v.object({
  statements: v.optional(statementsSchema),
  transactions: v.optional(transactionsSchema),
});

/** What the schema cannot say about own statements: names that lead nowhere, keys without a table, a table that is missing. */
export function checkStatements(experiment: Mapping, report: Report): void {
  const operations = operationsOf(experiment);
  const statements = mapping(experiment.statements);
  const transactions = mapping(experiment.transactions);
  const own = operations.filter(({ operation }) => operation === 'statement');
  checkTable(experiment, operations.length > 0 && own.length === operations.length, report);
  for (const { path } of own)
    if (Object.keys(statements).length === 0)
      report({
        severity: 'error',
        path,
        at: 'value',
        message: '`statement` runs statements of your own, and there are none.',
        suggestion: 'Write them under `statements`: a name, and its text.',
      });
  const mix = v.safeParse(mixSchema, experiment);
  if (own.length > 0 && Object.keys(statements).length > 0 && mix.success && weightsOf(mix.output).size === 0)
    report({
      severity: 'error',
      path: ['statements'],
      at: 'key',
      message: 'Every statement and transaction has weight 0.',
      suggestion: 'Give one a weight above 0.',
    });
  const keyed: ReadonlyMap<string, boolean> = new Map(
    [
      ...Object.entries(mapping(experiment.tables)),
      ...(experiment.dataset === undefined ? [] : [[datasetTable, experiment.dataset] as const]),
    ].map(([name, table]) => [name, mapping(table).key !== undefined]),
  );
  for (const [name, statement] of Object.entries(statements)) {
    const path = ['statements', name];
    checkParameters(mapping(statement).parameters, [...path, 'parameters'], keyed, report);
    checkExpected(mapping(statement).expectRows, [...path, 'expectRows'], report);
  }
  for (const [name, transaction] of Object.entries(transactions)) {
    const path = ['transactions', name];
    checkParameters(mapping(transaction).parameters, [...path, 'parameters'], keyed, report);
    checkSteps(mapping(transaction).steps, Object.keys(statements), path, report);
    if (Object.hasOwn(statements, name))
      report({
        severity: 'error',
        path,
        at: 'key',
        message: `A statement is called \`${name}\`, too.`,
        suggestion: 'Results go by these names: give the transaction another one.',
      });
  }
}

function checkTable({ dataset }: Mapping, canDoWithout: boolean, report: Report): void {
  if (canDoWithout) return;
  if (dataset === undefined)
    report({
      severity: 'error',
      path: ['dataset'],
      at: 'key',
      message: 'The key `dataset` is missing in an experiment.',
      suggestion: 'Only own statements (operation: statement) can do without.',
    });
  else if (isMapping(dataset) && isMapping(dataset.columns) && Object.keys(dataset.columns).length === 0)
    report({
      severity: 'error',
      path: ['dataset', 'columns'],
      at: 'value',
      message: '`dataset.columns` is empty; it needs at least one entry.',
      suggestion: null,
    });
}

function checkSteps(steps: unknown, statements: readonly string[], path: Path, report: Report): void {
  for (const [index, step] of (Array.isArray(steps) ? steps : []).entries())
    if (typeof step === 'string' && !statements.includes(step))
      report({
        severity: 'error',
        path: [...path, 'steps', index],
        at: 'value',
        message: `There is no statement \`${step}\`.`,
        suggestion: didYouMean(step, statements) ?? `Statements: ${statements.join(', ') || 'none'}.`,
      });
}

function checkExpected(expected: unknown, path: Path, report: Report): void {
  const { min, max } = mapping(expected);
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    report({
      severity: 'error',
      path,
      at: 'value',
      message: `min ${min} is above max ${max}.`,
      suggestion: 'Swap them.',
    });
}

/** `keyed`: whether each table has a key. */
function checkParameters(parameters: unknown, path: Path, keyed: ReadonlyMap<string, boolean>, report: Report): void {
  const columns = new Map<string, ColumnSpec>();
  for (const [name, spec] of Object.entries(mapping(parameters))) {
    checkKeyParameter(name, mapping(spec), [...path, name], keyed, report);
    const parsed = v.safeParse(columnSchema, spec);
    if (!parsed.success || leadsNowhere(parsed.output)) continue;
    columns.set(name, parsed.output);
    checkColumn(name, parsed.output, [...path, name], report);
  }
  checkFollowers([...columns.keys()], columns, path, report);
}

function checkKeyParameter(
  name: string,
  { type, table }: Mapping,
  path: Path,
  keyed: ReadonlyMap<string, boolean>,
  report: Report,
): void {
  if (type !== 'key' && type !== 'newKey') return;
  const tables = [...keyed.keys()].filter((one) => one !== datasetTable);
  if (typeof table === 'string' && !keyed.has(table))
    report({
      severity: 'error',
      path: [...path, 'table'],
      at: 'value',
      message: `There is no table \`${table}\`.`,
      suggestion: didYouMean(table, tables) ?? `Tables: ${tables.join(', ') || 'none'}.`,
    });
  else if (keyed.get(typeof table === 'string' ? table : datasetTable) !== true)
    report({
      severity: 'error',
      path,
      at: 'value',
      message: `\`${name}\` is a key of ${typeof table === 'string' ? `the table \`${table}\`` : 'the dataset’s table'}, and that has none.`,
      suggestion: `Name a column as ${typeof table === 'string' ? `tables.${table}` : 'dataset'}.key, or draw the values from a query.`,
    });
}
