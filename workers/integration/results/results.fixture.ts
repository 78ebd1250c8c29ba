import { hash } from 'node:crypto';
import { init } from 'echarts';
import { createRunReader } from '#analysis/journal/read-run.ts';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import { createSvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import { renderReport } from '#presentation/report/report.ts';
import type { JournalRecord, TargetRecord } from '#protocol/journal.ts';
import type { TrialResult } from '#protocol/measurement.ts';
import { standardChoices } from '#protocol/report-choices.ts';

export type Change = (record: JournalRecord) => JournalRecord;

/** The model of a run with every record changed by a function. */
export function modelOf(records: Iterable<JournalRecord>, change: Change = (record) => record): RunModel {
  const reader = createRunReader();
  for (const record of records) reader.add(change(record));
  return reader.model();
}

/** Changes the record of one target, or of all. */
export const targets =
  (change: (target: TargetRecord) => TargetRecord, name?: string): Change =>
  (record) =>
    record.record === 'target' && record.target.name === (name ?? record.target.name)
      ? { ...record, target: change(record.target) }
      : record;

/** Changes the results of all trials. */
export const results =
  (change: (result: TrialResult) => TrialResult): Change =>
  (record) =>
    record.record === 'result' ? { ...record, result: change(record.result) } : record;

export const renderSvg = createSvgRenderer(init);
const sha256 = (text: string): string => hash('sha256', text, 'base64');
export const reportOf = (model: RunModel, anonymous = false, baseline?: Baseline): string =>
  renderReport(model, {
    ...standardChoices,
    ...{ hidesEngines: anonymous, logo: null, note: '', renderSvg, sha256 },
    ...(baseline && { baseline }),
  });
