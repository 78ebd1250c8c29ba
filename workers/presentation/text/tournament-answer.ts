import type { HeadlineClaims } from '#analysis/compare/headline-claims.ts';
import {
  type Tournament,
  type TournamentRatio,
  type TournamentRow,
  tournamentsOf,
} from '#analysis/compare/tournament.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { besidesText, changeText, ratioText, tournamentSentence, withFigure } from '#analysis/text/tournament-text.ts';
import { formatMs } from '#model/format/format.ts';
import { many } from '#model/format/plural.ts';
import { formatFigure } from '#planning/judged/trial-times.ts';
import { type Baseline, compareOf } from '#planning/rates/baseline.ts';
import { comparesChanges } from '#planning/variant-of.ts';
import type { ComparedAnswers } from '#protocol/measurement.ts';
import type { Fact } from './fact.ts';
import { mostTargets } from './sentences.ts';

/** The answer of a run whose variants are changes of its file, judged by times. */
interface TournamentAnswer {
  /** "With “covering index”, search is 41× faster (36–47×)". */
  readonly headline: string;
  readonly lead: 'certain' | 'uncertain';
  readonly certainty: string;
  /** "Besides: “sell” 4.0 % slower (1.0–7.0 %), an index of 12 MiB, built in 0.8 s." */
  readonly details: readonly string[];
  readonly facts: readonly Fact[];
}

/** A ratio with the row and the tournament that have it. */
interface Told {
  readonly tournament: Tournament;
  readonly row: TournamentRow;
  readonly one: TournamentRatio;
}

/**
 * The largest improvement that is certain among all comparisons of the headline, and what it costs; without one, the
 * largest certain loss. Null for other runs, and for runs whose file has throughput judged.
 */
export function tournamentAnswer(
  model: RunModel,
  baseline: Baseline,
  { latency, judgesThroughput }: Pick<HeadlineClaims, 'latency' | 'judgesThroughput'>,
): TournamentAnswer | null {
  if (latency === null || judgesThroughput || !comparesChanges(model.plan)) return null;
  if (compareOf(model, baseline) !== 'levels') return null;
  const all = tournamentsOf(model, baseline);
  const told = all.flatMap((tournament) =>
    tournament.rows.flatMap((row) => row.ratios.flatMap((one) => (one === null ? [] : [{ tournament, row, one }]))),
  );
  const certain = told.filter(({ one }) => one.isCertain).toSorted((a, b) => distance(b) - distance(a));
  const best = certain.find(({ one }) => one.verdict === 'faster');
  const first = best ?? certain[0];
  const among = latency.comparisons === 1 ? '' : ` among ${many(latency.comparisons, 'comparison')} of times`;
  const answers = equalAnswersFact(model, all[0]);
  if (first === undefined) {
    const compared = told.filter(({ row }) => row.state === 'compared');
    const hasFewRepeats = compared.every(({ one }) => one.verdict === 'notEnoughRepeats');
    const judged = hasFewRepeats ? 'Uncertain: too few repeats' : `No difference is certain${among}`;
    return {
      headline: `No change is certainly faster or slower than ${baselineName(model, all)}`,
      lead: 'uncertain',
      certainty: compared.length === 0 ? 'No change has a result that can be compared' : judged,
      details: [],
      facts: answers,
    };
  }
  const placed = withText(model, first, all.length > 1);
  const besides = besidesText(first.tournament, first.row, first.one);
  return {
    headline: best ? placed : `No change is certainly faster; ${placed.charAt(0).toLowerCase()}${placed.slice(1)}`,
    lead: 'certain',
    certainty: `Certain at 95 %${among}`,
    details: besides === '' ? [] : [`Besides: ${besides}.`],
    facts: [...judgedFact(first), ...(best ? bestElsewhere(model, all, best, certain) : []), ...answers],
  };
}

const distance = ({ one: { ratio } }: Told): number => Math.abs(Math.log(ratio?.value ?? 1));

const baselineName = ({ plan }: RunModel, [first]: readonly Tournament[]): string =>
  first === undefined ? 'the baseline' : `“${changeText(plan, first.baseline, first.baseline)}”`;

/** "With “covering index” on PostgreSQL, search is 41× faster (36–47×)". */
function withText({ plan }: RunModel, { tournament, row, one }: Told, hasTargets: boolean): string {
  const work = one.of === 'time' ? one.work : null;
  const place = hasTargets ? ` on ${tournament.target}` : '';
  const what = one.of === 'time' ? withFigure(tournament.measures, one, work ?? 'the unit of work') : 'throughput';
  return `With “${changeText(plan, row.variant, tournament.baseline)}”${place}, ${what} is ${ratioText(one)}`;
}

/** "p50 of search: 212 ms → 5.2 ms". */
function judgedFact({ tournament, row, one }: Told): readonly Fact[] {
  if (one.of !== 'time') return [];
  const base = tournament.rows.find(({ state }) => state === 'baseline')?.ratios[row.ratios.indexOf(one)];
  const before = base?.of === 'time' ? base.ms : null;
  const of = one.work === null ? '' : ` of ${one.work}`;
  return [['Judged', `${formatFigure(one.figure)}${of}: ${formatMs(before?.value)} → ${formatMs(one.ms?.value)}`]];
}

/** A sentence about the best change on each target, except the headline's target, or about the lack of one. */
function bestElsewhere(
  model: RunModel,
  all: readonly Tournament[],
  best: Told,
  certain: readonly Told[],
): readonly Fact[] {
  const others = all.filter((one) => one !== best.tournament);
  const more = others.length - mostTargets;
  return [
    ...others.slice(0, mostTargets).map((tournament): Fact => {
      const own = certain.find((told) => told.tournament === tournament && told.one.verdict === 'faster');
      return [
        `Best on ${tournament.target}`,
        own ? tournamentSentence(model, tournament, own.row) : 'no change is certainly faster',
      ];
    }),
    ...(more > 0 ? [['Elsewhere', `${many(more, 'more target')} in the table`] as const] : []),
  ];
}

const outcomeWords: Readonly<Record<ComparedAnswers['outcome'], string>> = {
  equal: 'equal',
  differ: 'differ',
  cannotTell: 'cannot tell',
  notChecked: 'not compared',
};

/** The outcomes, the most important outcome of a change first. */
const byWeight: readonly ComparedAnswers['outcome'][] = ['differ', 'cannotTell', 'notChecked', 'equal'];

/** "equal for 20 draws with rewritten; differ with NOT IN on MariaDB". Each change has one outcome. */
function equalAnswersFact({ trials, plan }: RunModel, first: Tournament | undefined): readonly Fact[] {
  const found = trials.flatMap(({ trial, result }) =>
    (result?.answers ?? []).flatMap((compared) =>
      trial.variant === compared.baseline ? [] : [{ variant: trial.variant, target: trial.target, compared }],
    ),
  );
  if (found.length === 0 || first === undefined) return [];
  const changes = [...Map.groupBy(found, ({ variant }) => variant)].map(([variant, all]) => {
    const outcome = byWeight.find((one) => all.some(({ compared }) => compared.outcome === one))!;
    const own = all.filter(({ compared }) => compared.outcome === outcome);
    const [targets, everywhere] = [own, all].map((some) => [...new Set(some.map(({ target }) => target))]);
    const place = targets!.length < everywhere!.length ? ` on ${targets!.join(' and ')}` : '';
    const draws = Math.min(...own.map(({ compared }) => compared.draws));
    return { outcome, draws, name: `${changeText(plan, variant, first.baseline)}${place}` };
  });
  const words = [...Map.groupBy(changes, ({ outcome }) => outcome)].map(([outcome, own]) => {
    const draws = Math.min(...own.map((one) => one.draws));
    const shown = own.length > 3 ? many(own.length, 'change') : own.map(({ name }) => name).join(', ');
    return `${outcomeWords[outcome]}${outcome === 'equal' ? ` for ${many(draws, 'draw')}` : ''} with ${shown}`;
  });
  return [['Answers', words.join('; ')]];
}
