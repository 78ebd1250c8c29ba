import { catalog } from '#engines/catalog.ts';
import { changesOfLevels } from '#experiment/schema/levels.ts';
import { sessionSettingsOf } from '#experiment/schema/session.ts';
import { sized } from '#experiment/schema/sizes.ts';
import { changeDiff } from '#experiment/yaml/change-diff.ts';
import { formatMs } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { isMapping } from '#model/is-mapping.ts';
import { diagnosticLine } from '#model/text/diagnostic.ts';
import { oneLine } from '#model/text/printable.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { estimateVolume, volumeBasis, volumeText } from '#planning/estimate-volume.ts';
import { sharedLoadLines } from '#planning/load-lines.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { formatRepeats } from '#planning/repeats.ts';
import { searchLines } from '#planning/search-lines.ts';
import { instanceTexts } from '#planning/server-instances.ts';
import { formatTrialCount, trialCount } from '#planning/trial-count.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import type { Estimate } from '#protocol/estimate.ts';
import type { Plan } from '#protocol/plan.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { readDurations } from '#workspace/runs/known-durations.ts';
import type { Command } from '../command.ts';
import { experimentOptions, givenExperiment } from './experiment-text.ts';

/** `dyno check`: validates an experiment and lists the trials of a run. */
export const checkCommand: Command = {
  name: 'check',
  arguments: 'FILE',
  summary: 'Checks an experiment: lists its mistakes and the trials that a run would execute.',
  options: { ...experimentOptions, json: { type: 'boolean', about: 'Prints everything as JSON.' } },
  takes: [1, 1],
  async run({ home, positionals: [file = ''], values, print, printJson, note }) {
    const given = givenExperiment(home, file, values);
    const { connections } = openConnectionStore(home).list();
    const { plan, diagnostics } = planExperiment(given.file, planContext(connections, given.folder));
    const estimate = plan && estimateSeconds(plan, readDurations(home));
    if (values.json)
      printJson({
        diagnostics,
        plan,
        estimateSeconds: estimate?.most ?? null,
        estimateLeastSeconds: estimate?.least ?? null,
        estimateLikelySeconds: estimate?.likely ?? null,
        volume: plan && estimateVolume(plan, references),
      });
    else {
      for (const one of diagnostics) note(`${file}:${diagnosticLine(one)} [${one.severity}]`);
      if (plan) {
        print(`${plan.experiment.name}: ${plan.experiment.question}`);
        print(
          `${many(plan.variants.length, 'variant')} × ${many(plan.targets.length, 'target')} × ${formatRepeats(plan)} = ${formatTrialCount(trialCount(plan))}${formatTime(estimate)}`,
        );
        for (const name of variantNames(plan)) print(`  ${name}`);
        for (const line of sessionLines(plan)) print(line);
        for (const line of instanceTexts(plan)) print(oneLine(line));
        for (const line of changeLines(sized(given.file.value))) print(line);
        for (const line of loadLines(plan)) print(line);
        print('Written to each server:');
        for (const [text, of] of Map.groupBy(estimateVolume(plan, references), volumeText))
          print(`  ${of.map(({ target }) => target).join(', ')}: ${text}`);
        print(`  ${volumeBasis}`);
        if (plan.skipped.length > 0) print(`${many(plan.skipped.length, 'cell')} skipped:`);
        for (const cell of plan.skipped) print(`  ${cell.target} · ${cell.variant}: ${cell.reason}`);
      }
    }
    return plan ? exitCodes.ok : exitCodes.badExperiment;
  },
};

/** The settings of sessions that all variants share, by target. */
function sessionLines({ experiment, targets }: Plan): readonly string[] {
  const lines = targets.flatMap(({ name, engine }) => {
    const settings = Object.entries(sessionSettingsOf(experiment, engine));
    const words = settings.map(([setting, value]) => `${setting} = ${value}`).join(', ');
    return words === '' ? [] : [`  ${oneLine(`${name}: ${words}`)}`];
  });
  return lines.length === 0 ? [] : ['Settings of sessions:', ...lines];
}

/** The targets whose variants share loads. */
function loadLines(plan: Plan): readonly string[] {
  const lines = sharedLoadLines(plan).map((line) => `  ${oneLine(line)}`);
  return lines.length === 0 ? [] : ['Shared loads:', ...lines];
}

const signs = { same: ' ', old: '-', new: '+' } as const;

/** The levels that change sections of the file, each with its difference. */
function changeLines(file: unknown): readonly string[] {
  if (!isMapping(file)) return [];
  const lines = changesOfLevels(file).flatMap(({ factor, level, change }) => [
    `  ${oneLine(`${factor}: ${level}`)}`,
    ...changeDiff(file, change).flatMap(({ place, lines: own }) => [
      `    ${oneLine(place)}`,
      ...own.map(({ kind, text }) => `      ${signs[kind]} ${oneLine(text)}`),
    ]),
  ]);
  return lines.length === 0 ? [] : ['Levels that change the file:', ...lines];
}

/** The engines that do no work of a server, for estimates of volumes. */
export const references = new Set(catalog.flatMap(({ descriptor }) => (descriptor.reference ? [descriptor.id] : [])));

/** A search may choose any of its loads, so they are listed by range. */
function variantNames(plan: Plan): readonly string[] {
  const { search } = plan.measure;
  if (!search) return plan.variants.map(({ id }) => id);
  const range = `${search.setting}=${search.from}…${search.to}`;
  return [...new Set(searchLines(plan).map(({ label }) => (label === '' ? range : `${label} · ${range}`)))];
}

function formatTime(estimate: Estimate | null): string {
  if (estimate === null) return '';
  const { least, most, likely } = estimate;
  const longest = formatMs(most * 1_000);
  if (likely !== null) return `, about ${formatMs(likely * 1_000)}, at most ${longest}`;
  return least === most ? `, about ${longest}` : `, about ${formatMs(least * 1_000)} to ${longest}`;
}
