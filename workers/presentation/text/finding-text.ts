import { type Finding, findingsOf, type LookedFor } from '#analysis/findings/find-findings.ts';
import { cellName } from '#analysis/findings/shared/cell-name.ts';
import type { Confidence, Evidence, Rule, Shown, Unshown } from '#analysis/findings/shared/finding.ts';
import type { Caveat, RunModel } from '#analysis/run-model/run-model.ts';

export const confidenceLabels: Readonly<Record<Confidence, string>> = {
  certain: 'certain',
  likely: 'likely',
  possible: 'possible',
};

/** The meaning of each confidence, for a tooltip. */
export const confidenceNotes: Readonly<Record<Confidence, string>> = {
  certain: 'The measurements allow no other explanation.',
  likely: 'The measurements fit, and no counter-evidence was found.',
  possible: 'The measurements fit, but no experiment has confirmed the finding.',
};

/** "Log, of the server’s own time 71.2 %". */
const evidenceText = ({ label, text }: Evidence): string => `${label} ${text}`;

/**
 * The place of a finding: "bulk · Connections: 4 on PostgreSQL", the target alone in a run of one variant, or "" for
 * the whole run.
 */
const formatPlace = ({ plan }: Pick<RunModel, 'plan'>, { cell }: Pick<Shown | Unshown, 'cell'>): string =>
  cell === null ? '' : cellName(plan, cell);

/** A finding in a line: "Bound by round trips (certain): … Try: …". */
export const findingText = ({ title }: Pick<Rule, 'title'>, { confidence, claim, advice }: Shown): string =>
  `${title} (${confidenceLabels[confidence]}): ${claim} Try: ${advice}`;

/** The caveats that no finding of the same title explains, for texts that have both. */
export function caveatsBesideFindings(model: RunModel): readonly Caveat[] {
  const titles = new Set(findingsOf(model).shown.map(({ rule }) => rule.title));
  return model.caveats.filter(({ title }) => !titles.has(title));
}

/**
 * "Also shown for a; b (likely) and 1 more." Less certain places have their confidence. Empty if there are no other
 * places.
 */
export function alsoShownText(
  model: Pick<RunModel, 'plan'>,
  { lead, also }: Pick<Finding, 'lead' | 'also'>,
  most = 4,
): string {
  const places = also.flatMap((one) => {
    const place = formatPlace(model, one);
    if (place === '') return [];
    return one.confidence === lead.confidence ? place : `${place} (${confidenceLabels[one.confidence]})`;
  });
  if (places.length === 0) return '';
  const more = places.length - most;
  return `Also shown for ${places.slice(0, most).join('; ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Joins outcomes with the same reason: the reason, and its places ("" for everywhere). */
interface Reason {
  readonly status: Unshown['status'];
  readonly why: string;
  readonly places: readonly string[];
}

export function reasonsOf(model: Pick<RunModel, 'plan'>, { outcomes }: LookedFor): readonly Reason[] {
  const groups = Map.groupBy(outcomes, ({ status, why }) => `${status} ${why}`);
  return [...groups.values()].map((same) => ({
    status: same[0]!.status,
    why: same[0]!.why,
    places:
      same.length === outcomes.length ? [] : same.map((one) => formatPlace(model, one)).filter((place) => place !== ''),
  }));
}

export const statusLabels: Readonly<Record<Unshown['status'], string>> = {
  notShown: 'not shown',
  cannotTell: 'cannot tell',
};

/** "Not shown: round trips; fetch size. Cannot tell: scatter." for a terminal. Empty if every check has a finding. */
function unshownLines(model: RunModel, all: readonly LookedFor[]): readonly string[] {
  return all.flatMap((looked) => {
    const reasons = reasonsOf(model, looked);
    // The printed reason must belong to the printed status.
    const first = reasons.find(({ status }) => status === 'notShown') ?? reasons[0];
    if (first === undefined) return [];
    const where = first.places.length === 0 ? '' : `${first.places[0]}: `;
    const more = reasons.length === 1 ? '' : ` (and ${reasons.length - 1} more)`;
    return [`  ${looked.rule.title}: ${statusLabels[first.status]}. ${where}${first.why}${more}`];
  });
}

/**
 * The findings for a terminal: claim, confidence, evidence and advice. Then follows the number of checks without
 * findings, or with `all` each of these checks with its reason.
 */
export function findingLines(model: RunModel, all: boolean): readonly string[] {
  const { shown, unshown } = findingsOf(model);
  if (model.cells.every(({ ok }) => ok === 0)) return [];
  const found = shown.flatMap((finding) => {
    const { rule, lead } = finding;
    const also = alsoShownText(model, finding);
    return [
      `  ${rule.title} (${confidenceLabels[lead.confidence]}): ${lead.claim}`,
      ...(lead.evidence.length === 0 ? [] : [`    evidence: ${lead.evidence.map(evidenceText).join('; ')}`]),
      `    try: ${lead.advice}`,
      ...(also === '' ? [] : [`    ${also}`]),
    ];
  });
  const looked = unshownLines(model, unshown);
  const title = `Checks without findings: ${looked.length}`;
  return [
    '',
    'Findings:',
    ...(found.length === 0 ? ['  None of the checks has a finding.'] : found),
    ...(looked.length === 0
      ? []
      : ['', ...(all ? [`${title}.`, ...looked] : [`${title} (--all-findings lists them).`])]),
  ];
}
