import { datasetName, datasetTable, referredTable, withReferences } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import { defaultSettings } from '#model/settings/settings.ts';
import { parameterScopes } from '#model/statements/steps.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import type { Path } from '#model/text/path-text.ts';
import type { Report } from './check-shape.ts';
import { checkDataset } from './dataset-rules.ts';
import { operationsOf } from './factor-rules.ts';

type Mapping = Readonly<Record<string, unknown>>;

const mapping = (value: unknown): Mapping => (isMapping(value) ? value : {});

/** Rules for the dataset and the tables beyond the schema: each table's own, and references only to earlier tables. */
export function checkTables(experiment: Mapping, report: Report): void {
  const written = mapping(withReferences(experiment));
  const tables = mapping(experiment.tables);
  const names = Object.keys(tables);
  const error = (path: Path, at: 'key' | 'value', message: string, suggestion: string | null) =>
    report({ path, at, message, suggestion });

  if (names.includes(datasetTable))
    error(
      ['tables', datasetTable],
      'key',
      `No table is called \`${datasetTable}\`: {${datasetTable}} is the dataset’s.`,
      'Give it another name.',
    );
  const own = datasetName(experiment.dataset);
  if (own !== datasetTable && names.includes(own))
    error(['dataset', 'name'], 'value', `\`tables\` has a table \`${own}\`, too.`, 'Give one of them another name.');
  const operations = operationsOf(experiment);
  if (names.length > 0)
    for (const { operation, path } of operations.length > 0 ? operations : [defaultValue])
      if (operation !== 'statement')
        error(
          path,
          'value',
          `\`${operation}\` is about the dataset’s table alone; \`tables\` are for custom statements.`,
          'Use operation: statement, or remove `tables`.',
        );
  for (const [name, table] of Object.entries(mapping(written.tables))) checkDataset(table, ['tables', name], report);
  checkDataset(written.dataset, ['dataset'], report);

  const before: string[] = [];
  for (const [name, table] of Object.entries(tables)) {
    for (const one of referencesIn(mapping(table).columns, ['tables', name, 'columns'])) checkReference(one, before);
    before.push(name);
  }
  for (const one of referencesIn(mapping(experiment.dataset).columns, ['dataset', 'columns']))
    checkReference(one, names);
  for (const part of ['statements', 'transactions', 'scenarios'] as const)
    for (const [name, one] of Object.entries(mapping(experiment[part])))
      for (const { parameters, path } of parameterScopes(one, [part, name]))
        for (const found of referencesIn(parameters, path)) checkReference(found, names);

  function checkReference({ spec, path }: Reference, made: readonly string[]): void {
    const { table } = spec;
    const elsewhere = (['rows', 'key', 'position', 'seed'] as const).find((key) => spec[key] !== undefined);
    if (table === undefined) {
      if (spec.rows === undefined || spec.key === undefined)
        error(
          path,
          'value',
          'The reference leads to no table.',
          'Write `table`, the name of one of `tables`; or `rows` and `key` of a table elsewhere.',
        );
    } else if (elsewhere !== undefined)
      error(
        [...path, elsewhere],
        'key',
        `\`${elsewhere}\` comes from the table \`${String(table)}\`.`,
        `Remove \`${elsewhere}\`, or \`table\`.`,
      );
    else if (typeof table !== 'string') return;
    else if (table === own && experiment.dataset !== undefined)
      error(
        [...path, 'table'],
        'value',
        `\`${table}\` is the dataset’s table, which Dyno makes last and whose keys a variant may change.`,
        path[0] === 'tables' || path[0] === 'dataset'
          ? 'Define it under `tables`.'
          : 'Draw its keys by `type: key`, which needs no `table`.',
      );
    else if (!names.includes(table))
      error(
        [...path, 'table'],
        'value',
        `There is no table \`${table}\`.`,
        didYouMean(table, made) ?? `Tables: ${made.join(', ') || 'none'}.`,
      );
    else if (!made.includes(table))
      error(
        [...path, 'table'],
        'value',
        `\`${table}\` does not stand before this table, and tables are made in the order of the file.`,
        `Move \`${table}\` up.`,
      );
    else if (referredTable(tables[table]) === null)
      error(
        [...path, 'table'],
        'value',
        `\`${table}\` has no key that can be referred to.`,
        `Name a column of type uuid4, uuid7, uuidSequential, sequence or code as tables.${table}.key.`,
      );
  }
}

const defaultValue = { operation: defaultSettings.operation, path: ['tables'] };

interface Reference {
  readonly spec: Mapping;
  readonly path: Path;
}

/** References among columns, parameters or fields, including those within documents. */
function referencesIn(columns: unknown, above: Path): readonly Reference[] {
  return Object.entries(mapping(columns)).flatMap(([name, spec]) => referencesOf(mapping(spec), [...above, name]));
}

function referencesOf(spec: Mapping, path: Path): readonly Reference[] {
  if (spec.type === 'reference') return [{ spec, path }];
  if (spec.type === 'list') return referencesOf(mapping(spec.of), [...path, 'of']);
  return spec.type === 'object' || spec.type === 'document' ? referencesIn(spec.fields, [...path, 'fields']) : [];
}
