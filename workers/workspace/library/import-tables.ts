import { catalog } from '#engines/catalog.ts';
import type { Twin } from '#experiment/import-tables/twin.ts';
import { indexTextDefault } from '#model/dataset/indexes.ts';
import { draftText } from './file-drafts.ts';

/**
 * The text of an experiment with the tables of a twin. For each table with a key it has a statement that reads a row.
 * `from`: the target whose tables they are, `target`: the target of the experiment.
 */
export function twinText({ tables, told }: Twin, from: string, target: string): string {
  const keyed = Object.entries(tables).filter(([, { key }]) => typeof key === 'string');
  const [first = ''] = Object.keys(tables);
  const statements =
    keyed.length === 0
      ? { count: { text: `SELECT count(*) FROM {${first}}` } }
      : Object.fromEntries(
          keyed.map(([name, { key }]) => [
            `look-up-${name.replaceAll('_', '-')}`,
            { text: lookUp(name, String(key)), parameters: { key: { type: 'key', table: name } } },
          ]),
        );
  return draftText(
    `Twin of ${from}`.slice(0, 100),
    'How fast are our statements on tables with the statistics of ours?',
    // Every engine binds parameters, and some prepare no statements.
    { tables, workload: { operation: 'statement', method: 'bind' }, statements },
    [
      `The tables have the statistics of those of ${from}; no row was copied.`,
      'Bounds of histograms, and frequent numbers and times, are values of that server.',
      ...told,
    ],
    [target],
  );
}

/** SQL, and the texts of the engines whose language is another one. */
function lookUp(table: string, key: string): Readonly<Record<string, string>> | string {
  const sql = `SELECT * FROM {${table}} WHERE ${key} = :key`;
  const others = catalog.flatMap(({ descriptor: { id, statements } }) =>
    statements?.lookUp === undefined ? [] : [[id, statements.lookUp.replace('{table}', `{${table}}`)] as const],
  );
  return others.length === 0 ? sql : { [indexTextDefault]: sql, ...Object.fromEntries(others) };
}
