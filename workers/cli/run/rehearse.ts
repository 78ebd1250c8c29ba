import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { looksLikeConnectionString } from '#engine-api/connection-strings/looks.ts';
import { coveredBy } from '#experiment/import-statements/imported-experiment.ts';
import { missingTargets } from '#managed-servers/servers/kinds.ts';
import { DynoError } from '#model/error.ts';
import { formatCount, formatMs, formatPercent, formatUpTo } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { oneLine } from '#model/text/printable.ts';
import { openSteps } from '#orchestrator/rehearse/kept-steps.ts';
import { referenceFor } from '#orchestrator/rehearse/reference.ts';
import {
  chosenOf,
  experimentOfRehearsal,
  type Rehearsal,
  readSource,
  readTables,
  rowsOf,
  tryStatements,
  twinOfRehearsal,
  usualScale,
} from '#orchestrator/rehearse/rehearse.ts';
import { createRun, resumeRun } from '#orchestrator/run/run.ts';
import { catalogEntry } from '#orchestrator/worker/targets.ts';
import { estimateSeconds } from '#planning/estimate-seconds.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { ensureHome } from '#platform/paths.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';
import { readDurations } from '#workspace/runs/known-durations.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import type { TrustedTarget } from '#workspace/trust/gate.ts';
import { type Command, type CommandContext, text } from '../command.ts';
import { confirmedHosts, confirmOption } from '../confirm-option.ts';
import { requireTrust } from '../experiments/require-trust.ts';
import { onInterrupt } from '../interrupt.ts';
import { openQuestions } from '../questions.ts';
import { findTarget } from '../targets/find-target.ts';
import { liveSeriesOptions, openAskedSeries } from './live-series-options.ts';
import { runAndReport, runOptions, showAgain } from './run-and-report.ts';

const number = (least: number, most: number) => (value: string) => {
  const one = Number(value);
  return /^\d+(\.\d+)?$/.test(value) && one >= least && one <= most
    ? null
    : `takes a number from ${formatUpTo(least)} to ${formatUpTo(most)}.`;
};
const whole = (most: number) => (value: string) =>
  /^[1-9]\d*$/.test(value) && Number(value) <= most ? null : `takes a whole number from 1 to ${formatUpTo(most)}.`;
const scaleProblem = number(0.0001, 1_000);

/** The choices of a rehearsal that no option makes. */
const usual = { top: '50', seconds: '1', repeats: '5', margin: '10', connections: '1' };

/** `dyno rehearse`: rehearses an upgrade or a move of a server with its own statements. */
export const rehearseCommand: Command = {
  name: 'rehearse',
  arguments: 'SOURCE',
  summary:
    'Rehearses an upgrade or a move of a server: its own statements run on a twin of its tables, on a reference and on each candidate, and end in a decision for each statement.',
  help: [
    'SOURCE is a saved connection; Dyno only reads there: the statements that the server has counted, and the definitions and statistics of their tables (`dyno import`). No row leaves the server. The twin of its tables, and everything else, is made on the reference and on the candidates, which are built-in targets or saved connections. The reference is the managed server of the same product and version, or of the nearest version.',
    'Each statement is tried on each target first, and rolled back. Then every statement runs by itself, on all targets in turn. The results say of each statement on each candidate if it is better, the same, worse, not shown, or does not run. On a terminal, one question comes before each step; the options answer them, and --yes takes the usual answers. The results of the steps are files of a folder: the same command goes on where it was left, and shows the decision where it was complete.',
  ].join('\n\n'),
  options: {
    on: { type: 'string', about: 'The candidates, separated by commas: postgres@18,mariadb@11.4.' },
    reference: {
      type: 'string',
      about: 'The target that stands for SOURCE. Default: the managed server with its product and version.',
    },
    top: {
      type: 'string',
      about: `The most statements, those with the most time first. Default: ${usual.top}.`,
      problem: whole(500),
    },
    writes: { type: 'boolean', about: 'Rehearses statements that may write, too. They change the twin alone.' },
    scale: {
      type: 'string',
      about: 'Rows of the twin for each row of SOURCE. Default: 1, or less for more than a million rows.',
      problem: scaleProblem,
    },
    'keep-values': { type: 'boolean', about: 'Keeps frequent texts as they are at the server.' },
    seconds: {
      type: 'string',
      about: `Seconds that each trial measures. Default: ${usual.seconds}.`,
      problem: number(0.1, 600),
    },
    repeats: {
      type: 'string',
      about: `Trials of each statement on each target. Default: ${usual.repeats}.`,
      problem: whole(1_000),
    },
    margin: {
      type: 'string',
      about: `The margin of “same”, in percent. Default: ${usual.margin}.`,
      problem: number(1, 100),
    },
    connections: {
      type: 'string',
      about: `Connections of each trial. Default: ${usual.connections}.`,
      problem: whole(1_000),
    },
    folder: { type: 'string', about: 'The folder of the steps. Default: a folder in Dyno’s home.' },
    anew: { type: 'boolean', about: 'Begins from the start, and reads SOURCE again.' },
    yes: { type: 'boolean', short: 'y', about: 'Asks nothing.' },
    ...confirmOption,
    ...liveSeriesOptions,
    ...runOptions,
  },
  takes: [1, 1],
  async run(context) {
    const { home, positionals, values, note } = context;
    const [word = ''] = positionals;
    if (looksLikeConnectionString(word))
      throw new DynoError('badInput', 'An experiment names its targets, and a URL has no name.', {
        hint: 'Save it as a connection, in the window or with dyno connections import, and name that.',
      });
    const { target: source, passwords } = findTarget(home, word, {});
    const { descriptor } = catalogEntry(source.engine);
    if (descriptor.keptStatements === undefined || descriptor.tableStatistics === undefined)
      throw new DynoError(
        'unsupported',
        `A rehearsal reads statements and statistics, and ${descriptor.label} tells ${descriptor.keptStatements === undefined ? 'no statements' : 'no statistics'}.`,
        {
          hint:
            descriptor.unsupportedReasons[
              descriptor.keptStatements === undefined ? 'keptStatements' : 'tableStatistics'
            ] ?? 'Write the experiment by hand, with the key rehearsal.',
        },
      );
    using questions = openQuestions(values.yes !== true, note);
    const on =
      text(values, 'on') ?? (await questions.ask('Candidates, separated by commas (dyno targets lists them)?', ''));
    const names = [
      ...new Set(
        on
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== ''),
      ),
    ];
    if (names.length === 0) {
      note('dyno rehearse: name the candidates with --on, such as --on postgres@18.');
      return exitCodes.usage;
    }
    const candidates = names.map((name) => findTarget(home, name, {}).target);
    const named = text(values, 'reference');
    const asked = named === undefined ? null : findTarget(home, named, {}).target;
    ensureHome(home);
    const folder = resolve(text(values, 'folder') ?? join(home.root, 'rehearsals', folderName(word, names)));
    const steps = openSteps(folder);
    if (values.anew === true) steps.forget();
    note(`steps: ${folder}`);
    const stop = new AbortController();
    using _ = onInterrupt(() => stop.abort());
    const access = { home, passwords, signal: stop.signal, onActivity: values.quiet === true ? () => {} : note };
    const read = await readSource(steps, source, access);
    const reference = await referenceOf(context, { source, asked, candidates, product: read.product });
    const writes = values.writes === true;
    const all = chosenOf(source, read, { by: 'time', top: Number(text(values, 'top') ?? usual.top), writes });
    note(
      `${many(all.taken.length, 'statement')} with ${formatPercent(coveredBy(all.taken, read.kept).time)} of the time that ${source.name} has counted; ${all.left.length + read.kept.others.length} others are not covered.`,
    );
    const top =
      text(values, 'top') ??
      (await questions.ask('How many of them, those with the most time first?', String(all.taken.length), (answer) => {
        const problem = whole(all.taken.length)(answer);
        return problem && `This ${problem}`;
      }));
    const chosen = chosenOf(source, read, { by: 'time', top: Number(top), writes });
    const facts = await readTables(steps, source, chosen.taken, access);
    const scale = Number(
      text(values, 'scale') ??
        (await questions.ask(
          `${many(facts.length, 'table')} with ${formatCount(rowsOf(facts))} rows. Rows of the twin for each of them?`,
          String(usualScale(facts)),
          (answer) => {
            const problem = scaleProblem(answer);
            return problem && `This ${problem}`;
          },
        )),
    );
    const rehearsal: Rehearsal = {
      ...{ home, source, read, chosen, facts, scale, reference, candidates },
      keepValues: values['keep-values'] === true,
      choices: {
        seconds: Number(text(values, 'seconds') ?? usual.seconds),
        repeats: Number(text(values, 'repeats') ?? usual.repeats),
        margin: Number(text(values, 'margin') ?? usual.margin) / 100,
        connections: Number(text(values, 'connections') ?? usual.connections),
      },
    };
    for (const one of twinOfRehearsal(rehearsal).told) note(oneLine(one));
    const confirmed = confirmedHosts(values);
    const refusals = await tryStatements(steps, rehearsal, { ...access, confirmed });
    for (const [name, by] of Object.entries(refusals))
      for (const [target, message] of Object.entries(by))
        note(oneLine(`${name} does not run on ${target}: ${message}`));
    const experiment = experimentOfRehearsal(rehearsal, refusals);
    const { yaml, plan } = experiment;
    const before = steps.read<{ readonly file: string }>('run', yaml);
    if (before !== null && existsSync(before.file)) return goOn(context, before.file, confirmed);
    const { most } = estimateSeconds(plan, readDurations(home));
    const start = await questions.ask(
      `${many(plan.variants.length, 'statement')} × ${many(plan.targets.length, 'target')}: ${many(plan.trials.length, 'trial')}, about ${formatMs(most * 1_000)}. Start?`,
      'yes',
    );
    if (!/^y/i.test(start)) {
      note('Nothing was measured. The same command goes on here.');
      return exitCodes.cancelled;
    }
    const entry = openLibrary(home).save(null, yaml);
    note(`experiment: ${join(home.experiments, `${entry.id.replace(/^mine:/, '')}.dyno.yaml`)}`);
    await using live = await openAskedSeries(context);
    const run = await createRun({ home, experiment, confirmed, folder: home.experiments });
    steps.keep('run', yaml, { file: run.file });
    return runAndReport(run, context, { live });
  },
};

/** A folder's name of the source and the candidates. */
const folderName = (source: string, candidates: readonly string[]): string =>
  `${source}-on-${candidates.join('-')}`.replaceAll(/[^A-Za-z0-9@._-]+/g, '_').slice(0, 100);

interface ReferenceParts {
  readonly source: TrustedTarget;
  /** The target of --reference; null: it was not given. */
  readonly asked: TrustedTarget | null;
  readonly candidates: readonly TrustedTarget[];
  readonly product: Rehearsal['read']['product'];
}

async function referenceOf(
  { home, note }: CommandContext,
  { source, asked, candidates, product }: ReferenceParts,
): Promise<TrustedTarget> {
  const missing = await missingTargets();
  const found = referenceFor(catalogEntry(source.engine).descriptor, product, (name) => name in missing);
  if (asked === null && found === null)
    throw new DynoError('badInput', `Dyno starts no server that could stand for ${product.product}.`, {
      hint: 'Name a target that stands for it with --reference.',
    });
  const reference = asked ?? findTarget(home, found!.target, {}).target;
  if (candidates.some(({ name }) => name === reference.name))
    throw new DynoError('badInput', `${reference.name} is the reference, and cannot be a candidate as well.`, {
      hint: 'Name another target as the reference with --reference.',
    });
  if (asked === null)
    note(
      `The reference is ${reference.name}, for ${oneLine(product.product)}${found!.isSame ? '.' : ': the nearest version that Dyno can start here, so differences between the two versions are not seen.'}`,
    );
  return reference;
}

/** Goes on with the run of a rehearsal, or shows its decision where it is complete. */
async function goOn(context: CommandContext, file: string, confirmed: readonly string[]): Promise<number> {
  const { home, note } = context;
  const model = await loadRun(home, file);
  if (model.status === 'running')
    throw new DynoError('badInput', 'The rehearsal is running, in the window or in another terminal.');
  if (model.status === 'complete') {
    note(`This rehearsal is complete; --anew begins another one. run: ${file}`);
    return showAgain(model, context);
  }
  note(`Going on with the run ${file}`);
  const { yaml } = await headerOf(file);
  const experiment = requireTrust(home, { file: parseFile(yaml), path: file }, false);
  await using live = await openAskedSeries(context);
  return runAndReport(await resumeRun({ home, experiment, file, confirmed }), context, { live });
}
