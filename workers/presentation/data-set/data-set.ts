import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Baseline } from '#planning/rates/baseline.ts';
import type { History } from '#protocol/history.ts';
import type { FolderFormat } from '#protocol/report-formats.ts';
import { frameOf } from '../charts/chart-frame.ts';
import { markdownLines } from '../tables/shared/markdown-table.ts';
import { heads } from '../tables/shared/panel-table.ts';
import { markdownText } from '../text/markdown-text.ts';
import { caveatFile, findingFile, settingFile } from './context-files.ts';
import type { DataFile } from './data-file.ts';
import { historyFile } from './history-file.ts';
import { hostDiskFile, hostFile } from './host-files.ts';
import { cellFile, statementFile, trialFile } from './result-files.ts';
import { clientFile, counterFile, secondFile, serverWorkFile } from './series-files.ts';

/** The formats of a set of data. */
export type DataFormat = Extract<FolderFormat, 'csv' | 'parquet'>;

/** All numbers of a run as tables for other programs. `history`: the experiment up to this run. */
export const dataSet = (run: RunModel, baseline: Baseline, history: History | null = null): readonly DataFile[] => [
  cellFile(run, baseline),
  statementFile(run),
  trialFile(run),
  secondFile(run),
  counterFile(run),
  serverWorkFile(run),
  clientFile(run),
  hostFile(run),
  hostDiskFile(run),
  findingFile(run),
  settingFile(run),
  caveatFile(run),
  ...(history === null || history.runs.length < 2 ? [] : [historyFile(history)]),
];

const formatNotes: Readonly<Record<DataFormat, string>> = {
  csv: 'The files are CSV according to RFC 4180 in UTF-8: commas, CRLF, doubled quotes, the names of columns in the first line. Numbers have a decimal point. Empty fields were not measured. A text that a spreadsheet would run as a formula (it begins with =, +, - or @) has an apostrophe before it.',
  parquet:
    'The files are Apache Parquet with Snappy compression. Columns of the type “whole” are INT64, “number” DOUBLE, “yesNo” BOOLEAN, and “text” STRING. Null: not measured. Texts are as they are: escape them before you make a web page or a spreadsheet of them.',
};

/** The README.md of a set of data: the run, its conditions, and every column of every file. */
export function dataSetReadme(run: RunModel, files: readonly DataFile[], format: DataFormat): string {
  const frame = frameOf(run, '', null);
  return [
    `# ${markdownText(frame.run)}`,
    markdownText(run.plan.experiment.question),
    frame.facts.map(([name, words]) => `- ${name}: ${markdownText(words)}`).join('\n'),
    formatNotes[format],
    ...files.flatMap(({ name, about, columns }) => [
      `## ${name}.${format}`,
      about,
      markdownLines(
        heads('column', 'type', 'meaning'),
        columns.map((one) => [one.name, one.type, one.about].map(markdownText)),
      ),
    ]),
    '',
  ].join('\n\n');
}
