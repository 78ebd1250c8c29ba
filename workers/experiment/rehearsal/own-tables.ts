import { isMapping } from '#model/is-mapping.ts';
import type { StatementLanguage } from '#model/statements/statement-text.ts';
import { literalPattern } from '#model/text/literal-pattern.ts';
import type { Twin } from '../import-tables/twin.ts';
import type { MadeTables } from '../statements/dataset-of-tables.ts';
import { withGivenNames } from '../statements/named-tables.ts';

/** The names that the tables of a server have in a twin, by their names at the server in lower case. */
export function namesInTwin({ mapping, tables }: Pick<Twin, 'mapping' | 'tables'>): MadeTables['names'] {
  return new Map(
    mapping.map(({ table, name, columns }) => {
      const kept = columns.filter(({ as }) => as !== null).map(({ column }) => column.toLowerCase());
      const { columns: made } = tables[name] ?? {};
      const given = isMapping(made) ? Object.keys(made) : [];
      return [
        table.split('.').at(-1)!.toLowerCase(),
        { table: name, columns: new Map(kept.map((column, i) => [column, given[i] ?? column])) },
      ];
    }),
  );
}

/** Members of a command whose value is the name of a collection. */
const collectionMembers = [
  'find',
  'aggregate',
  'count',
  'distinct',
  'update',
  'delete',
  'insert',
  'findAndModify',
  'from',
];

/** A statement of a server, as it runs on the tables of a twin: {orders} in place of shop.orders. */
export const onTwin = (text: string, language: StatementLanguage, names: MadeTables['names']): string =>
  language.language === 'json'
    ? JSON.stringify(inCommand(JSON.parse(text), names))
    : withGivenNames(text, language, names);

function inCommand(value: unknown, names: MadeTables['names'], member = ''): unknown {
  if (typeof value === 'string') {
    const given = collectionMembers.includes(member) ? names.get(value.toLowerCase()) : undefined;
    return given === undefined ? value : `{${given.table}}`;
  }
  if (Array.isArray(value)) return value.map((one) => inCommand(one, names));
  if (!isMapping(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inCommand(one, names, name)]));
}

type Source = Readonly<Record<string, unknown>>;

/** The query of the first rows of a table, in the words of one engine. */
const firstRowsPattern = (template: string): RegExp =>
  new RegExp(
    literalPattern(template)
      .replace(literalPattern('{rows}'), '(?<rows>\\d+)')
      .replace(literalPattern('{columns}'), '(?<columns>[^()*]+?)')
      .replace(literalPattern('{table}'), '(?<table>\\{\\w+\\})'),
    'g',
  );

/**
 * The source of a parameter, as it runs on the tables of a twin: each target reads the same rows in the same order, so
 * that all targets draw the same values. Engines that write the first rows of a table otherwise have a text of their
 * own. `languages`: those of the targets, by the ids of their engines.
 */
export function sourceOnTwin(
  source: Source,
  language: StatementLanguage,
  names: MadeTables['names'],
  keys: ReadonlyMap<string, string>,
  languages: ReadonlyMap<string, StatementLanguage>,
): Source {
  if (source.type !== 'query' || typeof source.text !== 'string') return source;
  const own = onTwin(source.text, language, names);
  const { firstRows } = language;
  if (language.language !== 'sql' || firstRows === undefined) return { ...source, text: own };
  const inWords = (template: string): string => {
    const made = own.replaceAll(firstRowsPattern(firstRows), (...found) => {
      const { rows, columns, table } = found.at(-1) as { rows: string; columns: string; table: string };
      const key = keys.get(table.slice(1, -1));
      const order =
        key ??
        columns
          .split(', ')
          .map((_, i) => String(i + 1))
          .join(', ');
      return template
        .replace('{rows}', rows)
        .replace('{columns}', columns)
        .replace(/\{table\}/, () => `${table} ORDER BY ${order}`);
    });
    return made.includes(' OVER ') ? `${made} ORDER BY 1, 2` : made;
  };
  const texts = new Map<string, string>([['default', inWords(firstRows)]]);
  for (const [engine, other] of languages) {
    const made = other.firstRows === undefined ? null : inWords(other.firstRows);
    if (made !== null && made !== texts.get('default')) texts.set(engine, made);
  }
  return { ...source, text: texts.size === 1 ? texts.get('default')! : Object.fromEntries(texts) };
}
