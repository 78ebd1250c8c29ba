import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adviceFile, oneVariant } from '#analysis/advise/advice-file.ts';
import { type AdviceReport, advisedWork, foreignWrites, remarksOf, writesIn } from '#analysis/advise/advice-report.ts';
import type { AdvisedWork, Candidate } from '#analysis/advise/candidate.ts';
import { findCandidates } from '#analysis/advise/find-candidates.ts';
import { judgeAdvice } from '#analysis/advise/judge-advice.ts';
import type { JudgedAdvice } from '#analysis/advise/judged-advice.ts';
import { type Screened, screen } from '#analysis/advise/screen.ts';
import { writeProbes } from '#analysis/advise/write-probe.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Mapping } from '#experiment/schema/changes.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import { DynoError, toErrorData } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';
import { trialTimes } from '#planning/judged/trial-times.ts';
import { baselineOf } from '#planning/rates/baseline.ts';
import type { Home } from '#platform/paths.ts';
import type { Variant } from '#protocol/plan.ts';
import { type ParsedFile, parseFile } from '#rules/parsed-file.ts';
import { meanOrNull } from '#stats/intervals/summary.ts';
import { openLibrary } from '#workspace/library/library.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openGate, type TrustedExperiment } from '#workspace/trust/gate.ts';
import { createRun } from '../run/run.ts';
import type { Run, RunOutcome } from '../run/run-scheduler.ts';
import { catalogEntry, type Variables } from '../worker/targets.ts';

interface AdviseOptions {
  readonly home: Home;
  /** The experiment that the gate has let through, and its file. */
  readonly experiment: TrustedExperiment;
  readonly file: ParsedFile;
  /** The folder of the experiment's CSV files. */
  readonly folder: string;
  /** The target; absent: the first one that runs statements. */
  readonly target?: string;
  readonly budgetSeconds: number;
  /** Shorter trials for tests. Default: as long as the statements need, and as often as the budget allows. */
  readonly trials?: { readonly seconds: number; readonly repeats: number };
  readonly confirmed: readonly string[];
  readonly variables?: Variables;
  /** The path of the run; absent: in the home. */
  readonly runFile?: string;
  readonly signal: AbortSignal;
  readonly onActivity: (text: string) => void;
  /** Shows the progress of each run. */
  readonly onRun?: (run: Run) => Disposable;
}

/** Time that a look at a statement takes, s, and the bounds of each trial that is compared. */
const lookSeconds = 1.5;
const [leastSeconds, mostSeconds] = [1, 5] as const;
/** The usual repeats, and the fewest where the budget is short: a large effect shows in three. */
const [usualRepeats, leastRepeats] = [5, 3] as const;
const mostRepeats = 12;
/** More finalists would widen the bounds of each. */
const mostFinalists = 10;
/** The share of the budget in which candidates are looked at, each in one trial. */
const screeningShare = 0.4;
/** Calibration and logins at the beginning of a run, s. */
const startSeconds = 5;
/** Calls of a mean unit of work in a trial. */
const wantedCalls = 20;

/**
 * Finds changes that may make an experiment faster, and measures them: a first run of the file shows times and plans,
 * one short trial of each candidate shows whether the server uses it, and the promising ones are compared in one
 * interleaved run within the budget. Throws 'badInput' where there is nothing to advise on.
 */
export async function advise(options: AdviseOptions): Promise<AdviceReport> {
  const { experiment, file, budgetSeconds, onActivity } = options;
  const began = performance.now();
  const used = () => (performance.now() - began) / 1_000;
  const { variant, target } = chosen(experiment, options.target);
  const { descriptor } = catalogEntry(target.engine);
  const source = oneVariant(file, experiment.plan.experiment, variant, target.name);
  const before = advisedWork(experiment.plan, variant, target.name, descriptor);
  const [foreign] = foreignWrites(before);
  if (foreign !== undefined)
    throw new DynoError(
      'badInput',
      `“${foreign}” may write to a table of your own, and advice would run it many times.`,
      {
        hint: 'Describe the table under `tables`, and write {name} in the statement: Dyno then makes a table of its own.',
      },
    );
  const folder = mkdtempSync(join(tmpdir(), 'dyno-advise-'));
  try {
    onActivity('Looking at the times and plans of the statements');
    const words = { name: `Advice for ${experiment.plan.experiment.name}`.slice(0, 120), question: question(before) };
    const first = { ...words, candidates: [], probes: {}, seconds: options.trials?.seconds ?? lookSeconds, repeats: 1 };
    const look = await measured(options, adviceFile(source, first), join(folder, 'look.dyno-run'), budgetSeconds);
    const looked = look.model.trials.find(({ result }) => result?.status === 'ok');
    if (looked?.result === undefined || looked.result === null) throw failed(look);
    const work = advisedWork(experiment.plan, variant, target.name, descriptor, looked);
    const found = byTime(findCandidates(work), work, looked.result);
    const impossible = found.flatMap((one) => {
      const why = impossibleText(options.home, adviceFile(source, { ...first, candidates: [one] }));
      return why === null ? [] : [notTried(one, why)];
    });
    const candidates = found.filter((one) => !impossible.some(({ candidate }) => candidate === one));
    const report = {
      ...{ experiment: experiment.plan.experiment.name, target: target.name, engine: descriptor.id, budgetSeconds },
      remarks: remarksOf(work),
    };
    if (candidates.length === 0)
      return { ...report, run: null, file: null, repeats: 0, usedSeconds: used(), advice: impossible };
    const seconds = options.trials?.seconds ?? secondsFor(work, looked.result);
    let beside = besideOf([looked.result]);
    const weights = weightsOf(work.experiment);
    const screening = seconds / 2;
    const places =
      Math.floor(((budgetSeconds - used() - startSeconds) * screeningShare) / (beside + (screening * 4) / 3)) - 1;
    const [tried, late] = [candidates.slice(0, Math.max(0, places)), candidates.slice(Math.max(0, places))];
    const probesOf = (some: readonly Candidate[]): Mapping =>
      writeProbes(
        work,
        isMapping(source.value) ? source.value : {},
        some.flatMap(({ tables }) => tables),
      );
    let screened: readonly Screened[] = [];
    if (tried.length > 0) {
      onActivity(`Looking at ${tried.length} candidates, each in one short trial`);
      const short = { ...words, candidates: tried, probes: probesOf(tried), seconds: screening, repeats: 1 };
      const within = budgetSeconds - used();
      const looks = await measured(options, adviceFile(source, short), join(folder, 'screen.dyno-run'), within);
      screened = screen(looks.model, tried, weights);
      // The first trial of all found a cold server.
      beside = besideOf(looks.model.trials.flatMap(({ result }) => result ?? []));
    }
    const good = screened.filter(({ why }) => why === null).map(({ candidate }) => candidate);
    const each = beside + (seconds * 4) / 3;
    const left = (budgetSeconds - used()) * 0.9 - startSeconds;
    const roomFor = (repeats: number) => Math.floor(left / (each * repeats)) - 1;
    const finalists = good.slice(
      0,
      Math.max(0, Math.min(mostFinalists, Math.max(roomFor(usualRepeats), Math.min(1, roomFor(leastRepeats))))),
    );
    const rest = [
      ...impossible,
      ...screened.flatMap(({ candidate, why }) => (why === null ? [] : [notTried(candidate, why)])),
      ...[...good.slice(finalists.length), ...late].map((one) => notTried(one, 'The budget did not suffice.')),
    ];
    if (finalists.length === 0)
      return { ...report, run: null, file: null, repeats: 0, usedSeconds: used(), advice: rest };
    const rounds = Math.floor(left / (each * (finalists.length + 1)));
    const repeats = options.trials?.repeats ?? Math.min(mostRepeats, Math.max(leastRepeats, rounds));
    onActivity(`Comparing ${finalists.length} candidates in ${repeats} interleaved repeats`);
    const probes = probesOf(finalists);
    const last = adviceFile(source, { ...words, candidates: finalists, probes, seconds, repeats });
    const final = await measured(options, last, options.runFile ?? null, budgetSeconds - used());
    const entry = openLibrary(options.home).save(null, last.text);
    const isWrite = (item: string) => Object.hasOwn(probes, item) || writesIn(work, item);
    return {
      ...report,
      run: final.file,
      file: join(options.home.experiments, `${entry.id.replace(/^mine:/, '')}.dyno.yaml`),
      repeats,
      usedSeconds: used(),
      advice: [...judgeAdvice(final.model, finalists, isWrite), ...rest],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const question = ({ target }: AdvisedWork): string =>
  `Which changes make the statements faster on ${target}, and what do they cost writes?`;

/** The reason, as a sentence, why no run can have a candidate; null: it can. */
function impossibleText(home: Home, source: YamlSource): string | null {
  try {
    openGate(home).experiment({ file: parseFile(source) }, false);
    return null;
  } catch (thrown) {
    return toErrorData(thrown).message;
  }
}

/** The variant and the target of the advice. Throws 'badInput' where none runs statements. */
function chosen({ plan }: TrustedExperiment, wanted: string | undefined) {
  const target = wanted === undefined ? firstTarget(plan) : plan.targets.find(({ name }) => name === wanted);
  if (target === undefined)
    throw new DynoError(
      'badInput',
      wanted === undefined
        ? 'The experiment has no statements of its own to advise on.'
        : `The experiment has no target “${wanted}”.`,
      { hint: 'Advice is about custom statements: operation: statement, with `statements` and their tables.' },
    );
  const here = new Set(plan.trials.flatMap((one) => (one.target === target.name ? [one.variant] : [])));
  const variants = plan.variants.filter(({ id, settings }) => here.has(id) && settings.operation === 'statement');
  const usual = baselineOf({ plan, targets: [] }, 'levels').variant;
  const variant: Variant | undefined = variants.find(({ id }) => id === usual) ?? variants[0];
  if (variant === undefined)
    throw new DynoError('badInput', `No variant runs statements on ${target.name}.`, {
      hint: 'Advice is about custom statements (operation: statement).',
    });
  return { variant, target };
}

function firstTarget({ targets, trials, variants }: TrustedExperiment['plan']) {
  const statements = new Set(variants.filter(({ settings }) => settings.operation === 'statement').map(({ id }) => id));
  return targets.find(({ name }) => trials.some((one) => one.target === name && statements.has(one.variant)));
}

interface Measured {
  readonly model: RunModel;
  readonly outcome: RunOutcome;
  readonly file: string;
  readonly seconds: number;
}

/** Runs a file made from the trusted one. It is cancelled where it exceeds its time. */
async function measured(
  { home, folder, confirmed, variables, signal, onRun }: AdviseOptions,
  source: YamlSource,
  file: string | null,
  withinSeconds: number,
): Promise<Measured> {
  signal.throwIfAborted();
  // The gate has let the user's file through; this one has the same targets and statements.
  const judged = openGate(home).experiment({ file: parseFile(source), folder }, false);
  if (!('trusted' in judged)) throw new DynoError('internal', 'The file of the advice is not trusted.');
  const given = { home, experiment: judged.trusted, confirmed, folder };
  const run = await createRun({ ...given, ...(variables && { variables }), ...(file !== null && { file }) });
  const began = performance.now();
  const cancel = () => run.cancel();
  const timer = setTimeout(cancel, Math.max(1, withinSeconds) * 1_000);
  signal.addEventListener('abort', cancel);
  try {
    using _ = onRun?.(run) ?? { [Symbol.dispose]() {} };
    const outcome = await run.start();
    const seconds = (performance.now() - began) / 1_000;
    signal.throwIfAborted();
    if (!outcome.begun) throw new DynoError(outcome.error?.kind ?? 'other', outcome.error?.message ?? 'No run began.');
    return { model: await loadRun(home, run.file), outcome, file: run.file, seconds };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancel);
  }
}

function failed({ model, outcome }: Measured): DynoError {
  const error =
    outcome.error ??
    model.targets.find((one) => one.error)?.error ??
    model.trials.find(({ result }) => result?.error)?.result?.error;
  return error
    ? new DynoError(error.kind, `The first run of the statements failed: ${error.message}`)
    : new DynoError('timeout', 'The statements could not be run once within the budget.', {
        hint: 'Give it more time (--budget), or fewer rows (--set).',
      });
}

type Result = NonNullable<RunModel['trials'][number]['result']>;

/** Candidates for the statements that take the most time come first. */
function byTime(candidates: readonly Candidate[], { experiment }: AdvisedWork, result: Result): readonly Candidate[] {
  const weights = weightsOf(experiment);
  const timeOf = (name: string) => (trialTimes(result, name)?.ms('mean') ?? 0) * (weights.get(name) ?? 1);
  const sum = [...weights.keys()].reduce((all, name) => all + timeOf(name), 0);
  const shareOf = ({ statements }: Candidate) =>
    // A dropped index helps every write a little.
    statements.length === 0 ? 0.3 : statements.reduce((all, name) => all + timeOf(name), 0) / Math.max(1e-9, sum);
  return candidates.toSorted((a, b) => shareOf(b) - shareOf(a));
}

/** The seconds of a trial in which the mix is called often enough. */
function secondsFor({ experiment }: AdvisedWork, result: Result): number {
  const ms = [...weightsOf(experiment).keys()].map((name) => trialTimes(result, name)?.ms('mean') ?? 0);
  const mean = ms.reduce((sum, one) => sum + one, 0) / Math.max(1, ms.length);
  return Math.min(mostSeconds, Math.max(leastSeconds, (mean * wantedCalls) / 1_000));
}

/** Forking, logging in and dropping tables, s. */
const aroundTrial = 0.4;

/** The mean seconds of trials beside their calls: their tables are made, loaded and dropped. */
const besideOf = (results: readonly Result[]): number =>
  aroundTrial +
  (meanOrNull(
    results.map(({ phaseMs }) =>
      Object.entries(phaseMs)
        .filter(([phase]) => phase !== 'warmup' && phase !== 'measure')
        .reduce((sum, [, ms]) => sum + ms / 1_000, 0),
    ),
  ) ?? 0);

const notTried = (candidate: Candidate, why: string): JudgedAdvice => ({
  ...{ candidate, verdict: 'notTried', why, total: null, effects: [], bytes: null, buildMs: null, insteadOf: null },
});
