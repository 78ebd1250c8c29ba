import type { PlanStep } from '#engine-api/query-plan.ts';
import { confirmBy, possibleLevels } from '../shared/confirm.ts';
import { bytes, number } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Confirm, Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';
import { findingOperations } from './finding-operations.ts';
import { planPicture } from './plan-picture.ts';
import { noPlanText, statementsOf } from './statements-of.ts';

/** Sorts and hash tables that the server wrote to temporary files when it executed a statement for its plan. */
export const spilled: Rule = {
  title: 'Sort or hash spilled',
  looksFor: 'sorts and hash tables that do not fit into their memory and are written to temporary files',
  shownWhen: 'a plan says that one of its steps used temporary files',
  find: eachCell(outcomeOf, {
    cells: (facts) => [
      ...findingOperations(facts),
      ...facts.measured.filter(({ settings }) => settings.operation === 'scan'),
    ],
    whyNone: 'No cell reads rows.',
  }),
};

function outcomeOf(facts: RunFacts, cell: CellFacts): CellOutcome {
  const statements = statementsOf(cell);
  const why = noPlanText(statements);
  if (why !== null) return cannotTell(why);
  const found = statements.flatMap((statement) =>
    (statement.plan?.steps ?? []).filter((step) => step.spilled === true).map((step) => ({ statement, step })),
  );
  const [first] = found;
  if (first === undefined)
    return statements.some(({ plan }) => plan?.steps.some(mayHaveSpilled))
      ? cannotTell('The server’s plans do not report the memory of sorts and hashes.')
      : notShown('No sort or hash of a plan wrote temporary files.');
  const { statement, step } = first;
  const { tempBytes } = cell.server.roles;
  return shown({
    claim: `${cell.name}: the step “${step.operator}” of ${statement.title} does not fit into its memory and is written to temporary files.`,
    confidence: 'certain',
    // The run did not measure the time without temporary files.
    explains: 0,
    evidence: [
      number('Steps that spilled', found.length, 'query-plans'),
      tempBytes !== undefined &&
        cell.calls > 0 &&
        bytes('Written to temporary files by a call', tempBytes / cell.calls, 'server-counters'),
    ],
    advice:
      'Give sorts and hashes of this statement more memory (work_mem, sort_buffer_size…), read fewer or narrower rows, or read them in the order of an index.',
    confirm: confirmOf(facts, cell),
    picture: planPicture(statement.title, [{ label: '', plan: statement.plan! }], (one) => one.spilled === true),
  });
}

const mayHaveSpilled = ({ kind, spilled: didSpill }: PlanStep): boolean =>
  didSpill === null && (kind === 'sort' || kind === 'hash');

/** At least ten times the memory, up to the most that a sort in these runs may need. */
const moreMemory = [16_384, 262_144] as const;

/** Dyno sets the memory only for the sorts of scans. */
function confirmOf(facts: RunFacts, cell: CellFacts): Confirm | null {
  if (cell.settings.operation !== 'scan') return null;
  const levels = possibleLevels(cell, 'sortMemoryKb', moreMemory).filter((level) => level > cell.settings.sortMemoryKb);
  return confirmBy(facts, cell, {
    title: 'More memory for sorts',
    question: `How much faster is a scan on ${cell.target.name} whose sort has more memory?`,
    vary: 'sortMemoryKb',
    levels,
  });
}
