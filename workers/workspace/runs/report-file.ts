import { hash } from 'node:crypto';
import type { RunModel } from '#analysis/run-model/run-model.ts';
import type { Compare } from '#planning/rates/baseline.ts';
import { writeOutput } from '#platform/output-file.ts';
import { createSvgRenderer } from '#presentation/charts/plot/render-svg.ts';
import { type ReportChoices, renderReport } from '#presentation/report/report.ts';

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

/** Writes the report. Throws 'diskFull', 'fileAccess'… with the file's name. */
export async function writeReport(model: RunModel, file: string, options: ReportFileOptions): Promise<void> {
  writeOutput('The report', file, await reportHtml(model, options));
}
