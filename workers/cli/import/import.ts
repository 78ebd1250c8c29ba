import { exitCodes } from '#platform/exit-codes.ts';
import { type Action, type Command, type CommandContext, jsonOption, runAction } from '../command.ts';
import { importStatements, statementsHelp, statementsOptions } from '../import-statements/import-statements.ts';
import { importTables, tablesHelp, tablesOptions } from '../import-tables/import-tables.ts';

/** The parts of the command. `mostNames`: the target, and the names behind it. */
const parts: Readonly<
  Record<string, { readonly run: Action; readonly options: Command['options']; readonly mostNames: number }>
> = {
  statements: { run: importStatements, options: statementsOptions, mostNames: 1 },
  tables: { run: importTables, options: tablesOptions, mostNames: 59 },
};

/** `dyno import`: makes experiments from what a server tells about itself. */
export const importCommand: Command = {
  name: 'import',
  arguments: `${Object.keys(parts).join('|')} TARGET [TABLE…]`,
  summary: 'Makes an experiment from the statements that a server has counted, or from its statistics of tables.',
  help: `${statementsHelp}\n${tablesHelp}`,
  options: {
    ...statementsOptions,
    ...tablesOptions,
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
  const { run, mostNames } = parts[name]!;
  for (const [other, { options }] of Object.entries(parts)) {
    const unused = Object.keys(options).find((option) => other !== name && context.values[option] !== undefined);
    if (unused === undefined) continue;
    context.note(`dyno import ${name}: --${unused} is an option of dyno import ${other}.`);
    return exitCodes.usage;
  }
  if (names.length <= mostNames) return run(context, names);
  context.note(`dyno import ${name}: it takes one TARGET.`);
  return exitCodes.usage;
}
