import { compareRuns, earlierRuns } from '#analysis/compare/compare-runs.ts';
import { interleaved } from '#analysis/compare/interleaved.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { writeOutput } from '#platform/output-file.ts';
import { renderGate } from '#presentation/terminal/gate-text.ts';
import { renderComparison } from '#presentation/terminal/run-text.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { type Command, text } from '../command.ts';
import { findRun, runWordsHelp } from '../find-run.ts';
import { askedGate, failOnOption, gateExitCode } from '../gate/gate-options.ts';
import { judgeRuns } from '../gate/judge-run.ts';
import { comparisonResults } from './comparison-results.ts';
import { outputOptions, usesStandardOutput, writeOutputs } from './outputs.ts';

/** `dyno compare`: compares two runs. */
export const compareCommand: Command = {
  name: 'compare',
  arguments: 'BEFORE AFTER',
  summary:
    'Compares two runs cell by cell and shows whether each difference exceeds the differences between earlier runs.',
  help: `BEFORE and AFTER are each ${runWordsHelp}.`,
  options: {
    interleaved: {
      type: 'string',
      isOutput: true,
      about: 'Also writes an experiment that alternates between the versions of both runs.',
    },
    ...failOnOption,
    ...outputOptions,
  },
  takes: [2, 2],
  async run(context) {
    const {
      home,
      positionals: [before = '', after = ''],
      values,
      print,
      note,
    } = context;
    const [old, now] = [
      await loadRun(home, await findRun(home, before)),
      await loadRun(home, await findRun(home, after)),
    ];
    const asked = askedGate(values, now.plan, before);
    const gate = asked && (await judgeRuns(home, [old, now], asked));
    const cells = compareRuns(old, now, earlierRuns(old, now, await openRuns(home).list()));
    const command = `dyno compare ${quoted(before)} ${quoted(after)} --interleaved two-versions.dyno.yaml`;
    if (!usesStandardOutput(values)) {
      if (gate) print(`${renderGate(gate)}\n`);
      print(renderComparison(old, now, cells, command));
    }
    writeOutputs(context, comparisonResults(old, now, cells, { command, series: values.series === true, gate }));
    const file = text(values, 'interleaved');
    if (file !== undefined) {
      const made = interleaved(old, now);
      writeOutput('The experiment', file, made.text);
      note(
        made.isComplete
          ? `${file} has the targets of both runs: dyno run ${quoted(file)}`
          : `${file} has one version, as both runs name the same targets: add the other one to its targets, then dyno run ${quoted(file)}`,
      );
    }
    return gate === null ? exitCodes.ok : gateExitCode(gate.outcome, exitCodes.ok);
  },
};

/** A word quoted for a shell if necessary. */
const quoted = (word: string): string => (/^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
