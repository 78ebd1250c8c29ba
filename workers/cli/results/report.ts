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
import { resultsJson } from './results-json.ts';

/** `dyno report`: writes the HTML report of a run. */
export const reportCommand: Command = {
  name: 'report',
  arguments: 'RUN',
  summary: 'Writes the report of a run as one HTML file, which prints well, and prints the comparison.',
  help: `RUN is ${runWordsHelp}.`,
  options: {
    output: {
      type: 'string',
      short: 'o',
      isOutput: true,
      about: 'Path of the HTML file. Default: the run’s name, in the current folder.',
    },
    anonymous: {
      type: 'boolean',
      about: 'Hides the names of engines whose licence forbids publishing benchmark results.',
    },
    'no-appendix': {
      type: 'boolean',
      about: 'Ends the report after its first pages, without numbers, findings, settings and the experiment file.',
    },
    author: { type: 'string', about: 'Name of the person who stands behind the report.' },
    json: { type: 'boolean', about: 'Prints the results as JSON instead of writing a report.' },
    ...compareOption,
    ...findingsOption,
  },
  takes: [1, 1],
  async run({ home, positionals, values, print, printJson, note }) {
    const compare = comparedBy(values);
    const file = await findRun(home, positionals[0] ?? '');
    const model = await loadRun(home, file);
    if (values.json) {
      printJson(resultsJson(model, compare));
      return exitCodes.ok;
    }
    const output = text(values, 'output') ?? `${basename(file, runFileEnding)}.html`;
    await writeReport(model, output, {
      anonymous: values.anonymous === true,
      appendix: values['no-appendix'] !== true,
      author: text(values, 'author') ?? '',
      note: annotationOfFile(home, file).note,
      compare,
    });
    print(renderText(model, { compare, allFindings: values['all-findings'] === true }));
    note(`report: ${output}`);
    return exitCodes.ok;
  },
};
