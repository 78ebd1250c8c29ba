import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { adviceFile, oneVariant } from '#analysis/advise/advice-file.ts';
import {
  type AdviceReport,
  advisedWork,
  foreignWrites,
  probeRemarks,
  remarksOf,
  writesIn,
} from '#analysis/advise/advice-report.ts';
import type { AdvisedWork, Candidate } from '#analysis/advise/candidate.ts';
import { findCandidates } from '#analysis/advise/find-candidates.ts';
import { judgeAdvice, outOfBudget } from '#analysis/advise/judge-advice.ts';
import { isDecided, looksOf } from '#analysis/advise/looks.ts';
import { type IndexRows, tablesWithDrops, withOwnNames } from '#analysis/advise/own-index-names.ts';
import { type Screened, screen } from '#analysis/advise/screen.ts';
import { probeName, writeProbes } from '#analysis/advise/write-probe.ts';
import type { EngineDescriptor } from '#engine-api/descriptor.ts';
import type { Mapping } from '#experiment/schema/changes.ts';
import { weightsOf } from '#experiment/statements/statement-mix.ts';
import { DynoError } from '#model/error.ts';
import { isMapping } from '#model/is-mapping.ts';
import { serverKey, setsOf } from '#planning/server-instances.ts';
import { makePrivateFolder } from '#platform/private-folder.ts';
import type { JudgedAdvice } from '#protocol/advice.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import type { Plan } from '#protocol/plan.ts';
import type { ParsedFile } from '#rules/parsed-file.ts';
import { openLibrary } from '#workspace/library/library.ts';
import type { TrustedExperiment } from '#workspace/trust/gate.ts';
import { catalogRows } from '../try/ask-target.ts';
import { catalogEntry } from '../worker/targets.ts';
import { chosen } from './chosen.ts';
import { besideOf, byTime, secondsFor } from './effort.ts';
import { keepAdvice, keepRun } from './keep-advice.ts';
import { failed, type Measured, type MeasuringOptions, measured } from './measured.ts';
import { possibleCandidates, possibleProbes } from './possible.ts';

interface AdviseOptions extends MeasuringOptions {
  /** The experiment that the gate has let through, and its file. */
  readonly experiment: TrustedExperiment;
  readonly file: ParsedFile;
  /** The target; absent: the first one that runs statements. */
  readonly target?: string;
  /** The time from the beginning after which nothing is measured. */
  readonly budgetSeconds: number;
  /** Shorter trials for tests. Default: as long as the statements need, and as often as the budget allows. */
  readonly trials?: { readonly seconds: number; readonly repeats: number };
  /** The path of the run; absent: in the home. */
  readonly runFile?: string;
  readonly onActivity: (text: string) => void;
}

/** Time that a look at a statement takes, s. */
const lookSeconds = 1.5;
/**
 * The repeats for which the budget must have time if several candidates are compared, and the least repeats of a run.
 */
const [usualRepeats, leastRepeats] = [6, 2] as const;
/** The maximum number of repeats; a run ends earlier when its answer is certain. */
const mostRepeats = 30;
/** More finalists would widen the bounds of each. */
const mostFinalists = 10;
/** The share of the budget in which candidates are looked at, each in one trial. */
const screeningShare = 0.4;
/** Up to this many candidates are compared without a short trial of each, if there is time. */
const mostUnscreened = 2;
/** The fewest candidates with a short trial, because the estimate of its time comes from a cold server. */
const leastScreened = 2;
/** Calibration and logins at the beginning of a run, s. */
const startSeconds = 5;

/**
 * Finds changes that may make an experiment faster, and measures them: a first run of the file shows times and plans,
 * one short trial of each candidate shows whether the server uses it, and the promising ones are compared in one
 * interleaved run within the budget. Throws 'badInput' where there is nothing to advise on.
 */
export async function advise(options: AdviseOptions): Promise<AdviceReport> {
  const { experiment, file, budgetSeconds, onActivity } = options;
  const began = performance.now();
  const untilMs = began + budgetSeconds * 1_000;
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
  const { plan } = experiment;
  const set = setsOf(plan, target.name)?.get(serverKey(plan, variant.id, target.name));
  if (target.changesServer && Object.keys(set?.parameters ?? {}).length > 0)
    throw new DynoError(
      'badInput',
      `Advice changes no parameters of your own server, and the file has some for ${target.name}.`,
      {
        hint: 'Leave them out of the file, use `session`, or choose a built-in target.',
      },
    );
  const folder = makePrivateFolder('advise');
  try {
    onActivity('Looking at the times and plans of the statements');
    const words = { name: `Advice for ${experiment.plan.experiment.name}`.slice(0, 120), question: question(before) };
    const first = { ...words, candidates: [], probes: {}, seconds: options.trials?.seconds ?? lookSeconds, repeats: 1 };
    const look = await measured(options, adviceFile(source, first), join(folder, 'look.dyno-run'), untilMs);
    const looked = look.model.trials.find(({ result }) => result?.status === 'ok');
    if (looked?.result === undefined || looked.result === null) throw failed(look);
    const work = advisedWork(experiment.plan, variant, target.name, descriptor, looked);
    const made = byTime(findCandidates(work), work, looked.result);
    const found = withOwnNames(made, await ownIndexes(options, target.name, descriptor, tablesWithDrops(made)));
    const judged = possibleCandidates(options.home, source, first, found);
    const impossible = judged.flatMap(({ candidate, whyNot }) =>
      whyNot === null ? [] : [notTried(candidate, whyNot)],
    );
    const candidates = judged.flatMap(({ candidate, whyNot }) => (whyNot === null ? [candidate] : []));
    const tables = candidates.flatMap((one) => one.tables);
    const inserted = writeProbes(work, isMapping(source.value) ? source.value : {}, tables);
    const inserts = possibleProbes(options.home, source, first, inserted);
    const remarks = [...remarksOf(work), ...probeRemarks(inserts)];
    const report = async (
      run: string,
      file: string | null,
      repeats: number,
      all: readonly JudgedAdvice[],
    ): Promise<AdviceReport> => {
      const advice = { budgetSeconds, usedSeconds: used(), repeats, advice: all, remarks };
      await keepAdvice(options.home, run, advice);
      const { name } = experiment.plan.experiment;
      return { experiment: name, target: target.name, engine: descriptor.id, ...advice, run, file };
    };
    const ofLook = async (last: Measured, advice: readonly JudgedAdvice[]) =>
      report(await keepRun(options.home, last, options.runFile ?? null), null, 0, advice);
    if (candidates.length === 0) return await ofLook(look, impossible);
    const seconds = options.trials?.seconds ?? secondsFor(work, looked.result);
    let beside = besideOf([looked.result]);
    const weights = weightsOf(work.experiment);
    const screening = seconds / 2;
    const left = () => budgetSeconds - used() - startSeconds;
    const trialSeconds = (measuredSeconds: number) => beside + (measuredSeconds * 4) / 3;
    const roomFor = (repeats: number) => Math.floor(left() / (trialSeconds(seconds) * repeats)) - 1;
    // Few candidates are finalists anyway, so their time goes into repeats.
    const isScreened = candidates.length > Math.max(1, Math.min(mostUnscreened, roomFor(usualRepeats)));
    const places = isScreened
      ? Math.max(leastScreened, Math.floor((left() * screeningShare) / trialSeconds(screening)) - 1)
      : candidates.length;
    const [tried, late] = [candidates.slice(0, places), candidates.slice(places)];
    const probesOf = (some: readonly Candidate[]): Mapping =>
      Object.fromEntries(
        inserts.flatMap(({ table, statement }) =>
          statement !== null && some.some((one) => one.tables.includes(table)) ? [[probeName(table), statement]] : [],
        ),
      );
    let screened: readonly Screened[] = tried.map((candidate) => ({
      ...{ candidate, why: null, isLate: false, ratio: 1 },
    }));
    let lastLook = look;
    if (isScreened) {
      onActivity(`Looking at ${tried.length} candidates, each in one short trial`);
      const short = { ...words, candidates: tried, probes: probesOf(tried), seconds: screening, repeats: 1 };
      const looks = await measured(options, adviceFile(source, short), join(folder, 'screen.dyno-run'), untilMs);
      screened = screen(looks.model, tried, weights);
      lastLook = looks;
      // The first trial of all found a cold server.
      beside = besideOf(looks.model.trials.flatMap(({ result }) => result ?? []));
    }
    const good = screened.filter(({ why, isLate }) => why === null && !isLate).map(({ candidate }) => candidate);
    const unscreened = screened.filter(({ isLate }) => isLate).map(({ candidate }) => candidate);
    // The budget ends a run that is longer than the estimate, whose first trial met a cold server.
    const most = Math.max(roomFor(usualRepeats), left() > trialSeconds(seconds) ? 1 : 0);
    const finalists = good.slice(0, Math.min(mostFinalists, most));
    const rest = [
      ...impossible,
      ...screened.flatMap(({ candidate, why }) => (why === null ? [] : [notTried(candidate, why)])),
      ...[...good.slice(finalists.length), ...unscreened, ...late].map(outOfBudget),
    ];
    if (finalists.length === 0) return await ofLook(lastLook, rest);
    const rounds = Math.floor(left() / (trialSeconds(seconds) * (finalists.length + 1)));
    // The estimate may be too long, and the budget ends the run where it is too short.
    const repeats = options.trials?.repeats ?? Math.min(mostRepeats, Math.max(leastRepeats, 2 * rounds));
    onActivity(`Comparing ${finalists.length} candidates in ${repeats} interleaved repeats, or fewer`);
    const probes = probesOf(finalists);
    const last = adviceFile(source, { ...words, candidates: finalists, probes, seconds, repeats });
    const isWrite = (item: string) => Object.hasOwn(probes, item) || writesIn(work, item);
    const looks = looksOf(repeats);
    const judgedAfter = (plan: Plan, results: readonly TrialResult[]) =>
      judgeAdvice({ plan, results, candidates: finalists, isWrite, looks: looks.length });
    const final = await measured(
      options,
      last,
      options.runFile ?? null,
      untilMs,
      (plan, results, round) => looks.includes(round) && isDecided(judgedAfter(plan, results)),
    );
    const results = final.model.trials.flatMap(({ result }) =>
      result === null || result.status === 'cancelled' ? [] : [result],
    );
    const entry = openLibrary(options.home).save(null, last.text);
    return await report(
      final.file,
      join(options.home.experiments, `${entry.id.replace(/^mine:/, '')}.dyno.yaml`),
      // The budget or a certain answer may end a run before its last round.
      Math.floor(results.length / (finalists.length + 1)),
      [...judgedAfter(final.model.plan, results), ...rest],
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const question = ({ target }: AdvisedWork): string =>
  `Which changes make the statements faster on ${target}, and what do they cost writes?`;

/** The rows of the catalog about the user's own tables with these names; none where the server refuses them. */
async function ownIndexes(
  options: AdviseOptions,
  target: string,
  { ownIndexes: query }: EngineDescriptor,
  tables: readonly string[],
): Promise<ReadonlyMap<string, IndexRows>> {
  if (query === undefined) return new Map();
  const found = await Promise.all(
    tables.map(async (table) => {
      const rows = catalogRows({ ...options, target }, query.replaceAll('{table}', table));
      return [table, await rows.catch((): IndexRows => [])] as const;
    }),
  );
  options.signal.throwIfAborted();
  return new Map(found);
}

const notTried = (candidate: Candidate, why: string): JudgedAdvice => ({
  ...{ candidate, verdict: 'notTried', why, total: null, effects: [], bytes: null, buildMs: null, insteadOf: null },
});
