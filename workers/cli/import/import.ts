import { exitCodes } from '#platform/exit-codes.ts';
import { type Action, type Command, type CommandContext, jsonOption, runAction } from '../command.ts';
import { importStatements, statementsHelp, statementsOptions } from '../import-statements/import-statements.ts';
import { importTables, tablesHelp, tablesOptions } from '../import-tables/import-tables.ts';

/** The parts of the command. `mostNames`: the target, and the names behind it. */
const parts: Readonly<
  Record<string, { readonly run: Action; readonly options: Command['options']; readonly mostNames: number }>
> = {
  statements: { run: importStatements, options: statementsOptions, mostNames: 59 },
  tables: { run: importTables, options: tablesOptions, mostNames: 59 },
};

/** `dyno import`: makes experiments from what a server, or its log, tells. */
export const importCommand: Command = {
  name: 'import',
  arguments: 'statements TARGET|LOG… | tables TARGET [TABLE…]',
  summary:
    'Makes an experiment from the statements that a server has counted or logged, or from its statistics of tables.',
  help: `${statementsHelp}\n${tablesHelp}`,
  options: {
    ...statementsOptions,
    ...tablesOptions,
    'keep-values': {
      type: 'boolean',
      about:
        'tables: keeps frequent texts as they are at the server. statements of log files: keeps up to 100 values of each parameter, which are then in the file.',
    },
    on: {
      type: 'string',
      about:
        'The target of the experiment. Default: TARGET. For log files: a server whose catalog gives the values of parameters; without it they are made up by their kinds.',
    },
    output: {
      type: 'string',
      short: 'o',
      isOutput: true,
      about: 'Writes the experiment to this file (“-”: standard output). Default: only the table is printed.',
    },
    ...jsonOption,
  },
  takes: [2, 60],
  run: runAction(
    'import',
    Object.fromEntries(Object.keys(parts).map((name) => [name, (context, names) => runPart(name, context, names)])),
  ),
};

/** Runs a part of the command, unless it gets options or names that belong to another one. */
function runPart(name: string, context: CommandContext, names: readonly string[]): number | Promise<number> {
  const { run, options: own, mostNames } = parts[name]!;
  for (const [other, { options }] of Object.entries(parts)) {
    const unused = Object.keys(options).find(
      (option) => other !== name && !Object.hasOwn(own, option) && context.values[option] !== undefined,
    );
    if (unused === undefined) continue;
    context.note(`dyno import ${name}: --${unused} is an option of dyno import ${other}.`);
    return exitCodes.usage;
  }
  if (names.length <= mostNames) return run(context, names);
  context.note(`dyno import ${name}: it takes ${mostNames} names at most.`);
  return exitCodes.usage;
}
