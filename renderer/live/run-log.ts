import type { JournalRecord } from '#contract/journal.ts';
import type { Phase } from '#contract/measurement.ts';
import type { PlannedTrial } from '#contract/plan.ts';
import { formatCount, formatRate } from '../../workers/analysis/format.ts';

export interface LogLine {
  readonly at: string;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly text: string;
}

export const phaseText: Readonly<Record<Phase, string>> = {
  schema: 'creating the table',
  load: 'loading rows',
  settle: 'settling the server',
  prepare: 'preparing the clients',
  warmup: 'warming up',
  measure: 'measuring',
  drain: 'draining',
  verify: 'checking the rows',
};

const cell = (trial: PlannedTrial): string => `${trial.target}, ${trial.variant}, repeat ${trial.repeat}`;

function resultLine(record: Extract<JournalRecord, { record: 'result' }>): LogLine {
  const { at, result } = record;
  const head = `Trial ${result.number}: ${cell(result)}`;
  if (result.status === 'ok') {
    const perSecond = (result.totals.rows * 1_000) / result.elapsedMs;
    return { at, tone: 'good', text: `${head}: ${formatRate(perSecond)}, ${formatCount(result.totals.rows)} rows` };
  }
  const why = result.error ? `: ${result.error.message}` : '';
  const how = { failed: 'failed', cancelled: 'cancelled', didNotFinish: 'did not finish in time' }[result.status];
  return { at, tone: 'bad', text: `${head} ${how}${why}` };
}

/** A record as a line of the log; null for what the charts show. */
export function logLine(record: JournalRecord): LogLine | null {
  switch (record.record) {
    case 'header':
      return { at: record.at, tone: 'plain', text: `Run started: ${record.plan.trials.length} trials` };
    case 'target': {
      const { name, address, fingerprint, error } = record.target;
      return error
        ? { at: record.at, tone: 'bad', text: `${name} cannot be used: ${error.message}` }
        : {
            at: record.at,
            tone: 'plain',
            text: `${name} is ${fingerprint?.product ?? record.target.engine} at ${address}`,
          };
    }
    case 'calibration':
      return { at: record.at, tone: 'plain', text: `Calibrated this machine: ${record.entries.length} ceilings` };
    case 'result':
      return resultLine(record);
    case 'resumed':
      return { at: record.at, tone: 'plain', text: 'Resumed' };
    case 'end':
      return { at: record.at, tone: 'plain', text: record.status === 'complete' ? 'Run complete' : 'Run cancelled' };
    default:
      return null;
  }
}
