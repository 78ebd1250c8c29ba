import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import { indexTextDefault } from '#model/dataset/indexes.ts';
import { draftText } from '../yaml/draft-text.ts';
import type { Twin } from './twin.ts';

/** A target by its name in an experiment, and its engine. */
interface NamedTarget {
  readonly name: string;
  readonly engine: string;
}

/**
 * The text of an experiment with the tables of a twin. For each table with a key it has a statement that reads a row.
 * `from`: the target whose tables they are; `on`: the target of the experiment. Another engine collects its own
 * statistics, so that it gets no statements of `setup`. `engines`: all of them, for those whose language is not SQL.
 */
export function twinText(
  { tables, setup, told }: Twin,
  from: NamedTarget,
  on: NamedTarget,
  engines: readonly Pick<EngineDescriptor, 'id' | 'statements'>[],
): string {
  const texts = on.engine === from.engine ? Object.entries(setup) : [];
  const keyed = Object.entries(tables).filter(([, { key }]) => typeof key === 'string');
  const [first = ''] = Object.keys(tables);
  const statements =
    keyed.length === 0
      ? { count: { text: `SELECT count(*) FROM {${first}}` } }
      : Object.fromEntries(
          keyed.map(([name, { key }]) => [
            `look-up-${name.replaceAll('_', '-')}`,
            { text: lookUp(name, String(key), engines), parameters: { key: { type: 'key', table: name } } },
          ]),
        );
  return draftText(
    `Twin of ${from.name}`.slice(0, 100),
    'How fast are our statements on tables with the statistics of ours?',
    // Every engine binds parameters, and some prepare no statements.
    {
      tables,
      ...(texts.length > 0 && {
        setup: Object.fromEntries(texts.map(([name, text]) => [name, { [on.engine]: text }])),
      }),
      workload: { operation: 'statement', method: 'bind' },
      statements,
    },
    [
      `The tables have the statistics of those of ${from.name}; no row was copied.`,
      'Bounds of histograms, and frequent numbers and times, are values of that server.',
      ...told,
    ],
    [on.name],
  );
}

/** SQL, and the texts of the engines whose language is another one. */
function lookUp(
  table: string,
  key: string,
  engines: readonly Pick<EngineDescriptor, 'id' | 'statements'>[],
): Readonly<Record<string, string>> | string {
  const sql = `SELECT * FROM {${table}} WHERE ${key} = :key`;
  const others = engines.flatMap(({ id, statements }) =>
    statements?.lookUp === undefined ? [] : [[id, statements.lookUp.replace('{table}', `{${table}}`)] as const],
  );
  return others.length === 0 ? sql : { [indexTextDefault]: sql, ...Object.fromEntries(others) };
}
