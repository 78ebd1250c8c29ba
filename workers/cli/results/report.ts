import { basename } from 'node:path';
import { exitCodes } from '#platform/exit-codes.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { fileEndings, isFolderFormat, type ReportFormat } from '#protocol/report-formats.ts';
import { historyUpTo } from '#workspace/runs/history-up-to.ts';
import { runFileEnding } from '#workspace/runs/journal-file.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { writeReport } from '#workspace/runs/report-file.ts';
import { annotationOfFile } from '#workspace/runs/run-annotations.ts';
import { type Command, text } from '../command.ts';
import { findRun, runWordsHelp } from '../find-run.ts';
import { comparedBy, compareOption } from './compare-option.ts';
import { findingsOption } from './findings-option.ts';
import { hasOutput, outputOptions, usesStandardOutput, writeOutputs } from './outputs.ts';
import { choicesOptions, reportChoices } from './report-choices-options.ts';
import { formatOption, reportFormat } from './report-format.ts';
import { runResults } from './run-results.ts';

/** `dyno report`: writes the report of a run. */
export const reportCommand: Command = {
  name: 'report',
  arguments: 'RUN',
  summary: 'Writes the report of a run as HTML, PDF or Markdown, or its tables or pictures, and prints the comparison.',
  help: `RUN is ${runWordsHelp}. With one of --json, --junit, --markdown and --annotations, the report is written only if --output names it.`,
  options: {
    output: {
      type: 'string',
      short: 'o',
      isOutput: true,
      about:
        'Path of the report. Tables and pictures become a new folder. Default: the run’s name, in the current folder.',
    },
    ...formatOption,
    ...choicesOptions,
    ...outputOptions,
    ...compareOption,
    ...findingsOption,
  },
  takes: [1, 1],
  async run(context) {
    const { home, positionals, values, print, note } = context;
    const compare = comparedBy(values);
    const format = reportFormat(values, text(values, 'output'));
    const file = await findRun(home, positionals[0] ?? '');
    const choices = reportChoices(values);
    const model = await loadRun(home, file);
    if (!usesStandardOutput(values))
      print(renderText(model, { compare, allFindings: values['all-findings'] === true }));
    writeOutputs(context, runResults(model, { compare, series: values.series === true }));
    const output =
      text(values, 'output') ?? (hasOutput(values) ? null : defaultOutput(basename(file, runFileEnding), format));
    if (output === null) return exitCodes.ok;
    await writeReport(model, output, format, {
      ...choices,
      note: annotationOfFile(home, file).note,
      compare,
      history: await historyUpTo(home, model, choices.sections, format),
    });
    note(`report: ${output}`);
    return exitCodes.ok;
  },
};

/** The name of the run with the ending of the format; a folder is named after its format. */
const defaultOutput = (run: string, format: ReportFormat): string =>
  isFolderFormat(format) ? `${run}-${format}` : `${run}.${fileEndings[format]}`;
