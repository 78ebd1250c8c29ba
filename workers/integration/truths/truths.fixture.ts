import { readFileSync } from 'node:fs';
import {
  type Tournament,
  type TournamentMeasure,
  type TournamentRow,
  tournamentsOf,
} from '#analysis/compare/tournament.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { changeText, tournamentSentence } from '#analysis/text/tournament-text.ts';
import { applyOverrides } from '#experiment/yaml/overrides.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { Home } from '#platform/paths.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { newTrustedRun } from '../trusted.fixture.ts';

/** The folder of the known truths: experiments whose answers are known. */
const casesFolder = new URL('cases/', import.meta.url);

/** The direction of a statement's times, or of the throughput. */
type Direction = 'faster' | 'slower';

/** A change whose effect on a target is known. */
export interface Truth {
  readonly target: string;
  /** Name of the level. */
  readonly change: string;
  /** The directions that the run has to claim for certain, by statement; `throughput` for operations of the dataset. */
  readonly claims?: Readonly<Record<string, Direction>>;
  /** The directions that are wrong, where the effect may be too small to be shown. */
  readonly neverClaims?: Readonly<Record<string, Direction>>;
  /** True: the run may claim no difference beyond `leastEffect`, because the change does nothing. */
  readonly isVain?: boolean;
  /** The answers of a rewrite: equal ones are compared, and others disqualify it. */
  readonly answers?: 'equal' | 'differ';
  /** The size of the rows beside the baseline's. */
  readonly rows?: 'larger' | 'smaller';
  /** True: the plan differs from the baseline's. */
  readonly hasOtherPlan?: boolean;
}

/** A change that does nothing may have a ratio that chance has made; it stays within this share of 1. */
const leastEffect = 0.05;

/** The sentence of a run about a change whose effect is known, and its contradictions to the truth. */
export interface Judged {
  readonly truth: Truth;
  /** The sentence of the tournament. */
  readonly sentence: string;
  /** The contradictions to the truth, as clauses; empty: the run is right. */
  readonly wrong: readonly string[];
}

/** Runs an experiment whose answers are known, and judges the answers of the run. */
export async function runTruths(
  home: Home,
  name: string,
  truths: readonly Truth[],
  overrides: readonly string[] = [],
): Promise<readonly Judged[]> {
  const text = readFileSync(new URL(`${name}.dyno.yaml`, casesFolder), 'utf8');
  const targets = `targets=${JSON.stringify([...new Set(truths.map(({ target }) => target))])}`;
  const run = await newTrustedRun({ home, yaml: applyOverrides(readYaml(text), [targets, ...overrides]).text });
  await run.start();
  const model = await loadRun(home, run.file);
  const tournaments = tournamentsOf(model, {});
  return truths.map((truth) => {
    const tournament = tournaments.find(({ target }) => target === truth.target);
    const row = tournament?.rows.find(
      ({ variant }) => changeText(model.plan, variant, tournament.baseline) === truth.change,
    );
    if (!tournament || !row) return { truth, sentence: '', wrong: ['the run has no such variant'] };
    return {
      truth,
      sentence: tournamentSentence(model, tournament, row),
      wrong: wrongOf(model, tournament, row, truth),
    };
  });
}

function wrongOf(model: RunModel, tournament: Tournament, row: TournamentRow, truth: Truth): readonly string[] {
  const { claims = {}, neverClaims = {}, isVain = false, answers, rows, hasOtherPlan = false } = truth;
  const state = answers === 'differ' ? 'disqualified' : 'compared';
  const ratioOf = (name: string) => row.ratios[tournament.measures.findIndex((one) => nameOf(one) === name)] ?? null;
  const found = [
    row.state === state ? null : `it is ${row.state}${row.why === null ? '' : `: ${row.why}`}`,
    ...Object.entries(claims).map(([name, direction]) => {
      const one = ratioOf(name);
      return one?.verdict === direction && one.isCertain ? null : `${name} is not certainly ${direction}`;
    }),
    ...Object.entries(neverClaims).map(([name, direction]) => {
      const one = ratioOf(name);
      return one?.verdict === direction && one.isCertain ? `${name} is certainly ${direction}` : null;
    }),
    ...(isVain ? row.ratios : []).map((one) =>
      one?.ratio && (one.ratio.low ?? 0) < 1 + leastEffect && (one.ratio.high ?? 2) > 1 - leastEffect
        ? null
        : 'a difference is claimed',
    ),
    ...(answers === undefined ? [] : [answersProblem(model, row, answers)]),
    rows === undefined || rowSizeOf(tournament, row) === rows ? null : `the rows are not ${rows}`,
    hasOtherPlan && !row.plans.some(({ hasChanged }) => hasChanged) ? 'the plan is the same' : null,
  ];
  return found.filter((one) => one !== null);
}

const nameOf = ({ work, figure }: TournamentMeasure): string =>
  figure === 'throughput' ? figure : (work ?? 'units of work');

/** A change of the size of rows counts from a tenth on. */
function rowSizeOf({ rows }: Tournament, { tableBytesPerRow: own }: TournamentRow): Truth['rows'] | null {
  const base = rows.find(({ state }) => state === 'baseline')?.tableBytesPerRow ?? null;
  if (own === null || base === null) return null;
  return own > base * 1.1 ? 'larger' : own < base * 0.9 ? 'smaller' : null;
}

/** Answers that differ have the rows that differ, side by side. */
function answersProblem(
  { trials }: RunModel,
  { variant, target }: TournamentRow,
  expected: NonNullable<Truth['answers']>,
): string | null {
  const own = trials.filter(({ trial }) => trial.variant === variant && trial.target === target);
  const compared = own.flatMap(({ result }) => result?.answers ?? []);
  const others = compared.filter(({ outcome }) => outcome !== expected);
  if (compared.length === 0) return 'no answers were compared';
  if (others.length > 0) return `the answers are ${others.map(({ outcome, why }) => `${outcome} (${why})`).join(', ')}`;
  const hasRows = compared.every(({ difference }) => (difference?.rows?.pairs.length ?? 0) > 0);
  return expected === 'equal' || hasRows ? null : 'the rows that differ are missing';
}

/** "find faster, add slower, rows smaller", the contents of a truth. */
export function truthText({ claims = {}, neverClaims = {}, isVain, answers, rows, hasOtherPlan }: Truth): string {
  const texts = [
    ...Object.entries(claims).map(([name, direction]) => `${name} ${direction}`),
    ...Object.entries(neverClaims).map(([name, direction]) => `${name} not ${direction}`),
    ...(isVain ? ['no difference'] : []),
    ...(answers === undefined ? [] : [answers === 'equal' ? 'equal answers' : 'other answers: disqualified']),
    ...(rows === undefined ? [] : [`rows ${rows}`]),
    ...(hasOtherPlan ? ['another plan'] : []),
  ];
  return texts.join(', ');
}
