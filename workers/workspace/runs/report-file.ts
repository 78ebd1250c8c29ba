import { hash } from 'node:crypto';
import { homedir, hostname, userInfo } from 'node:os';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import { writeOutput } from '#platform/output-file.ts';
import { writeOutputFolder } from '#platform/output-folder.ts';
import { lightTheme } from '#presentation/charts/kit/theme.ts';
import { createSvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import {
  markdownReport,
  type ReportOptions,
  renderReport,
  reportDocument,
  shownRun,
} from '#presentation/report/report.ts';
import type { History } from '#protocol/history.ts';
import type { ReportChoices } from '#protocol/report-choices.ts';
import { type FileFormat, type FolderFormat, isFolderFormat, type ReportFormat } from '#protocol/report-formats.ts';
import { drawLogo } from './report-logo.ts';

/** The choices for a report, and what they do not contain. */
export interface ReportFileOptions extends ReportChoices, Pick<ReportOptions, 'note' | 'compare'> {
  /** The history of the experiment up to the run (historyUpTo); null: the report has none. */
  readonly history: History | null;
}

const shownOptions = (options: ReportFileOptions): ReportOptions =>
  options.hidesHosts ? { ...options, ownNames: ownNames() } : options;

const documentOptions = async (options: ReportFileOptions) => ({
  ...shownOptions(options),
  logo: options.logo === null ? null : await drawLogo(Buffer.from(options.logo, 'base64')),
});

/** The names of this machine and its user, which servers and the system write into their messages. */
function ownNames(): readonly string[] {
  const names = [hostname(), homedir()];
  try {
    return [...names, userInfo().username];
  } catch {
    // The system does not know the user by name.
    return names;
  }
}

/** The report as HTML. ECharts is loaded here, only when a report is made. */
async function reportHtml(model: RunModel, options: ReportFileOptions): Promise<string> {
  const { init } = await import('echarts');
  return renderReport(model, { ...(await documentOptions(options)), renderSvg: createSvgRenderer(init), sha256 });
}

const sha256 = (text: string): string => hash('sha256', text, 'base64');

async function reportPdf(model: RunModel, options: ReportFileOptions): Promise<Uint8Array> {
  const { init } = await import('echarts');
  const { pdfOf } = await import('./report-pdf.ts');
  return pdfOf(reportDocument(model, lightTheme, await documentOptions(options)), createSvgRenderer(init));
}

const contents: Readonly<
  Record<FileFormat, (model: RunModel, options: ReportFileOptions) => Promise<string | Uint8Array>>
> = {
  html: reportHtml,
  pdf: reportPdf,
  markdown: async (model, options) => markdownReport(model, shownOptions(options)),
};

/** The content of a report of one file. */
export const reportContent = (
  model: RunModel,
  format: FileFormat,
  options: ReportFileOptions,
): Promise<string | Uint8Array> => contents[format](model, options);

/** Writes a set of tables or pictures into a folder. */
async function writeSet(
  model: RunModel,
  folder: string,
  format: FolderFormat,
  options: ReportFileOptions,
): Promise<void> {
  const { model: shown, baseline, history } = shownRun(model, shownOptions(options));
  if (format === 'csv' || format === 'parquet') {
    const { writeDataSet } = await import('./data-set-files.ts');
    return writeDataSet(shown, baseline, folder, format, history);
  }
  const { writePictureSet } = await import('./picture-set-files.ts');
  return writePictureSet(shown, baseline, folder, format);
}

/** Writes the report to a file, or to a new folder. Throws 'diskFull', 'fileAccess'… with the name. */
export async function writeReport(
  model: RunModel,
  output: string,
  format: ReportFormat,
  options: ReportFileOptions,
): Promise<void> {
  if (isFolderFormat(format))
    await writeOutputFolder('The report', output, (folder) => writeSet(model, folder, format, options));
  else writeOutput('The report', output, await reportContent(model, format, options));
}
