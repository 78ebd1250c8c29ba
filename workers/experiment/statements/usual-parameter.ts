import { datasetName } from '#model/dataset/tables.ts';
import { isMapping } from '#model/is-mapping.ts';
import type { ParameterUse } from '#model/statements/parameter-uses.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';

/** The tables of an experiment as its file writes them. */
interface WrittenTables {
  readonly dataset?: unknown;
  readonly tables?: unknown;
}

type Mapping = Readonly<Record<string, unknown>>;

/** A table of the experiment by its name in statements. */
interface Known {
  readonly name: string;
  readonly isDataset: boolean;
  readonly spec: Mapping;
}

const integer: Mapping = { type: 'integer', min: 1, max: 1000 };
/** The most rows of a table whose values are read before the clock starts. */
const mostRead = 1_000_000;
const firstRows = 10_000;

/**
 * The source of values that a parameter usually has, as the file writes it. A value of a new row comes from the
 * generator of its column, and a new row's key is a new one; a value that is compared comes from the values that the
 * column has. `use`: null if the statement does not show it. `language`: of the text, if the statement has one text.
 */
export function usualParameter(
  { dataset, tables }: WrittenTables,
  name: string,
  use: ParameterUse | null,
  language: StatementLanguage | null,
): Mapping {
  const known: readonly Known[] = [
    ...(isMapping(dataset) ? [{ name: datasetName(dataset), isDataset: true, spec: dataset }] : []),
    ...Object.entries(isMapping(tables) ? tables : {}).flatMap(([table, spec]) =>
      isMapping(spec) ? [{ name: table, isDataset: false, spec }] : [],
    ),
  ];
  if (use?.role === 'limit') return { type: 'integer', min: 1, max: 100 };
  const own = use?.table?.isPlace ? known.filter(({ name: one }) => one === use.table!.name) : use?.table ? [] : known;
  const columnName = use ? (use.column ?? columnAt(own[0], use.position)) : name;
  const found = own.find(({ spec }) => columnName !== null && columnOf(spec, columnName) !== null);
  if (found) return ofColumn(found, columnName!, use?.role ?? 'compare', language);
  if (use?.table && !use.table.isPlace && use.column !== null) return ofOwnTable(use, language);
  return byName(name);
}

const columnOf = (spec: Mapping, name: string): Mapping | null => {
  const column = isMapping(spec.columns) ? spec.columns[name] : undefined;
  return isMapping(column) ? column : null;
};

const columnAt = (table: Known | undefined, position: number | null): string | null =>
  (table && position !== null && isMapping(table.spec.columns) && Object.keys(table.spec.columns)[position]) || null;

function ofColumn(
  { name, isDataset, spec }: Known,
  column: string,
  role: ParameterUse['role'],
  language: StatementLanguage | null,
): Mapping {
  const table = isDataset ? {} : { table: name };
  const { nulls: _, ...own } = columnOf(spec, column)!;
  if (spec.key === column) return { type: role === 'insert' ? 'newKey' : 'key', ...table };
  if (own.type === 'correlated') return { type: 'decimal', ...digitsOf(own) };
  if (own.type === 'delayed') return { type: 'timestamp' };
  if (own.type === 'sequence') {
    const start = typeof own.start === 'number' ? own.start : 1;
    const rows = Number(spec.rows);
    if (role === 'compare') return { type: 'integer', min: start, max: start + rows - 1 };
    // Numbers far above those of the loaded rows, in a range in which two calls hardly ever draw the same number.
    return { type: 'integer', min: 1_000_000_000_000, max: 9_000_000_000_000_000 };
  }
  if (role !== 'compare' || repeating.includes(String(own.type))) return own;
  const isReadable = language?.language === 'sql' && Number(spec.rows) <= mostRead;
  return isReadable ? { type: 'query', text: `SELECT ${column} FROM {${name}}` } : own;
}

const digitsOf = ({ precision, scale }: Mapping): Mapping => ({
  ...(precision !== undefined && { precision }),
  ...(scale !== undefined && { scale }),
});

/** Types whose generator draws a value that the column has, or one within its range. */
const repeating: readonly string[] = [
  'integer',
  'decimal',
  'timestamp',
  'boolean',
  'oneOf',
  'frequencies',
  'reference',
];

/** A parameter of a statement on a table that Dyno does not make. */
function ofOwnTable({ role, table, column, writtenColumn }: ParameterUse, language: StatementLanguage | null): Mapping {
  if (role !== 'compare' || language?.firstRows === undefined) return byName(column!);
  const head = language.firstRows.replace('{rows}', String(firstRows));
  // A name may have a $, which has a meaning in texts that replace others.
  return {
    type: 'query',
    text: head.replace('{columns}', () => writtenColumn!).replace('{table}', () => table!.written),
  };
}

/** A guess by the name alone. */
function byName(name: string): Mapping {
  if (/(^|_)(at|on|date|time|timestamp|since|until|created|updated|modified)$/.test(name)) return { type: 'timestamp' };
  if (/(^|_)(uuid|guid)$/.test(name)) return { type: 'uuid4' };
  if (/^(is|has)_|(^|_)(flag|enabled|active)$/.test(name)) return { type: 'boolean' };
  if (/(^|_)(price|amount|total|cost|balance|rate)$/.test(name)) return { type: 'decimal', max: 1000 };
  if (/(^|_)(email|city|street|country|phone|company|product)$/.test(name))
    return { type: 'name', what: name.slice(name.lastIndexOf('_') + 1) };
  if (/(^|_)(name|title|text|note|comment|description|code|status|state|type)$/.test(name))
    return { type: 'text', length: 12 };
  return integer;
}
