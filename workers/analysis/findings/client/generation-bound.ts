import { formatPercent, formatSpeed } from '#model/format/format.ts';
import { fillingOperations } from '#model/settings/vocabulary.ts';
import { clientTimePicture } from '../shared/cell-pictures.ts';
import { comparedBy, ratioEvidence } from '../shared/compare-cells.ts';
import { confirmBy } from '../shared/confirm.ts';
import { linkTo, rate, share } from '../shared/evidence.ts';
import type { CellFacts, RunFacts } from '../shared/facts.ts';
import type { Rule } from '../shared/finding.ts';
import { type CellOutcome, cannotTell, eachCell, notShown, shown } from '../shared/outcomes.ts';

/**
 * Below this share, removing the cost would gain at most a third (Amdahl 1967), less than most differences that users
 * look for.
 */
const worthSaying = 0.25;
/** Above this share, no other activity can take as much time. */
const most = 0.5;

/** Rows, or the keys of reads, are made while the clock runs, and making them takes much of the time. */
export const generationBound: Rule = {
  title: 'Data generation',
  bottleneck: 'data generation in the client',
  looksFor: 'time that the client spends on generating rows or keys while the clock runs',
  shownWhen: 'generation takes more than a quarter of the time; more than half leaves no other reading',
  find: eachCell(judge),
};

function judge(facts: RunFacts, cell: CellFacts): CellOutcome {
  const { settings, processTime, elapsedMs } = cell;
  if (cell.isReportedPerCall)
    return cannotTell(
      'Its calls are reported one by one, and between two calls the client waited for the server’s counters.',
    );
  // processTime.wallMs is not used: its other parts are estimated from samples, and their sum may exceed the elapsed
  // time.
  const processesMs = elapsedMs * settings.processes;
  if (processesMs <= 0) return cannotTell('The trials were too short to be timed.');
  if (processTime === null) return cannotTell('The times of its client processes do not add up.');
  const part = processTime.generateMs / processesMs;
  if (part > 1)
    return cannotTell('The numbers do not add up: data generation took longer than the client processes ran.');
  const what = fillingOperations.includes(settings.operation) ? 'rows' : 'keys and parameters';
  const isPrepared = settings.generation === 'prepared';
  if (part === 0 && isPrepared) return notShown(`Its ${what} were generated before the clock started.`);
  if (part < worthSaying) return notShown(`Data generation took ${formatPercent(part)} of its client processes’ time.`);
  const [prepared] = comparedBy(cell, 'generation').filter(({ level }) => level === 'prepared');
  const ceiling = facts.model.calibration.find(({ kind }) => kind === 'generation');
  return shown({
    claim: `${cell.name} spent ${formatPercent(part)} of its client processes’ time on data generation${isPrepared ? `, because the prepared calls ran out` : ''}: with ${what} generated before the clock starts, it could be up to ${formatSpeed({ value: 1 / (1 - part), low: null, high: null })}.`,
    // The share is counted. The limit is certain if the share is most of the time, or if prepared rows were faster.
    confidence: part >= most || prepared?.comparison.verdict === 'faster' ? 'certain' : 'likely',
    explains: part,
    evidence: [
      share('Data generation', part, 'client-shares'),
      cell.throughput !== null && rate('Reached', cell.throughput, facts.unit, 'results'),
      ...(ceiling
        ? [rate('Data generation alone, one process', ceiling.perSecond, `${ceiling.unit}/s`, linkTo('calibration'))]
        : []),
      prepared && ratioEvidence(prepared),
    ],
    advice: `${isPrepared ? 'Measure for a shorter time, so that more of the calls are prepared' : `Set generation to prepared, so that ${what} are generated before the clock starts`}, or spread the connections over more client processes. Otherwise, the throughput is that of client and server together.`,
    confirm: isPrepared
      ? null
      : confirmBy(facts, cell, {
          title: 'Generated before the clock starts',
          question: `How much faster is ${cell.name} when ${what} are generated before the clock starts?`,
          vary: 'generation',
          levels: ['inline', 'prepared'],
        }),
    picture: clientTimePicture(cell),
  });
}
