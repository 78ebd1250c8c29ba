import { formatCount, formatNumber } from '#model/format/format.ts';
import type { MethodName } from '#model/settings/vocabulary.ts';
import { speedText } from '../../text/verdict-text.ts';
import { comparedPicture } from '../shared/cell-pictures.ts';
import { type Compared, comparedBy, helps, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy, possibleLevels } from '../shared/confirm.ts';
import { number, rate } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/** At this share, nearly every execution is planned anew; the rest are Dyno's own few statements. */
const everyExecution = 0.9;
/** With fewer executions, all of them may be first executions. */
const leastExecutions = 100;

/** Methods that send values separately from the text, the most similar to the literal method first. */
const boundMethods: readonly MethodName[] = ['bind', 'prepared'];

/** Values are part of the text, so the server parses and plans every statement anew. */
export const hardParsing: Rule = {
  title: 'Hard parsing',
  bottleneck: 'parsing of each statement',
  looksFor: 'statements that the server has to parse and plan anew each time',
  shownWhen: 'the server makes at least 0.9 plans per execution, over at least 100 executions',
  find: eachCell(judge),
};

const boundOf = (cell: CellFacts): Compared | undefined =>
  comparedBy(cell, 'method').find(({ level }) => boundMethods.some((method) => method === level));

/** The faster cell that binds the values which this cell writes into its text; null: none is known to be faster. */
export function fasterWhenBound(cell: CellFacts): Compared | null {
  const bound = cell.settings.method === 'literal' ? boundOf(cell) : undefined;
  return bound !== undefined && helps(bound) === true ? bound : null;
}

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { server, settings, calls, elapsedMs } = cell;
  const { hardParses } = server.roles;
  const executions = server.roles.executions ?? calls;
  const counted = hardParses !== undefined && executions >= leastExecutions ? hardParses / executions : null;
  if (settings.method !== 'literal')
    return notShown(
      `Its values are not in the text (${settings.method})${counted === null ? '' : `: ${formatNumber(counted)} plans were made per execution`}.`,
    );
  const bound = boundOf(cell);
  const helped = bound === undefined ? null : helps(bound);
  if (counted !== null && counted < everyExecution)
    return notShown(
      `The server made ${formatNumber(counted)} plans per execution: it recognised most statements in spite of their literals.`,
    );
  if (helped === false)
    return notShown(
      `Its values are in the text, but with ${bound!.level} it was ${speedText(bound!.comparison, null)}: parsing is not what limits it.`,
    );
  const faster = helped === true;
  if (counted === null && !faster)
    return cannotTell(
      `The server does not count the plans that it makes, and ${bound === undefined ? 'no comparable variant binds its values' : `with ${bound.level} it was ${speedText(bound.comparison, null)}, which does not settle it`}.`,
    );
  const perSecond = (hardParses ?? calls) / (elapsedMs / 1_000);
  return shown({
    claim:
      counted === null
        ? `${cell.name} sends its values inside the text: bound (${bound!.level}), the same calls were ${speedText(bound!.comparison, null)}.`
        : `${cell.name} has the server plan every statement anew: ${formatNumber(counted)} plans per execution, ${formatCount(perSecond)} a second${faster ? `; with ${bound!.level} it was ${speedText(bound!.comparison, null)}` : ''}.`,
    // The finding is certain if plans were counted and bound values were faster. If bound values were only faster,
    // another property of the method may be the cause. If plans were only counted, their cost is unknown.
    confidence: counted !== null && faster ? 'certain' : faster ? 'likely' : 'possible',
    explains: faster ? 1 - 1 / bound!.comparison.ratio.value : 0,
    evidence: [
      counted !== null && number('Plans made per execution', counted, 'server-counters'),
      rate(server.labels.hardParses ?? 'Plans made', perSecond, 'a second', 'server-counters'),
      bound && ratioEvidence(bound),
    ],
    advice:
      'Bind values instead of writing them into the text, and prepare statements that are used again. This keeps the plan cache for statements that are used again, and it prevents values from being read as SQL.',
    confirm: confirmBy(facts, cell, {
      title: 'Literals against bound values',
      question: `What do literals cost ${cell.target.name}?`,
      vary: 'method',
      levels: possibleLevels(cell, 'method', ['literal', 'bind', 'prepared'] as const),
    }),
    picture: comparedPicture(facts, cell, bound),
  });
}
