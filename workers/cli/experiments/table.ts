import { basename, isAbsolute, normalize, sep } from 'node:path';
import * as v from 'valibot';
import { Document, isMap } from 'yaml';
import { tableEntries } from '#model/dataset/dataset.ts';
import { formatCount } from '#model/format/format.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { ProposedTable } from '#protocol/proposed-table.ts';
import { tableOfFile, usualLook } from '#workspace/library/table-of-file.ts';
import { type Command, jsonOption, text, type Values } from '../command.ts';

/** `dyno table`: prints a table that takes its rows from a file. */
export const tableCommand: Command = {
  name: 'table',
  arguments: 'FILE',
  summary:
    'Prints a table whose rows come from a CSV, NDJSON or Parquet file, with the types of its columns, for `tables` of an experiment. It loads nothing.',
  help: 'The types are those that the first rows have. Change what should be different. A run refuses a value that does not have the type of its column, and names its line.',
  options: {
    rows: { type: 'string', about: `Number of rows to look at. Default: ${formatCount(usualLook)}.` },
    format: {
      type: 'string',
      about: 'Format of the file: csv, ndjson or parquet. Default: by the ending of its name.',
    },
    encoding: {
      type: 'string',
      about: 'Encoding of the file: utf-8, utf-16le or windows-1252. Default: by its first bytes.',
    },
    'null-as': {
      type: 'string',
      about: 'The unquoted field of a CSV file that stands for null. Default: the empty field.',
    },
    ...jsonOption,
  },
  takes: [1, 1],
  async run({ positionals: [path = ''], values, print, printJson, note }) {
    const look = Number(text(values, 'rows') ?? usualLook);
    if (!Number.isSafeInteger(look) || look < 1) {
      note(`--rows ${text(values, 'rows')}: it must be a whole number above 0.`);
      return exitCodes.usage;
    }
    const from = fromOf(path, values);
    if (!from.success) {
      for (const { path: at, message } of from.issues)
        note(`${at?.map(({ key }) => String(key)).join('.')}: ${message}`);
      return exitCodes.usage;
    }
    const { name, table, told } = await tableOfFile(path, from.output, look);
    if (values.json) printJson({ name, table, told });
    else print(yamlOf(name, table));
    for (const one of told) note(one);
    if (from.output.file !== path) note(`An experiment reads files below its own folder: copy ${path} there.`);
    return exitCodes.ok;
  },
};

/** The table as experiments are usually written: each column in a line of its own. */
function yamlOf(name: string, table: ProposedTable['table']): string {
  const document = new Document({ tables: { [name]: table } });
  const places = [['from'], ...Object.keys(table.columns).map((column) => ['columns', column])];
  for (const place of places) {
    const node = document.getIn(['tables', name, ...place], true);
    if (isMap(node)) node.flow = true;
  }
  return document.toString({ lineWidth: 0 }).trimEnd();
}

function fromOf(path: string, values: Values) {
  const isBeside = !isAbsolute(path) && !normalize(path).startsWith('..');
  const [format, encoding, nullAs] = ['format', 'encoding', 'null-as'].map((name) => text(values, name));
  return v.safeParse(v.nonNullish(v.unwrap(tableEntries.from)), {
    file: isBeside ? normalize(path).replaceAll(sep, '/') : basename(path),
    ...(format !== undefined && { format }),
    ...(encoding !== undefined && { encoding }),
    ...(nullAs !== undefined && { nullAs }),
  });
}
