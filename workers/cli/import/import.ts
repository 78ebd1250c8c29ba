import { type Action, type Command, jsonOption, runAction } from '../command.ts';
import { importStatements, statementsHelp, statementsOptions } from '../import-statements/import-statements.ts';

const actions: Readonly<Record<string, Action>> = {
  statements: importStatements,
};

/** `dyno import`: makes experiments from what a server tells about itself. */
export const importCommand: Command = {
  name: 'import',
  arguments: `${Object.keys(actions).join('|')} TARGET`,
  summary: 'Makes an experiment from the statements that a server has counted.',
  help: statementsHelp,
  options: {
    ...statementsOptions,
    output: {
      type: 'string',
      short: 'o',
      isOutput: true,
      about: 'Writes the experiment to this file (“-”: standard output). Default: only the table is printed.',
    },
    ...jsonOption,
  },
  takes: [2, 2],
  run: runAction('import', actions),
};
