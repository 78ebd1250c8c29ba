import { describeEnough } from '#analysis/text/verdict-text.ts';
import { formatCount, formatRate } from '#model/format/format.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { repeatsOf } from '#planning/repeats.ts';
import type { JournalEntry, JournalRecord } from '#protocol/journal.ts';
import type { Phase } from '#protocol/measurement.ts';
import type { Cell, Plan } from '#protocol/plan.ts';
import { texts } from './text.ts';

export interface LogLine {
  /** Null if unknown. */
  readonly at: string | null;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly text: string;
}

export const phaseText: Readonly<Record<Phase, string>> = {
  schema: texts.runLog.creatingTheTable,
  load: texts.runLog.loadingRows,
  build: texts.runLog.buildingKeyAndIndexes,
  settle: texts.runLog.settlingTheServer,
  emptyCache: texts.runLog.emptyingTheServerSCache,
  prepare: texts.runLog.preparingTheClients,
  warmup: texts.runLog.warmingUp,
  measure: 'measuring',
  drain: 'draining',
  verify: texts.runLog.checkingTheRows,
};

/** Labels of variants in tables, by id. */
export type VariantLabels = ReadonlyMap<string, string>;

function resultLine({ at, result }: Extract<JournalRecord, { record: 'result' }>, labels: VariantLabels): LogLine {
  const variant = labels.get(result.variant) ?? result.variant;
  const head = texts.runLog.trialOnRepeat(result.number, variant, result.target, result.repeat);
  if (result.status === 'ok') {
    const { rows, calls } = result.totals;
    const [count, unit] = rows > 0 ? [rows, 'rows'] : [calls, 'calls'];
    const text = `${head}: ${formatRate(throughputOf(result), `${unit}/s`)}, ${formatCount(count)} ${unit}`;
    return { at, tone: 'good', text };
  }
  const why = result.error ? `: ${result.error.message}` : '';
  const how = {
    failed: 'failed',
    cancelled: 'cancelled',
    didNotFinish: texts.runLog.didNotFinishInTime,
    cannot: texts.runLog.isNotPossible,
  }[result.status];
  return { at, tone: result.status === 'cannot' ? 'plain' : 'bad', text: `${head} ${how}${why}` };
}

function startText({ trials, measure }: Plan): string {
  const varies = repeatsOf(measure).relativeMargin !== null;
  return texts.runLog.runStartedTrials(varies ? texts.runLog.atMost : '', trials.length);
}

/** The log line of a journal record; null for records that the charts show. */
export function logLine(record: JournalEntry, labels: VariantLabels): LogLine | null {
  switch (record.record) {
    case 'header':
      return { at: record.at, tone: 'plain', text: startText(record.plan) };
    case 'target': {
      const { name, address, fingerprint, error } = record.target;
      return error
        ? { at: record.at, tone: 'bad', text: texts.runLog.cannotBeUsed(name, error.message) }
        : {
            at: record.at,
            tone: 'plain',
            text: `${name}: ${fingerprint?.product ?? record.target.engine}, ${address}`,
          };
    }
    case 'calibration':
      return {
        at: record.at,
        tone: 'plain',
        text: texts.runLog.calibratedThisMachine(record.entries.map(({ label }) => label).join(', ')),
      };
    case 'result':
      return resultLine(record, labels);
    case 'enough': {
      const name = ({ variant, target }: Cell) => texts.runLog.on(labels.get(variant) ?? variant, target);
      return { at: record.at, tone: 'plain', text: describeEnough(record, name) };
    }
    case 'sessions': {
      const { at, target, left, tables = [] } = record;
      if (tables.length > 0) return { at, tone: 'bad', text: texts.runLog.tablesAreLeftOn(tables.join(', '), target) };
      if (left === null) return { at, tone: 'plain', text: texts.runLog.doesNotTellWhichSessions(target) };
      return left === 0
        ? { at, tone: 'plain', text: texts.runLog.noSessionIsLeftOn(target) }
        : { at, tone: 'bad', text: texts.runLog.sessionsAreLeftOn(left, target) };
    }
    case 'halted':
      return { at: record.at, tone: 'bad', text: record.reason };
    case 'damaged':
      return { at: null, tone: 'bad', text: record.message };
    case 'resumed':
      return { at: record.at, tone: 'plain', text: texts.runLog.resumed };
    case 'end':
      return {
        at: record.at,
        tone: 'plain',
        text: record.status === 'complete' ? texts.runLog.runComplete : texts.runLog.runCancelled,
      };
    default:
      return null;
  }
}
