import { ratios } from '#analysis/compare/compare.ts';
import { type HeadlineClaims, headlineClaims, type Lead } from '#analysis/compare/headline-claims.ts';
import type { LatencyClaims } from '#analysis/compare/latency-claims.ts';
import { type MeasuredCell, rankedCells } from '#analysis/compare/ranked-cells.ts';
import { runState } from '#analysis/compare/run-state.ts';
import { findingsOf } from '#analysis/findings/find-findings.ts';
import type { Confidence } from '#analysis/findings/shared/finding.ts';
import { type StatementShares, statementShares } from '#analysis/findings/statements/statement-shares.ts';
import { type Grade, gradeOf } from '#analysis/grade/grade.ts';
import { formatShare } from '#analysis/grade/problem.ts';
import type { CellSummary, Interval, Ratio, RunModel } from '#analysis/run-model/run-model.ts';
import { rateUnit } from '#analysis/run-model/select-cells.ts';
import { noResultText } from '#analysis/text/no-result-text.ts';
import { cellsApart } from '#analysis/text/row-text.ts';
import { isShort, runStateText } from '#analysis/text/run-state-text.ts';
import { comparisonText, speedText } from '#analysis/text/verdict-text.ts';
import { formatInterval, formatMs } from '#model/format/format.ts';
import { clause } from '#model/format/sentence.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { isContender } from '#planning/rates/contenders.ts';
import { changesFile, variantText } from '#planning/variant-of.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { Cell } from '#protocol/plan.ts';
import { isDifference } from '#stats/intervals/compare-means.ts';
import { baselineText } from './baseline-text.ts';
import { costSentence } from './cost-text.ts';
import { decisionAnswer } from './decision-text.ts';
import type { Fact } from './fact.ts';
import { factorAnswer } from './factor-answer.ts';
import { gapAnswer } from './gap-text.ts';
import { goalsSentence } from './goal-text.ts';
import { latencyAnswer, unjudgedText } from './latency-answer.ts';
import { perCallSentences } from './per-call-text.ts';
import { searchHeadlines } from './search-text.ts';
import { mostTargets } from './sentences.ts';
import { sweepHeadlines } from './sweep-text.ts';
import { targetAnswer } from './target-answer.ts';
import { tournamentAnswer } from './tournament-answer.ts';
import { versionFact } from './version-text.ts';

/** A cell of the answer, with its name, its throughput and its ratio to the baseline. */
interface AnsweredCell extends Cell {
  readonly name: string;
  readonly value: Interval;
  readonly ratio: Ratio | null;
}

/** The answer of a run in brief, which the window, the report and the command line share. */
export interface Answer {
  /** The fastest cell. Null if nothing was measured. */
  readonly fastest: AnsweredCell | null;
  /**
   * The certainty of the lead. doNotQuote: the repeats agree, but the grade of the data does not allow a certain lead.
   * Null if nothing was measured or compared, or if a search found the answer.
   */
  readonly lead: Lead['certainty'] | 'doNotQuote' | null;
  /** The fastest cell of each other target, the fastest first. */
  readonly bestOnOthers: readonly AnsweredCell[];
  /** The limit of the fastest cell, if a finding shows it. */
  readonly bottleneck: { readonly what: string; readonly confidence: Confidence } | null;
  /** The headline. */
  readonly headline: string;
  /** The certainty of the headline, and whether the client limits it. Null if there is nothing to add. */
  readonly certainty: string | null;
  /** Other findings, as sentences. */
  readonly details: readonly string[];
  /** The comparisons and the bottleneck, each with its name. */
  readonly facts: readonly Fact[];
  /**
   * The whole answer for a terminal: at most three sentences, the most important first, a sentence about times that are
   * judged beside throughput, and a sentence about cells that are not comparable.
   */
  readonly sentences: readonly string[];
  /** The grade of the data. Null while the run is going on, and if nothing was measured. */
  readonly grade: Grade | null;
  /** The statements of a run of custom statements on one server. Null for other runs. */
  readonly statements: StatementShares | null;
  /** The times that are judged. Null where throughput alone is judged. */
  readonly latency: LatencyClaims | null;
}

/** The part of an answer that comes from the comparison of its cells. */
type ComparedAnswer = Omit<Answer, 'grade' | 'statements'>;

const mostSentences = 3;

/**
 * Answers the question of a run: the fastest comparable cell, its lead and the certainty of it, its limit, and the
 * cells that are not comparable because of the rows they returned.
 */
export function answerOf(model: RunModel, baseline: Baseline, known?: HeadlineClaims): Answer {
  const statements = statementShares(model);
  const claims = known ?? headlineClaims(model, baseline);
  const compared = withCellsApart(model, comparableAnswer(model, baseline, claims));
  const told = statements === null ? compared : statementAnswer(model, compared, statements);
  // Beside a tournament, the statements of a single variant say nothing.
  const shown = changesFile(model.plan) ? null : statements;
  return {
    ...shortAnswer(model, withCost(model, claims, withGoals(model, withVersions(model, told)))),
    grade: gradeOf(model),
    statements: shown,
  };
}

/** The statement with the most time is the answer of a run on one server with one variant. */
function statementAnswer(
  model: RunModel,
  answer: ComparedAnswer,
  { cell, statements }: StatementShares,
): ComparedAnswer {
  const [most, ...others] = statements;
  if (answer.lead !== 'alone' || model.plan.variants.length > 1 || most === undefined || answer.details.length > 0)
    return answer;
  const calls = statements.reduce((sum, one) => sum + one.calls, 0);
  const headline =
    others.length === 0
      ? [
          `“${most.name}” on ${cell.target}`,
          ...(most.p50 === null ? [] : [`p50 ${formatMs(most.p50)}`]),
          ...(most.p99 === null ? [] : [`p99 ${formatMs(most.p99)}`]),
        ].join(', ')
      : `“${most.name}” takes ${formatShare(most.timeShare)} of the time in calls to ${cell.target}, with ${formatShare(most.calls / calls)} of the calls`;
  const rate = `${formatInterval(answer.fastest!.value)} ${rateUnit(model)}`;
  return {
    ...answer,
    headline,
    facts: [['Throughput', rate], ...answer.facts],
    sentences: [`${headline}.`, `Throughput: ${rate}.`, ...answer.sentences.slice(1)],
  };
}

/** Says that servers differ in their version, if the answer compares them. */
function withVersions(model: RunModel, answer: ComparedAnswer): ComparedAnswer {
  const fact = versionFact(model);
  if (fact === null || answer.bestOnOthers.length === 0) return answer;
  const line = `${fact[0]}: ${fact[1]}.`;
  const [first = '', ...others] = answer.sentences;
  return { ...answer, facts: [fact, ...answer.facts], sentences: [first, line, ...others] };
}

/** Adds the goals that cells meet or miss. */
const withGoals = (model: RunModel, answer: ComparedAnswer): ComparedAnswer => withDetail(answer, goalsSentence(model));

/** Adds the cost of the operations, if the targets have prices. */
const withCost = (model: RunModel, claims: HeadlineClaims, answer: ComparedAnswer): ComparedAnswer =>
  withDetail(answer, costSentence(model, claims));

/** The answer with this detail behind its headline; an empty detail changes nothing. */
function withDetail(answer: ComparedAnswer, line: string): ComparedAnswer {
  const [first = '', ...others] = answer.sentences;
  return line === '' ? answer : { ...answer, details: [line, ...answer.details], sentences: [first, line, ...others] };
}

/** A run without enough trials for a comparison says how far it came, in place of a comparison. */
function shortAnswer(model: RunModel, answer: ComparedAnswer): ComparedAnswer {
  const state = runState(model);
  const isNothing = state.comparison === 'none' || answer.fastest === null;
  if (!isNothing || !(state.status === 'running' || isShort(state))) return answer;
  const headline = runStateText(state);
  const { fastest } = answer;
  const soFar =
    fastest === null
      ? answer.headline
      : `Fastest so far: ${fastest.name}, ${formatInterval(fastest.value)} ${rateUnit(model)}`;
  return {
    ...answer,
    ...{ headline, lead: null, certainty: null, details: [soFar, ...answer.details] },
    facts: fastest === null ? answer.facts : [],
    sentences: [`${headline}.`, soFar.endsWith('.') ? soFar : `${soFar}.`],
  };
}

/**
 * Data that is not to be quoted supports no certainty, however well its repeats agree. `claim`: the certainty of a
 * headline.
 */
function quotable<Claim extends Pick<Answer, 'certainty' | 'lead'>>(model: RunModel, claim: Claim) {
  return claim.lead === 'certain' && gradeOf(model)?.level === 'doNotQuote'
    ? { ...claim, lead: 'doNotQuote' as const, certainty: 'Not certain, because the data is not to be quoted' }
    : claim;
}

/** Adds the cells that are not comparable because of the rows they returned. */
function withCellsApart(model: RunModel, answer: ComparedAnswer): ComparedAnswer {
  const apart = cellsApart(model);
  if (apart.length === 0) return answer;
  const [shown, more] = [apart.slice(0, mostTargets), apart.length - mostTargets];
  const facts = shown.map(({ cells, reason }): Fact => [`Not comparable: ${apartNames(model, cells)}`, reason]);
  const words = shown.map(({ cells, reason }) => `${apartNames(model, cells)} (${reason})`);
  const line = `Not comparable: ${[...words, ...(more > 0 ? [`${more} more in the table`] : [])].join('; ')}.`;
  const count = apart.reduce((sum, { cells }) => sum + cells.length, 0);
  const note = `${countOthers(count)} ${count === 1 ? 'is' : 'are'} not comparable`;
  const [first = '', ...others] = answer.sentences;
  return {
    ...answer,
    certainty: answer.fastest === null ? null : answer.certainty === null ? note : `${answer.certainty}; ${note}`,
    facts: [...facts, ...answer.facts],
    sentences: [first, line, ...others],
  };
}

/** Names the cells of a list: "sqlite" if these are all cells of sqlite, otherwise "prepared on sqlite and 2 more". */
function apartNames(model: RunModel, cells: readonly CellSummary[]): string {
  const names = [...Map.groupBy(cells, ({ target }) => target)].flatMap(([target, own]) => {
    const isWhole = model.cells.every((cell) => cell.target !== target || own.includes(cell));
    return isWhole && model.plan.targets.length > 1 ? [target] : own.map((cell) => nameOf(model, cell));
  });
  return names.length <= mostTargets
    ? names.join(', ')
    : `${names.slice(0, mostTargets - 1).join(', ')} and ${names.length - mostTargets + 1} more`;
}

function comparableAnswer(model: RunModel, baseline: Baseline, claims: HeadlineClaims): ComparedAnswer {
  const { lead } = claims;
  if (lead === null)
    return {
      ...{ fastest: null, lead: null, bestOnOthers: [], bottleneck: null, headline: noResultText(model) },
      ...{ certainty: null, details: [], facts: [], sentences: [noResultText(model)], latency: null },
    };
  const { latency } = claims;
  const timed = latencyAnswer(model, claims);
  const byCell = new Map(
    ratios(model, baseline).flatMap((ratio) => (ratio.otherRows ? [] : [[keyOf(ratio), ratio] as const])),
  );
  const answered = (cell: MeasuredCell): AnsweredCell => ({
    variant: cell.variant,
    target: cell.target,
    name: nameOf(model, cell),
    value: cell.rowsPerSecond,
    ratio: byCell.get(keyOf(cell)) ?? null,
  });
  const fastest = answered(lead.fastest);
  const bestOnOthers = [...Map.groupBy(rankedCells(model), ({ target }) => target).values()]
    .map(([best]) => answered(best!))
    .filter(({ target }) => target !== fastest.target);
  const bottleneck = bottleneckOf(model, lead.fastest);
  const limit = bottleneck === null ? [] : [`Bottleneck: ${bottleneck.what} (${bottleneck.confidence}).`];
  const limitFacts: readonly Fact[] =
    bottleneck === null ? [] : [['Bottleneck', `${bottleneck.what} (${bottleneck.confidence})`]];
  const decided = decisionAnswer(model);
  if (decided !== null) {
    const { headline, lead: state, certainty } = quotable(model, decided);
    return {
      ...{ fastest, lead: state, bestOnOthers, bottleneck, headline, certainty, latency },
      ...{ details: decided.details, facts: decided.facts },
      sentences: [`${headline}; ${clause(certainty ?? '')}.`, ...decided.details],
    };
  }
  const gap = gapAnswer(model);
  if (gap !== null) {
    const { headline, lead: state, certainty } = quotable(model, gap);
    const [first = '', ...others] = gap.details;
    return {
      ...{ fastest, lead: state, bestOnOthers, bottleneck, headline, certainty, latency },
      details: gap.details,
      facts: limitFacts,
      sentences: [
        `${headline}${first === '' ? '' : `: ${clause(first).replace(/\.$/, '')}`}; ${clause(certainty)}.`,
        ...others,
        ...limit,
      ],
    };
  }
  const searched = searchHeadlines(model);
  if (searched.length > 0) {
    const [headline = '', ...details] = firstOf(searched, mostSentences - limit.length, 'search');
    return {
      ...{
        fastest,
        lead: null,
        bestOnOthers,
        bottleneck,
        headline,
        certainty: null,
        details,
        facts: limitFacts,
        latency,
      },
      sentences: [headline, ...details, ...limit],
    };
  }
  const [called] = perCallSentences(model);
  const [swept] = sweepHeadlines(model);
  // A file that names what is judged asks for these verdicts, and not for the shape of a sweep.
  const told = model.plan.experiment.judge === undefined ? (called ?? swept) : undefined;
  const few = unjudgedText(claims);
  const changes = told === undefined ? tournamentAnswer(model, baseline, claims) : null;
  if (changes !== null) {
    const { headline, lead: state, certainty } = quotable(model, changes);
    const details = [...changes.details, byLoadText(model), few].filter((line) => line !== '');
    return {
      ...{ fastest, lead: state, bestOnOthers, bottleneck, headline, certainty, details, latency },
      facts: [...changes.facts, ...limitFacts],
      sentences: [`${headline}; ${clause(certainty!)}.`, ...details, ...limit],
    };
  }
  if (told === undefined && timed !== null && !claims.judgesThroughput) {
    const { headline, lead: state, certainty } = quotable(model, timed);
    const why = byLoadText(model);
    return {
      ...{ fastest, lead: state, bestOnOthers, bottleneck, headline, certainty, latency },
      details: [why, few].filter((line) => line !== ''),
      facts: limitFacts,
      sentences: [`${headline}; ${clause(certainty!)}.`, ...(why === '' ? [] : [why]), ...limit],
    };
  }
  // Beside a headline about throughput, the times are a sentence of their own.
  const times = [timed === null ? '' : timesSentence(quotable(model, timed)), few].filter((line) => line !== '');
  const factor = told === undefined ? factorAnswer(model, baseline, claims) : null;
  if (factor !== null) {
    const { headline, lead: state, certainty, facts } = quotable(model, factor);
    const first = `${fastest.name}, ${formatInterval(fastest.value)} ${rateUnit(model)}`;
    return {
      ...{ fastest, lead: state, bestOnOthers, bottleneck, headline, certainty, details: times, latency },
      facts: [...facts, [mostText(lead.fastest), first], ...limitFacts],
      sentences: [
        `${[headline, ...(certainty === null ? [] : [clause(certainty)])].join('; ')}.`,
        ...times,
        `${mostText(lead.fastest)}: ${first}.`,
        ...limit,
      ],
    };
  }
  const unit = rateUnit(model);
  const all = rankedCells(model);
  if (told === undefined && all.length > 1 && all.every(({ load }) => load?.setsThroughput)) {
    const headline = `All ${all.length} cells were limited by the offered load, so their throughput cannot be compared`;
    const responses = responseFact(model, all);
    return {
      ...{ fastest, lead: lead.certainty, bestOnOthers, bottleneck, headline, certainty: null, details: [], latency },
      facts: responses === null ? [] : [responses],
      sentences: [`${headline}.`, ...(responses === null ? [] : [`${responses[0]}: ${responses[1]}.`])],
    };
  }
  const between = targetAnswer(model, baseline, claims);
  if (between !== null) {
    const { headline, facts, sentence } = between;
    const claim = quotable(model, { lead: lead.certainty, certainty: between.certainty });
    return {
      ...{ fastest, bestOnOthers, bottleneck, headline, ...claim, latency },
      details: told === undefined ? times : [told, ...times],
      facts: [...facts, ...limitFacts],
      sentences: [
        `${[headline, ...(claim.certainty === null ? [] : [clause(claim.certainty)])].join('; ')}.`,
        told ?? sentence,
        ...times,
        ...limit,
      ],
    };
  }
  const compared = comparisonsOf(model, baseline, claims, [fastest, ...bestOnOthers], [...byCell.values()]);
  const claim = quotable(model, {
    lead: lead.certainty,
    certainty: certaintyText(lead, rankedCells(model).length - 1),
  });
  return {
    ...{ fastest, bestOnOthers, bottleneck, ...claim, latency },
    headline: headlineOf(lead, claim.lead, fastest, unit),
    details: told === undefined ? times : [told, ...times],
    facts: [...(told === undefined ? compared.facts : []), ...limitFacts],
    sentences: [
      leadText(lead, claim, fastest, unit),
      ...[told ?? compared.sentence].filter((line) => line !== ''),
      ...times,
      ...limit,
    ],
  };
}

/** The reason why no throughput is compared; empty if the load did not set it. */
function byLoadText(model: RunModel): string {
  const all = rankedCells(model);
  const { length } = all.filter(({ load }) => load?.setsThroughput);
  const which = length < all.length ? `${length} of ${all.length}` : length === 2 ? 'both' : `all ${length}`;
  return length === 0 ? '' : `The load set the throughput of ${which} cells, so that it is not compared.`;
}

/** "p95 of sell: 41 ms on MariaDB, 2.3× slower than PostgreSQL (2.0–2.7×); certain at 95 %." */
const timesSentence = ({ headline, certainty }: Pick<Answer, 'headline' | 'certainty'>): string =>
  `${[headline, ...(certainty === null ? [] : [clause(certainty)])].join('; ')}.`;

/** The name of a cell without the parts that all cells share: "prepared on PostgreSQL". */
function nameOf({ plan }: RunModel, { variant, target }: Cell): string {
  if (plan.variants.length === 1) return target;
  const label = variantText(plan, variant);
  return plan.targets.length === 1 ? label : `${label} on ${target}`;
}

/** A cell that only carried its offered load is not called fast. */
const mostText = ({ load }: MeasuredCell): string => (load?.setsThroughput ? 'Highest throughput' : 'Fastest measured');

/** The difference between cells that all carried their load: the shortest and the longest measured response time. */
function responseFact(model: RunModel, all: readonly MeasuredCell[]): Fact | null {
  const metric = all.every(({ latencyMs }) => latencyMs.p99 !== null) ? 'p99' : 'p50';
  const known = all
    .filter(({ latencyMs }) => latencyMs[metric] !== null)
    .toSorted((a, b) => a.latencyMs[metric]! - b.latencyMs[metric]!);
  const words = (cell: MeasuredCell) => `${formatMs(cell.latencyMs[metric])} (${nameOf(model, cell)})`;
  return known.length < 2
    ? null
    : [`Response times as measured, ${metric}`, `${words(known[0]!)} to ${words(known.at(-1)!)}`];
}

function headlineOf({ fastest }: Lead, certainty: Answer['lead'], { name, value }: AnsweredCell, unit: string): string {
  const rate = `${name}, ${formatInterval(value)} ${unit}`;
  const first = certainty === 'setByLoad' ? 'Highest throughput' : mostText(fastest);
  return certainty === 'alone' ? rate : `${certainty === 'certain' ? 'Fastest' : first}: ${rate}`;
}

function leadText(lead: Lead, claim: Pick<Answer, 'lead' | 'certainty'>, cell: AnsweredCell, unit: string): string {
  const { certainty, rivals, heldBack, byLoad, fastest } = lead;
  const doubts = [
    ...(claim.lead === 'doNotQuote' && claim.certainty !== null ? [clause(claim.certainty)] : []),
    ...(certainty === 'uncertain'
      ? [`lead uncertain over ${rivals.length === 1 ? '1 other' : `${rivals.length} others`}: add repeats`]
      : []),
    ...(byLoad.length > 0
      ? [`${countOthers(byLoad.length)} carried ${byLoad.length === 1 ? 'its' : 'their'} whole offered load`]
      : []),
    ...(heldBack.length > 0 ? [`the client limits ${countOthers(heldBack.length)}, which may be faster`] : []),
    ...(fastest.clientSaturated ? [`the client ${heldBack.length > 0 ? 'also limits the fastest' : 'limits it'}`] : []),
  ];
  return `${[headlineOf(lead, claim.lead, cell, unit), ...doubts].join('; ')}.`;
}

/** Says how certain the lead is, and whether the client limits the measurement. Null if there is nothing to say. */
function certaintyText({ certainty, rivals, heldBack, byLoad, fastest }: Lead, others: number): string | null {
  const all = others === 1 ? 'the other cell' : `all ${others} other cells`;
  const own = fastest.clientSaturated ? ['the client limits the fastest, which may be faster'] : [];
  switch (certainty) {
    case 'alone':
      return fastest.clientSaturated ? 'The client limits the throughput: the server may be faster' : null;
    case 'certain':
      return [`Lead certain at 95 % over ${all}`, ...own].join('; ');
    case 'clientBound':
      return [
        `The measured lead is significant at 95 %, but the client limited ${countOthers(heldBack.length)}, which may be faster`,
        ...own,
      ].join('; ');
    case 'setByLoad':
      return [`The offered load limited ${countOthers(byLoad.length)}, which may be faster`, ...own].join('; ');
    case 'uncertain':
      return [`Lead uncertain: ${countOthers(rivals.length)} may be as fast`, ...own].join('; ');
  }
}

const countOthers = (count: number): string => (count === 1 ? '1 other cell' : `${count} other cells`);

/** The comparisons that answer the question, as facts and as a sentence. The sentence is empty without comparisons. */
interface Comparisons {
  readonly facts: readonly Fact[];
  readonly sentence: string;
}

function comparisonsOf(
  model: RunModel,
  baseline: Baseline,
  claims: HeadlineClaims,
  best: readonly AnsweredCell[],
  all: readonly Ratio[],
): Comparisons {
  if (baseline.variant !== undefined && baseline.target === undefined)
    return againstVariant(model, baseline.variant, claims, best, all);
  const ratio = best[0]?.ratio ?? null;
  if (ratio === null || ratio.verdict === 'baseline') return { facts: [], sentence: '' };
  const against = baselineText(model, baseline);
  return {
    facts: [[`Against ${against}`, comparisonText(ratio), ...aboutChosen(ratio, claims)]],
    sentence: `It is ${speedText(ratio, against)}${doubtOf(ratio, claims)}.`,
  };
}

/** True if a ratio is significant by itself, but not after the adjustment for multiple comparisons. */
const isDoubtful = (ratio: Ratio | null, { certain }: HeadlineClaims): boolean =>
  isDifference(ratio?.verdict) && !certain.has(keyOf(ratio));

/** The remark about such a ratio in a terminal, which has no tooltips. Otherwise empty. */
const doubtOf = (ratio: Ratio, claims: HeadlineClaims): string =>
  isDoubtful(ratio, claims) ? `, not certain among ${claims.comparisons} comparisons` : '';

/** The tooltip of a ratio that was selected from many. */
const aboutChosen = (ratio: Ratio | null, claims: HeadlineClaims): readonly [about?: string] =>
  isDoubtful(ratio, claims)
    ? [
        `The difference is significant by its own 95 % interval. Among the ${claims.comparisons} comparisons of this run, a difference of this size may be chance.`,
      ]
    : [];

const formatChosen = (ratio: Ratio, claims: HeadlineClaims): string =>
  `${comparisonText(ratio)}${doubtOf(ratio, claims)}`;

/**
 * Compares the best variant on each target with the baseline variant. If the baseline is the best, the second best is
 * compared.
 */
function againstVariant(
  model: RunModel,
  baseline: string,
  claims: HeadlineClaims,
  best: readonly AnsweredCell[],
  all: readonly Ratio[],
): Comparisons {
  const compared = best.flatMap(({ target, ratio }) => {
    const [next] = all
      .filter((one) => one.target === target && one.verdict !== 'baseline')
      .toSorted((a, b) => b.ratio.value - a.ratio.value);
    const one = ratio !== null && ratio.verdict !== 'baseline' ? ratio : next;
    return one === undefined || !isContender(model, target) ? [] : [one];
  });
  if (compared.length === 0) return { facts: [], sentence: '' };
  const several = model.plan.targets.length > 1;
  const against = variantText(model.plan, baseline);
  const shown = compared.slice(0, mostTargets).map((one) => ({
    target: one.target,
    variant: variantText(model.plan, one.variant),
    text: formatChosen(one, claims),
    fact: comparisonText(one),
    about: aboutChosen(one, claims),
  }));
  const more = compared.length - shown.length;
  const parts = shown.map(({ variant, target, text }) => `${variant}${several ? ` on ${target}` : ''} ${text}`);
  return {
    facts: shown.map(
      ({ variant, target, fact, about }) =>
        [several ? `Against ${against}, ${target}` : `Against ${against}`, `${variant}, ${fact}`, ...about] as const,
    ),
    sentence: `Against ${against}: ${[...parts, ...(more > 0 ? [`${more} more in the table`] : [])].join('; ')}.`,
  };
}

/** The limit of the cell from its most certain finding. Null if no finding names a limit. */
function bottleneckOf(model: RunModel, cell: MeasuredCell): Answer['bottleneck'] {
  // A cell that carried its whole offered load has no limit.
  if (cell.load?.setsThroughput) return null;
  for (const { rule, lead, also } of findingsOf(model).shown) {
    const own = [lead, ...also].find((one) => one.cell !== null && keyOf(one.cell) === keyOf(cell));
    if (rule.bottleneck !== undefined && own) return { what: rule.bottleneck, confidence: own.confidence };
  }
  return null;
}

/** Keeps at most this many sentences. The last one counts the sentences that are left out. */
function firstOf(all: readonly string[], most: number, noun: string): readonly string[] {
  if (all.length <= most) return all;
  return [...all.slice(0, most - 1), `${all.length - most + 1} more of each ${noun} in the table.`];
}
