import { experimentJsonSchema } from '#experiment/schema/json-schema.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Command } from '../command.ts';

/** `dyno schema`: prints the JSON Schema of experiment files. */
export const schemaCommand: Command = {
  name: 'schema',
  arguments: '',
  summary: 'Prints the JSON Schema of experiment files, for editors.',
  options: {},
  takes: [0, 0],
  async run({ printJson }) {
    printJson(experimentJsonSchema());
    return exitCodes.ok;
  },
};
