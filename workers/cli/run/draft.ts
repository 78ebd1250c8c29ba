import { basename, extname } from 'node:path';
import { maxTextLength } from '#experiment/yaml/yaml-source.ts';
import { DynoError } from '#model/error.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { readGiven } from '#platform/given-file.ts';
import { decodeText } from '#platform/given-text.ts';
import type { Home } from '#platform/paths.ts';
import { draftOfSql } from '#workspace/library/file-drafts.ts';
import { type Dialect, dialects } from '#workspace/library/script-dialects.ts';
import { type Command, text, type Values } from '../command.ts';
import { targetFields } from '../targets/find-target.ts';

/** `dyno draft`: converts an SQL script to an experiment. */
export const draftCommand: Command = {
  name: 'draft',
  arguments: 'FILE',
  summary:
    'Converts an SQL script into an experiment with its statements and transactions, and lists the lines that it cannot convert. It runs nothing.',
  help: 'Dyno reads the script as the product’s own client does (psql and pgbench, mysql, sqlcmd, SQL*Plus, sqlite3, ij). It takes the product from --dialect, else from the target, else from the syntax of the script.',
  options: {
    dialect: {
      type: 'string',
      about: `The product that the script was written for: ${dialects.map(({ id }) => id).join(', ')}.`,
    },
    target: { type: 'string', about: 'Target of the new experiment: a connection or a built-in target.' },
  },
  takes: [1, 1],
  async run({ home, positionals: [file = ''], values, print, note }) {
    const target = text(values, 'target');
    const draft = draftOfSql(
      basename(file, extname(file)).slice(0, 100),
      decodeText(readGiven(file, maxTextLength, 'a script', file)),
      dialectOf(home, values),
      target === undefined ? {} : { targets: [target] },
    );
    if (!draft) {
      note(`${file} has no statement that an experiment could use.`);
      return exitCodes.badExperiment;
    }
    if (draft.otherwise.length > 0) {
      note(
        `Nothing in ${file} shows for which product it is, and ${draft.otherwise.join(', ')} would read it differently: name the product with --dialect.`,
      );
      return exitCodes.badExperiment;
    }
    for (const one of draft.told) note(`${file}: ${one}`);
    print(draft.text.trimEnd());
    note(draft.note);
    return exitCodes.ok;
  },
};

function dialectOf(home: Home, values: Values): Dialect | undefined {
  const target = text(values, 'target');
  const id = text(values, 'dialect') ?? (target === undefined ? undefined : engineOf(home, target));
  if (id === undefined) return undefined;
  const dialect = dialects.find((one) => one.id === id);
  if (dialect) return dialect;
  const ids = dialects.map((one) => one.id);
  throw new DynoError('badInput', `There are no SQL scripts of “${id}”.`, {
    hint: didYouMean(id, ids) ?? `There are: ${ids.join(', ')}.`,
  });
}

function engineOf(home: Home, word: string): string {
  return targetFields(home, word, {}).engine;
}
