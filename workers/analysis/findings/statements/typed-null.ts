import { formatNumber, formatPercent, formatRate, formatRatioInterval } from '#model/format/format.ts';
import { fillingOperations, type NullBinding } from '#model/settings/vocabulary.ts';
import { comparisonText } from '../../text/verdict-text.ts';
import { comparedPicture } from '../shared/cell-pictures.ts';
import { comparedBy, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy } from '../shared/confirm.ts';
import { type CellEvidence, linkTo, number, rate } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { about, type CellOutcome, cannotTell, notShown, shown } from '../shared/outcomes.ts';

/** The declaration without conversion; it is suspected only if another declaration was measured. */
const asColumn = 'asColumn';
/** A smaller gain of throughput would not justify changing a program. */
const leastGain = 0.1;
/**
 * Least number of plans per executed statement: an unchanged statement needs a single plan, so one in a hundred is no
 * coincidence.
 */
const leastHardParses = 0.01;

/**
 * Nulls that the server converts in every row, or plans separately for each combination. The costly declaration depends
 * on driver and server: it may be another type than the column's, or the same type with another precision and scale (as
 * in a migration of 2019). Certain if the same cell with differently declared nulls is faster and makes fewer plans;
 * likely if it is faster; possible if it was not measured and only the plans show it.
 */
export const typedNull: Rule = {
  title: 'Nulls of another type',
  looksFor: 'nulls that are declared with another type than that of their column, so that the server converts them',
  shownWhen: 'another declaration is faster by 10 %; certain where plans per execution (0.01 or more) halve as well',
  find: (facts) => {
    const columns = facts.measured.flatMap(({ experiment }) => Object.values(experiment.dataset.columns));
    if (columns.every(({ nulls }) => nulls === 0))
      return [about(null, notShown('No column of the dataset holds nulls.'))];
    const outcomes = facts.measured.flatMap((cell) => {
      const binding = bindingOf(cell);
      return binding === null ? [] : [about(cell, outcomeOf(facts, cell, binding))];
    });
    return outcomes.length > 0
      ? outcomes
      : [about(null, cannotTell('No cell of this run can declare nulls in more than one way.'))];
  },
};

const factor = 'nullBinding';

/** The type of a cell's declared nulls; null if the cell sends no nulls, or can declare them in only one way. */
function bindingOf({ settings, target: { descriptor } }: CellFacts): NullBinding | null {
  const { operation, method, nullBinding = asColumn, nullShare = -1 } = settings;
  const forms = Object.values(descriptor.nullBindings ?? {});
  return fillingOperations.includes(operation) &&
    nullShare !== 0 &&
    forms.some(({ methods }) => methods.includes(method))
    ? nullBinding
    : null;
}

function outcomeOf(facts: RunFacts, cell: CellFacts, binding: NullBinding): CellOutcome {
  // The fastest neighbour.
  const [other] = comparedBy(cell, factor);
  const plans = hardParses(cell);
  const parses = plans !== null && plansPerStatement('Plans made per statement', plans, cell);
  const advice =
    'If a null has no declared type, the driver guesses one, and for a decimal one without precision and scale. Declare each null with the type of its column, precision and scale included, or with the type that was faster here.';
  const faster = other?.level ?? asColumn;
  const confirm = confirmBy(facts, cell, {
    title: 'How nulls are declared',
    question: `Is ${cell.target.name} faster when nulls are declared as “${faster}”?`,
    vary: factor,
    levels: [faster, binding],
  });
  if (other === undefined) {
    if (binding === asColumn) return notShown('Nulls are declared as the driver does by default.');
    return plans !== null && plans >= leastHardParses
      ? shown({
          claim: `Nulls are declared as “${binding}”, and ${formatNumber(plans)} plans are made per statement executed on ${cell.name}. The same statements with nulls declared as their columns were not measured.`,
          confidence: 'possible',
          explains: 0,
          evidence: [parses, rate('Throughput', cell.throughput!, facts.unit, 'results')],
          advice,
          confirm,
        })
      : cannotTell(`Nulls are declared as “${binding}”; nulls declared as their columns were not measured in repeats.`);
  }
  const { ratio, verdict } = other.comparison;
  if (verdict === 'notEnoughRepeats')
    return cannotTell('One repeat cannot show a difference; at least two are needed.');
  const isFaster = verdict === 'faster' && ratio.value - 1 >= leastGain;
  if (!isFaster && (ratio.high ?? Number.POSITIVE_INFINITY) - 1 > leastGain)
    return cannotTell(
      `With nulls declared as “${faster}” throughput is ${formatRatioInterval(ratio)} of this: the interval leaves open whether that is ${formatPercent(leastGain)} more.`,
    );
  if (!isFaster)
    return notShown(
      `With nulls declared as “${faster}” throughput is ${formatRatioInterval(ratio)} of this; less than ${formatPercent(leastGain)} more is not reported.`,
    );
  const fewer = hardParses(other.cell);
  const counted = plans !== null && fewer !== null && plans >= leastHardParses && fewer < plans / 2;
  return shown({
    claim: `${cell.name} loses ${formatPercent(1 - 1 / ratio.value)} of its throughput to nulls declared as “${binding}”: ${formatRate(cell.throughput, facts.unit)}, and ${formatRate(other.cell.throughput, facts.unit)} with nulls declared as “${faster}”, ${comparisonText(other.comparison)}.`,
    confidence: counted ? 'certain' : 'likely',
    explains: 1 - 1 / ratio.value,
    evidence: [
      ratioEvidence(other),
      parses,
      fewer !== null && plansPerStatement(`… declared as “${faster}”`, fewer, other.cell),
    ],
    advice,
    confirm,
    picture: comparedPicture(facts, cell, other),
  });
}

/** Below the printed precision, the number is meaningless. */
const leastPrinted = 0.001;

function plansPerStatement(label: string, plans: number, { cell }: CellFacts): CellEvidence {
  const evidence = number(label, plans, linkTo('server-counters', cell));
  return plans > 0 && plans < leastPrinted ? { ...evidence, text: `<${leastPrinted}` } : evidence;
}

function hardParses({ server: { roles } }: CellFacts): number | null {
  const { hardParses, executions } = roles;
  return hardParses === undefined || !executions ? null : hardParses / executions;
}
