import * as v from 'valibot';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { estimateVolume, volumeText } from '#planning/estimate-volume.ts';
import { trialCount } from '#planning/trial-count.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { readDurations } from '#workspace/runs/known-durations.ts';
import { openTrust } from '#workspace/trust/trust.ts';
import { references } from '../experiments/check.ts';
import { libraryText } from '../experiments/experiment-text.ts';
import { fileFormatBlocks } from '../file-format/file-format.ts';
import { askedExperiment, checkAsked, experimentInput, requirePlan } from './asked-experiment.ts';
import { pageInput, pageOf, pageOutput, textInput, textOutput, textPage } from './pages.ts';
import { about, tool, word } from './tool.ts';

/** The most warnings beside a plan; check_experiment lists all. */
const mostWarnings = 50;
const sections = Object.keys(fileFormatBlocks);

/** The tools that read and check experiments. */
export const experimentTools = [
  tool({
    name: 'list_experiments',
    title: 'List experiments',
    description: 'Lists the experiments of the gallery, which come with Dyno, and of the user’s library.',
    input: v.strictObject({
      origin: v.optional(about(v.picklist(['gallery', 'mine']), 'Lists only the gallery, or only the user’s own.')),
      ...pageInput,
    }),
    output: v.object(
      pageOutput(
        v.object({
          id: v.string(),
          origin: v.string(),
          name: v.string(),
          question: v.string(),
          targets: v.array(v.string()),
          problem: about(v.nullable(v.string()), 'The reason why the file is no valid experiment; null: it is.'),
          isFromElsewhere: about(v.boolean(), 'True: the user has not trusted the file yet.'),
        }),
      ),
    ),
    acts: false,
    async answer({ origin, ...page }, { home }) {
      const library = openLibrary(home);
      const trust = openTrust(home, library);
      const entries = library.list().filter((one) => origin === undefined || one.origin === origin);
      const rows = entries.map(({ id, origin: from, name, question, targets, problem }) => {
        return { id, origin: from, name, question, targets: [...targets], problem };
      });
      const listed = pageOf(rows, page);
      return {
        ...listed,
        items: listed.items.map((one, i) => ({
          ...one,
          isFromElsewhere: one.origin === 'mine' && trust.isForeign(readYaml(entries[page.offset + i]!.text)),
        })),
      };
    },
  }),
  tool({
    name: 'read_experiment',
    title: 'Read an experiment',
    description: 'Returns the file of an experiment of the gallery or of the user’s library, as YAML.',
    input: v.strictObject({ experiment: word('Name or id of the experiment.'), ...textInput }),
    output: v.object(textOutput),
    acts: false,
    answer: async ({ experiment, offset }, { home }) => textPage(libraryText(home, experiment), offset),
  }),
  tool({
    name: 'describe_file_format',
    title: 'Describe the file format',
    description:
      'Describes a part of the format of experiment files: their keys, values and defaults. Begin with “file keys” and “settings”.',
    input: v.strictObject({ section: about(v.picklist(sections), 'The part of the format.'), ...textInput }),
    output: v.object(textOutput),
    acts: false,
    answer: async ({ section, offset }) => textPage(fileFormatBlocks[section]!(), offset),
  }),
  tool({
    name: 'check_experiment',
    title: 'Check an experiment',
    description: 'Checks an experiment, and lists its mistakes and warnings with their lines. It connects to nothing.',
    input: v.strictObject({ ...experimentInput, ...pageInput }),
    output: v.object({
      isValid: v.boolean(),
      ...pageOutput(
        v.object({
          severity: v.string(),
          line: v.number(),
          column: v.number(),
          path: about(v.string(), 'The key in the file.'),
          message: v.string(),
          suggestion: v.nullable(v.string()),
        }),
      ),
    }),
    acts: false,
    async answer({ offset, limit, ...given }, context) {
      const { plan, diagnostics } = await checkAsked(context, askedExperiment(context, given));
      const found = diagnostics.map(({ severity, line, column, path, message, suggestion }) => {
        return { severity, line, column, path, message, suggestion };
      });
      return { isValid: plan !== null, ...pageOf(found, { offset, limit }) };
    },
  }),
  tool({
    name: 'preview_plan',
    title: 'Preview the plan of a run',
    description:
      'Returns what a run of an experiment would do: its targets, the number of trials, the expected time, the amount written, and each cell (a variant on a target), with the reason if it cannot run. It connects to nothing.',
    input: v.strictObject({ ...experimentInput, ...pageInput }),
    output: v.object({
      name: v.string(),
      question: v.string(),
      targets: v.array(v.object({ name: v.string(), engine: v.string(), isProduction: v.boolean() })),
      trials: v.object({ least: v.number(), most: v.number() }),
      seconds: v.object({
        least: v.number(),
        most: v.number(),
        likely: about(v.nullable(v.number()), 'The time that earlier runs make likely; null: unknown.'),
      }),
      writes: about(v.array(v.object({ target: v.string(), amount: v.string() })), 'The most that each target writes.'),
      warnings: v.array(v.string()),
      ...pageOutput(
        v.object({
          variant: v.string(),
          target: v.string(),
          reason: about(v.nullable(v.string()), 'The reason why the cell does not run; null: it runs.'),
        }),
      ),
    }),
    acts: false,
    async answer({ offset, limit, ...given }, context) {
      const { plan, warnings } = await requirePlan(context, askedExperiment(context, given));
      const reasons = new Map(plan.skipped.map(({ variant, target, reason }) => [`${variant}\n${target}`, reason]));
      const cells = plan.variants.flatMap(({ id: variant }) =>
        plan.targets.map(({ name: target }) => {
          return { variant, target, reason: reasons.get(`${variant}\n${target}`) ?? null };
        }),
      );
      return {
        name: plan.experiment.name,
        question: plan.experiment.question,
        targets: plan.targets.map(({ name, engine, production }) => {
          return { name, engine, isProduction: production === true };
        }),
        trials: trialCount(plan),
        seconds: estimateSeconds(plan, readDurations(context.home)),
        writes: estimateVolume(plan, references).map((one) => ({ target: one.target, amount: volumeText(one) })),
        warnings: warnings.slice(0, mostWarnings),
        ...pageOf(cells, { offset, limit }),
      };
    },
  }),
];
