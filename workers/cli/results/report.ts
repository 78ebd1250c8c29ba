import { basename } from 'node:path';
import { exitCodes } from '#platform/exit-codes.ts';
import { renderText } from '#presentation/terminal/run-text.ts';
import { runFileEnding } from '#workspace/runs/journal-file.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { writeReport } from '#workspace/runs/report-file.ts';
import { annotationOfFile } from '#workspace/runs/run-annotations.ts';
import { type Command, text } from '../command.ts';
import { findRun, runWordsHelp } from '../find-run.ts';
import { comparedBy, compareOption } from './compare-option.ts';
import { findingsOption } from './findings-option.ts';
import { hasOutput, outputOptions, usesStandardOutput, writeOutputs } from './outputs.ts';
import { formatOption, reportFormat } from './report-format.ts';
import { runResults } from './run-results.ts';

/** `dyno report`: writes the report of a run. */
export const reportCommand: Command = {
  name: 'report',
  arguments: 'RUN',
  summary: 'Writes the report of a run as one HTML or PDF file, and prints the comparison.',
  help: `RUN is ${runWordsHelp}. With one of --json, --junit, --markdown and --annotations, the report is written only if --output names it.`,
  options: {
    output: {
      type: 'string',
      short: 'o',
      isOutput: true,
      about: 'Path of the report. Default: the run’s name, in the current folder.',
    },
    ...formatOption,
    anonymous: {
      type: 'boolean',
      about: 'Hides the names of engines whose licence forbids publishing benchmark results.',
    },
    'no-appendix': {
      type: 'boolean',
      about: 'Ends the report after its first pages, without numbers, findings, settings and the experiment file.',
    },
    author: { type: 'string', about: 'Name of the person who stands behind the report.' },
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
    const model = await loadRun(home, file);
    if (!usesStandardOutput(values))
      print(renderText(model, { compare, allFindings: values['all-findings'] === true }));
    writeOutputs(context, runResults(model, { compare, series: values.series === true }));
    const output = text(values, 'output') ?? (hasOutput(values) ? null : `${basename(file, runFileEnding)}.${format}`);
    if (output === null) return exitCodes.ok;
    await writeReport(model, output, format, {
      anonymous: values.anonymous === true,
      appendix: values['no-appendix'] !== true,
      author: text(values, 'author') ?? '',
      note: annotationOfFile(home, file).note,
      compare,
    });
    note(`report: ${output}`);
    return exitCodes.ok;
  },
};
