import * as v from 'valibot';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { type ColumnSpec, columnSchema } from '#model/dataset/column-specs.ts';
import { datasetName } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import { scenariosSchema, statementsSchema, transactionsSchema } from '#model/statements/statements.ts';
import { statementsIn } from '#model/statements/steps.ts';
import { didYouMean, meantWord } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';
import { checkColumn } from './column-rules.ts';
import { leadsNowhere } from './dataset-rules.ts';
import { operationsOf } from './factor-rules.ts';
import { checkFollowers } from './follower-rules.ts';

type Mapping = Readonly<Record<string, unknown>>;
/** The tables with a key and without. */
interface Keyed {
  /** The name of the dataset's table. */
  readonly ofDataset: string;
  /** True for a table with a key, by name. */
  readonly tables: ReadonlyMap<string, boolean>;
  /** The tables whose key is a column of a file, which has no new ones. */
  readonly ofFiles: ReadonlySet<string>;
}

const mapping = (value: unknown): Mapping => (isMapping(value) ? value : {});

const mixSchema = v.object({
  statements: v.optional(statementsSchema),
  transactions: v.optional(transactionsSchema),
  scenarios: v.optional(scenariosSchema),
});

/** Rules for custom statements beyond the schema: unknown names, keys of a table without one, missing tables. */
export function checkStatements(experiment: Mapping, report: Report): void {
  const operations = operationsOf(experiment);
  const statements = mapping(experiment.statements);
  const transactions = mapping(experiment.transactions);
  const own = operations.filter(({ operation }) => operation === 'statement');
  checkTable(experiment, operations.length > 0 && own.length === operations.length, report);
  for (const { path } of own)
    if (Object.keys(statements).length === 0)
      report({
        path,
        message: '`statement` runs statements of your own, and there are none.',
        suggestion: 'Write them under `statements`: a name, and its text.',
      });
  const mix = v.safeParse(mixSchema, experiment);
  if (own.length > 0 && Object.keys(statements).length > 0 && mix.success && weightsOf(mix.output).size === 0)
    report({
      path: ['statements'],
      at: 'key',
      message: 'Every statement and transaction has weight 0.',
      suggestion: 'Give one a weight above 0.',
    });
  const ofDataset = datasetName(experiment.dataset);
  const tables = [
    ...Object.entries(mapping(experiment.tables)),
    ...(experiment.dataset === undefined ? [] : [[ofDataset, experiment.dataset] as const]),
  ].map(([name, table]) => [name, mapping(table)] as const);
  const keyed: Keyed = {
    ofDataset,
    tables: new Map(tables.map(([name, { key }]) => [name, key !== undefined])),
    ofFiles: new Set(
      tables.flatMap(([name, { key, columns }]) =>
        mapping(mapping(columns)[String(key)]).type === 'file' ? [name] : [],
      ),
    ),
  };
  for (const [name, statement] of Object.entries(statements)) {
    const path = ['statements', name];
    checkParameters(mapping(statement).parameters, [...path, 'parameters'], keyed, report);
    forbidCaptures(mapping(statement).parameters, [...path, 'parameters'], report);
    checkBounds(mapping(statement).expectRows, [...path, 'expectRows'], 'min', 'max', report);
  }
  for (const [name, transaction] of Object.entries(transactions)) {
    const path = ['transactions', name];
    checkParameters(mapping(transaction).parameters, [...path, 'parameters'], keyed, report);
    checkSteps(mapping(transaction).steps, Object.keys(statements), [...path, 'steps'], keyed, report);
    checkCaptures(transaction, path, report);
    if (Object.hasOwn(statements, name))
      report({
        path,
        at: 'key',
        message: `A statement is called \`${name}\`, too.`,
        suggestion: 'Results go by these names: give the transaction another one.',
      });
  }
  checkScenarios(experiment, [...Object.keys(statements), ...Object.keys(transactions)], keyed, report);
}

function checkScenarios({ scenarios, measure }: Mapping, names: readonly string[], keyed: Keyed, report: Report): void {
  for (const [name, scenario] of Object.entries(mapping(scenarios))) {
    const path = ['scenarios', name];
    const { steps, parameters } = mapping(scenario);
    checkParameters(parameters, [...path, 'parameters'], keyed, report);
    forbidCaptures(parameters, [...path, 'parameters'], report);
    const written = Array.isArray(steps) ? steps : [];
    for (const [index, step] of written.entries())
      if (typeof step === 'string' && !names.includes(step))
        report({
          path: [...path, 'steps', index],
          message: `There is no statement or transaction \`${step}\`.`,
          ...meantWord({ path: [...path, 'steps', index] }, step, names, `There are: ${names.join(', ') || 'none'}.`),
        });
    if (written.length > 0 && !written.some((step) => typeof step === 'string'))
      report({
        path: [...path, 'steps'],
        message: 'Nothing is done in this scenario: it has think times alone.',
        suggestion: 'Name a statement or transaction among its steps.',
      });
    if (names.includes(name))
      report({
        path,
        at: 'key',
        message: `A statement or transaction is called \`${name}\`, too.`,
        suggestion: 'Results go by these names: give the scenario another one.',
      });
  }
  if (scenarios === undefined) return;
  for (const [index, stage] of (Array.isArray(mapping(measure).stages)
    ? (mapping(measure).stages as unknown[])
    : []
  ).entries())
    if (mapping(stage).weights !== undefined)
      report({
        path: ['measure', 'stages', index, 'weights'],
        at: 'key',
        message: 'With scenarios nothing is drawn by weights.',
        suggestion: 'Remove `weights`; `users` of each scenario says how many there are of it.',
      });
}

/** A captured value comes from a step of the same block, or of a block within. */
function checkCaptures(owner: unknown, path: Path, report: Report): void {
  const { steps, parameters } = mapping(owner);
  const inside = statementsIn(steps);
  for (const [name, spec] of Object.entries(mapping(parameters))) {
    const { type, from } = mapping(spec);
    if (type === 'captured' && typeof from === 'string' && !inside.includes(from))
      report({
        path: [...path, 'parameters', name, 'from'],
        message: `\`${from}\` is no step there, and has no answer to take \`${name}\` from.`,
        suggestion: didYouMean(from, inside) ?? `Steps: ${inside.join(', ') || 'none'}.`,
      });
  }
  for (const [index, step] of (Array.isArray(steps) ? steps : []).entries())
    if (isMapping(step) && step.steps !== undefined) checkCaptures(step, [...path, 'steps', index], report);
}

function forbidCaptures(parameters: unknown, path: Path, report: Report): void {
  for (const [name, spec] of Object.entries(mapping(parameters)))
    if (mapping(spec).type === 'captured')
      report({
        path: [...path, name],
        message: `\`${name}\` cannot be captured here: values pass from step to step of one transaction.`,
        suggestion: 'Declare it under the parameters of the transaction, or of the block of steps.',
      });
}

function checkTable({ dataset }: Mapping, canDoWithout: boolean, report: Report): void {
  if (canDoWithout) return;
  if (dataset === undefined)
    report({
      path: ['dataset'],
      at: 'key',
      message: 'The key `dataset` is missing in an experiment.',
      suggestion: 'Only custom statements (operation: statement) can do without.',
    });
  else if (isMapping(dataset) && isMapping(dataset.columns) && Object.keys(dataset.columns).length === 0)
    report({
      path: ['dataset', 'columns'],
      message: '`dataset.columns` is empty; it needs at least one entry.',
      suggestion: null,
    });
}

function checkSteps(steps: unknown, statements: readonly string[], path: Path, keyed: Keyed, report: Report): void {
  for (const [index, step] of (Array.isArray(steps) ? steps : []).entries()) {
    const at = [...path, index];
    if (isMapping(step)) {
      checkParameters(step.parameters, [...at, 'parameters'], keyed, report);
      checkBounds(step.times, [...at, 'times'], 'min', 'max', report);
      checkBounds(step.thinkMs, [...at, 'thinkMs'], 'from', 'to', report);
      checkSteps(step.steps, statements, [...at, 'steps'], keyed, report);
      checkSteps(step.otherwise, statements, [...at, 'otherwise'], keyed, report);
    }
    if (typeof step === 'string' && !statements.includes(step))
      report({
        path: at,
        message: `There is no statement \`${step}\`.`,
        suggestion: didYouMean(step, statements) ?? `Statements: ${statements.join(', ') || 'none'}.`,
      });
  }
}

function checkBounds(bounds: unknown, path: Path, least: string, most: string, report: Report): void {
  const low = mapping(bounds)[least];
  const high = mapping(bounds)[most];
  if (typeof low === 'number' && typeof high === 'number' && low > high)
    report({
      path,
      message: `${least} ${low} is above ${most} ${high}.`,
      suggestion: 'Swap them.',
    });
}

function checkParameters(parameters: unknown, path: Path, keyed: Keyed, report: Report): void {
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

function checkKeyParameter(name: string, { type, table }: Mapping, path: Path, keyed: Keyed, report: Report): void {
  if (type !== 'key' && type !== 'newKey') return;
  const known = [...keyed.tables.keys()];
  const isBeside = typeof table === 'string' && table !== keyed.ofDataset;
  if (isBeside && !keyed.tables.has(table))
    report({
      path: [...path, 'table'],
      message: `There is no table \`${table}\`.`,
      suggestion: didYouMean(table, known) ?? `Tables: ${known.join(', ') || 'none'}.`,
    });
  else if (keyed.tables.get(isBeside ? table : keyed.ofDataset) !== true)
    report({
      path,
      message: `\`${name}\` is a key of ${isBeside ? `the table \`${table}\`` : 'the dataset’s table'}, and that has none.`,
      suggestion: `Name a column as ${isBeside ? `tables.${table}` : 'dataset'}.key, or draw the values from a query.`,
    });
  else if (type === 'newKey' && keyed.ofFiles.has(isBeside ? table : keyed.ofDataset))
    report({
      path,
      message: `\`${name}\` is a new key, and the keys of the table come from a file, which has no more of them.`,
      suggestion: 'Make a generated column the key of the table, such as one of type sequence.',
    });
}
