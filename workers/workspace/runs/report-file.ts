import { hash } from 'node:crypto';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Compare } from '#planning/rates/baseline.ts';
import { writeOutput } from '#platform/output-file.ts';
import { lightTheme } from '#presentation/charts/kit/theme.ts';
import { createSvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import { type ReportChoices, renderReport, reportDocument } from '#presentation/report/report.ts';
import type { ReportFormat } from '#protocol/report-formats.ts';

interface ReportFileOptions extends ReportChoices {
  /** The user's note on the run. Empty without a note. */
  readonly note: string;
  /** The comparison that ratios make. Default: as the experiment says. */
  readonly compare?: Compare | undefined;
}

/** The report as HTML. ECharts is loaded here, only when a report is made. */
export async function reportHtml(model: RunModel, options: ReportFileOptions): Promise<string> {
  const { init } = await import('echarts');
  return renderReport(model, { ...options, renderSvg: createSvgRenderer(init), sha256 });
}

const sha256 = (text: string): string => hash('sha256', text, 'base64');

async function reportPdf(model: RunModel, options: ReportFileOptions): Promise<Uint8Array> {
  const { init } = await import('echarts');
  const { pdfOf } = await import('./report-pdf.ts');
  return pdfOf(reportDocument(model, lightTheme, options), createSvgRenderer(init));
}

const contents: Readonly<
  Record<ReportFormat, (model: RunModel, options: ReportFileOptions) => Promise<string | Uint8Array>>
> = { html: reportHtml, pdf: reportPdf };

/** The content of the report's file in a format. */
export const reportContent = (
  model: RunModel,
  format: ReportFormat,
  options: ReportFileOptions,
): Promise<string | Uint8Array> => contents[format](model, options);

/** Writes the report. Throws 'diskFull', 'fileAccess'… with the file's name. */
export async function writeReport(
  model: RunModel,
  file: string,
  format: ReportFormat,
  options: ReportFileOptions,
): Promise<void> {
  writeOutput('The report', file, await reportContent(model, format, options));
}
