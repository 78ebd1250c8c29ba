import { join } from 'node:path';
import { type GapFile, gapFile } from '#analysis/gap/gap-file.ts';
import { DynoError } from '#model/error.ts';
import { many } from '#model/format/plural.ts';
import { didYouMean } from '#model/text/nearest-word.ts';
import { printable } from '#model/text/printable.ts';
import { createRun } from '#orchestrator/run/run.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { differenceText } from '#presentation/text/gap-text.ts';
import type { Plan, Variant } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { type Command, text } from '../command.ts';
import { changedServers, changeServerOption, confirmedHosts, confirmOption } from '../confirm-option.ts';
import { experimentOptions, givenExperiment } from '../experiments/experiment-text.ts';
import { requireTrust, trustOption } from '../experiments/require-trust.ts';
import { liveSeriesOptions, openAskedSeries } from './live-series-options.ts';
import { runAndReport, runOptions } from './run-and-report.ts';

/** `dyno explain-gap`: changes the differences between two variants one at a time, and names the guilty one. */
export const explainGapCommand: Command = {
  name: 'explain-gap',
  arguments: 'FILE',
  summary:
    'Changes the differences between two variants of an experiment one at a time, measures them, and names the one that explains the gap.',
  help: 'Dyno lists the settings and the parts of the file in which the two variants differ, and makes an experiment whose variants are the steps between them: each difference alone on top of the first variant, and each taken back from the second. More than eight differences are changed in groups. The experiment is kept, and runs, resumes and reports like others. A variant is named by its levels: --to "method=bulk connections=4", or by one level if only one variant has it.',
  options: {
    from: { type: 'string', about: 'The variant from which the differences are changed. Default: the baseline.' },
    to: { type: 'string', about: 'The variant with all differences. Default: the other one of two variants.' },
    target: { type: 'string', about: 'Uses this target. Default: the first one.' },
    list: { type: 'boolean', about: 'Lists the differences, and neither keeps nor runs an experiment.' },
    ...experimentOptions,
    ...trustOption,
    ...confirmOption,
    ...changeServerOption,
    out: { type: 'string', short: 'o', about: 'Writes the run file to this path instead of Dyno’s home.' },
    ...liveSeriesOptions,
    ...runOptions,
  },
  takes: [1, 1],
  async run(context) {
    const { home, positionals, values, print, note } = context;
    const [word = ''] = positionals;
    const given = givenExperiment(home, word, values);
    ensureHome(home);
    const { plan } = requireTrust(home, given, values.trust === true);
    const from = variantNamed(plan, text(values, 'from') ?? usualFrom(plan));
    const to = variantNamed(plan, text(values, 'to') ?? usualTo(plan, from));
    const target = targetNamed(plan, text(values, 'target'));
    const gap = gapFile(given.file, plan, { from: from.id, to: to.id, target });
    if (values.list === true) {
      print(printable(differencesText(gap, from, to)));
      return exitCodes.ok;
    }
    note(differencesText(gap, from, to));
    if (gap.source === null) throw new DynoError('badInput', gap.problem ?? 'There is nothing to measure.');
    for (const { level, why } of gap.impossible) note(`not possible: “${level}”: ${why}`);
    const { written = given.file } = given;
    const experiment = requireTrust(home, { ...given, written, file: parseFile(gap.source) }, false);
    const entry = openLibrary(home).save(null, gap.source.text);
    note(`experiment: ${join(home.experiments, `${entry.id.replace(/^mine:/, '')}.dyno.yaml`)}`);
    await using live = await openAskedSeries(context);
    const out = text(values, 'out');
    const run = await createRun({
      ...{ home, experiment, folder: given.folder },
      ...{ confirmed: confirmedHosts(values), changed: changedServers(values) },
      ...(out && { file: out }),
    });
    return runAndReport(run, context, { live });
  },
};

/** The differences, one a line, with their values. */
function differencesText({ differences, problem }: GapFile, from: Variant, to: Variant): string {
  return [
    `“${from.label}” and “${to.label}” have ${many(differences.length, 'difference')}:`,
    ...differences.map((one) => `  ${differenceText(one)}`),
    ...(problem === null ? [] : [problem]),
  ].join('\n');
}

const usualFrom = (plan: Plan): string => baselineOf({ plan, targets: [] }, 'levels').variant ?? '';

function usualTo({ variants }: Plan, from: Variant): string {
  const others = variants.filter(({ id }) => id !== from.id);
  if (others.length === 1) return others[0]!.id;
  throw new DynoError(
    'badInput',
    others.length === 0
      ? 'The experiment has one variant, and a gap is between two.'
      : 'Name the other variant with --to.',
    others.length === 0 ? {} : { hint: `Variants: ${namesOf(others)}.` },
  );
}

/** The variant with this id, name or level. */
function variantNamed({ variants }: Plan, word: string): Variant {
  const wanted = word.split(/[ ,]+/).toSorted().join(' ');
  const ways: readonly ((variant: Variant) => boolean)[] = [
    ({ id, label }) => id === word || label === word,
    ({ id }) => id.split(' ').toSorted().join(' ') === wanted,
    ({ levels }) =>
      Object.entries(levels).some(([name, level]) => word === String(level) || word === `${name}=${level}`),
  ];
  const [found] = ways.map((is) => variants.filter(is)).filter(({ length }) => length > 0);
  if (found?.length === 1) return found[0]!;
  const ids = variants.map(({ id }) => id);
  throw new DynoError(
    'badInput',
    found === undefined ? `There is no variant “${word}”.` : `“${word}” names ${many(found.length, 'variant')}.`,
    { hint: (found === undefined ? didYouMean(word, ids) : null) ?? `Variants: ${namesOf(found ?? variants)}.` },
  );
}

/** The most variants that a message lists. */
const mostNamed = 12;

const namesOf = (variants: readonly Variant[]): string =>
  [
    ...variants.slice(0, mostNamed).map(({ id }) => `"${id}"`),
    ...(variants.length > mostNamed ? [`${variants.length - mostNamed} more`] : []),
  ].join(', ');

function targetNamed({ targets }: Plan, word: string | undefined): string {
  const found = word === undefined ? targets[0] : targets.find(({ name }) => name === word);
  if (found) return found.name;
  const names = targets.map(({ name }) => name);
  throw new DynoError('badInput', `The experiment has no target “${word}”.`, {
    hint: didYouMean(word ?? '', names) ?? `Targets: ${names.join(', ')}.`,
  });
}
