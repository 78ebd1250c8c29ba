import { enoughText } from '#analysis/text/verdict-text.ts';
import { productText } from '#engine-api/product-text.ts';
import { formatCount, formatRate } from '#model/format/format.ts';
import { throughputOf } from '#planning/rates/trial-rate.ts';
import { repeatsOf } from '#planning/repeats.ts';
import type { JournalEntry, JournalRecord } from '#protocol/journal.ts';
import type { Cell, Plan } from '#protocol/plan.ts';

export interface LogLine {
  /** The time of the event. Null if unknown. */
  readonly at: string | null;
  readonly tone: 'plain' | 'good' | 'bad';
  readonly text: string;
}

/** The labels of variants in tables, by id. */
export type VariantLabels = ReadonlyMap<string, string>;

function resultLine({ at, result }: Extract<JournalRecord, { record: 'result' }>, labels: VariantLabels): LogLine {
  const variant = labels.get(result.variant) ?? result.variant;
  const head = `Trial ${result.number}: ${variant} on ${result.target}, repeat ${result.repeat}`;
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
    didNotFinish: 'did not finish in time',
    cannot: 'is not possible',
  }[result.status];
  return { at, tone: result.status === 'cannot' ? 'plain' : 'bad', text: `${head} ${how}${why}` };
}

function startText({ trials, measure }: Plan): string {
  const varies = repeatsOf(measure).relativeMargin !== null;
  return `Run started: ${varies ? 'at most ' : ''}${trials.length} trials`;
}

/** The log line of a journal record. Null for records that the charts show. */
export function logLine(record: JournalEntry, labels: VariantLabels): LogLine | null {
  switch (record.record) {
    case 'header':
      return { at: record.at, tone: 'plain', text: startText(record.plan) };
    case 'target': {
      const { name, address, fingerprint, error } = record.target;
      return error
        ? { at: record.at, tone: 'bad', text: `${name} cannot be used: ${error.message}` }
        : {
            at: record.at,
            tone: 'plain',
            text: `${name}: ${fingerprint ? productText(fingerprint) : record.target.engine}, ${address}`,
          };
    }
    case 'calibration':
      return {
        at: record.at,
        tone: 'plain',
        text: `Calibrated this machine: ${[
          ...new Set(record.entries.map(({ label, storage }) => (storage ? 'Disk' : label))),
        ].join(', ')}`,
      };
    case 'result':
      return resultLine(record, labels);
    case 'enough': {
      const name = ({ variant, target }: Cell) => `${labels.get(variant) ?? variant} on ${target}`;
      return { at: record.at, tone: 'plain', text: enoughText(record, name) };
    }
    case 'sessions': {
      const { at, target, left, tables = [] } = record;
      if (tables.length > 0) return { at, tone: 'bad', text: `${tables.join(', ')} could not be dropped on ${target}` };
      if (left === null) return { at, tone: 'plain', text: `${target} cannot list its sessions` };
      return left === 0
        ? { at, tone: 'plain', text: `No session is left on ${target}` }
        : { at, tone: 'bad', text: `${left} sessions are left on ${target}` };
    }
    case 'halted':
      return { at: record.at, tone: 'bad', text: record.reason };
    case 'damaged':
      return { at: null, tone: 'bad', text: record.message };
    case 'resumed':
      return { at: record.at, tone: 'plain', text: 'Resumed' };
    case 'end':
      return {
        at: record.at,
        tone: 'plain',
        text: record.status === 'complete' ? 'Run complete' : 'Run cancelled',
      };
    default:
      return null;
  }
}
