import type { RunModel } from '#analysis/run-model/run-model.ts';

type Planned = Pick<RunModel, 'plan'>;

/** A file's name that needs no quotes in any shell. */
function fileName({ plan }: Planned): string {
  const words = plan.experiment.name.toLowerCase().match(/[a-z0-9]+/g) ?? ['experiment'];
  return `${words.join('-').slice(0, 60)}.dyno.yaml`;
}

/** The command that repeats a run. */
export const repeatCommand = (model: Planned): string => `dyno run ${fileName(model)}`;

/** Says what a reader needs for the command. */
export const repeatText = (model: Planned): string =>
  `To repeat the run, save the text as ${fileName(model)}, and type the command. Connections and files that the text names have to exist on your machine.`;
