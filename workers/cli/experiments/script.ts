import { scriptLanguages } from '#engine-api/reproducer.ts';
import { diagnosticLine } from '#model/text/diagnostic.ts';
import { oneLine } from '#model/text/printable.ts';
import { makeReproducer, type ReproducerRequest, reproducerAnswers } from '#orchestrator/reproducer/make-reproducer.ts';
import { measuredCell } from '#orchestrator/reproducer/measured-cell.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { writeOutput } from '#platform/output-file.ts';
import type { Plan } from '#protocol/plan.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { type Command, type CommandContext, text } from '../command.ts';
import { findRun, runWordsHelp } from '../find-run.ts';
import { experimentOptions, givenExperiment } from './experiment-text.ts';

/** `dyno script`: writes one cell as a script that runs without Dyno. */
export const scriptCommand: Command = {
  name: 'script',
  arguments: '[FILE]',
  summary: 'Writes one variant on one target as a script for Node or Java, which a vendor can run without Dyno.',
  help: `The script creates the same table, makes the same rows, sends the same calls, prints throughput, p50 and p99, and drops what it has created. It takes the connection from environment variables. Its header has the figures of a run with --run RUN instead of FILE; RUN is ${runWordsHelp}. A variant that a script would not repeat exactly is refused with the reason (exit code ${exitCodes.targetUnreachable}).`,
  options: {
    run: { type: 'string', about: 'Takes the experiment, and the figures of the header, from this run.' },
    target: { type: 'string', about: 'Name of the target. Default: the first one.' },
    variant: { type: 'string', about: 'Label or id of the variant. Default: the first one that runs on the target.' },
    language: {
      type: 'string',
      about: `Language of the script: ${scriptLanguages.join(' or ')}. Default: node.`,
    },
    output: {
      type: 'string',
      short: 'o',
      isOutput: true,
      about: 'File of the script. Default: the script is printed.',
    },
    list: {
      type: 'boolean',
      about: 'Lists all variants on all targets: which can be written, and why the others cannot.',
    },
    ...experimentOptions,
  },
  takes: [0, 1],
  async run(context) {
    const { values, positionals, print, note } = context;
    const isRun = text(values, 'run') !== undefined;
    if (isRun === positionals.length > 0) {
      note('Give either an experiment, or a run with --run.');
      return exitCodes.usage;
    }
    if (isRun && Object.keys(experimentOptions).some((name) => values[name] !== undefined)) {
      note('--size and --set change an experiment. The script of a run repeats the run as it was.');
      return exitCodes.usage;
    }
    const word = text(values, 'language') ?? 'node';
    const language = scriptLanguages.find((one) => one === word);
    if (language === undefined) {
      note(`--language is one of ${scriptLanguages.join(', ')}.`);
      return exitCodes.usage;
    }
    const given = await givenPlan(context);
    if (given === null) return exitCodes.badExperiment;
    const { plan, measured } = given;
    if (values.list) {
      for (const { target, variant, cannot } of await reproducerAnswers(plan, language))
        print(oneLine(`${target.name} · ${variant.label}: ${cannot === null ? 'script' : `cannot: ${cannot}`}`));
      return exitCodes.ok;
    }
    const script = await makeReproducer(plan, {
      ...{ target: text(values, 'target'), variant: text(values, 'variant'), language },
      ...(measured && { measured }),
    });
    const output = text(values, 'output');
    if (output === undefined) print(script.trimEnd());
    else {
      writeOutput('The script', output, script);
      note(`script: ${output}`);
    }
    return exitCodes.ok;
  },
};

/** The plan of a run or of an experiment; null: the file has mistakes, which are printed. */
async function givenPlan({
  home,
  positionals: [file = ''],
  values,
  note,
}: CommandContext): Promise<{ readonly plan: Plan; readonly measured?: ReproducerRequest['measured'] } | null> {
  const word = text(values, 'run');
  if (word !== undefined) {
    const model = await loadRun(home, await findRun(home, word));
    return { plan: model.plan, measured: (cell) => measuredCell(model, cell) };
  }
  const given = givenExperiment(home, file, values);
  const { connections } = openConnectionStore(home).list();
  const { plan, diagnostics } = planExperiment(given.file, planContext(connections, given.folder));
  for (const one of diagnostics) note(`${file}:${diagnosticLine(one)} [${one.severity}]`);
  return plan && { plan };
}
