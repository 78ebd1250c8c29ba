import { compareWithReference, mostCompared } from '#analysis/between-runs/compare-with-reference.ts';
import { interleaved } from '#analysis/compare/interleaved.ts';
import { factsOf } from '#analysis/history/run-facts.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { writeOutput } from '#platform/output-file.ts';
import type { Home } from '#platform/paths.ts';
import { renderComparison } from '#presentation/terminal/comparison-text.ts';
import { renderGate } from '#presentation/terminal/gate-text.ts';
import { runLabels } from '#presentation/text/run-labels.ts';
import { headerOf } from '#workspace/runs/journal-reader.ts';
import { loadRun } from '#workspace/runs/load-run.ts';
import { annotationOfFile } from '#workspace/runs/run-annotations.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { type Command, text } from '../command.ts';
import { findRun, runWordsHelp } from '../find-run.ts';
import { askedGate, failOnOption, gateExitCode } from '../gate/gate-options.ts';
import { judgeRuns } from '../gate/judge-run.ts';
import { comparisonResults } from './comparison-results.ts';
import { outputOptions, usesStandardOutput, writeOutputs } from './outputs.ts';

/** `dyno compare`: compares runs with a reference. */
export const compareCommand: Command = {
  name: 'compare',
  arguments: '[REFERENCE] RUN…',
  summary:
    'Compares runs with a reference: what changed, the throughput of each cell, the times of each statement, plans and findings, and whether each difference exceeds those between earlier runs.',
  help: `REFERENCE and RUN are each ${runWordsHelp}. A single RUN is compared with the pinned baseline of its experiment. --fail-on judges the last RUN.`,
  options: {
    interleaved: {
      type: 'string',
      isOutput: true,
      about: 'Also writes an experiment that alternates between the versions of the first two runs.',
    },
    ...failOnOption,
    ...outputOptions,
  },
  takes: [1, mostCompared],
  async run(context) {
    const { home, positionals, values, print, note } = context;
    const words = positionals.length === 1 ? ['baseline', ...positionals] : positionals;
    const { runs, comparison, labels } = await comparedFiles(home, await filesOf(home, positionals, findRun));
    const [reference, first] = runs;
    const last = runs.at(-1)!;
    const asked = askedGate(values, last.plan, words[0]!);
    const gate = asked && (await judgeRuns(home, [reference!, last], asked));
    const command =
      runs.length === 2 ? `dyno compare ${words.map(quoted).join(' ')} --interleaved two-versions.dyno.yaml` : null;
    if (!usesStandardOutput(values)) {
      if (gate) print(`${renderGate(gate)}\n`);
      print(renderComparison(comparison, labels, command));
    }
    writeOutputs(context, comparisonResults(comparison, labels, { command, series: values.series === true, gate }));
    const file = text(values, 'interleaved');
    if (file !== undefined) {
      const made = interleaved(reference!, first!);
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

/**
 * The files of the reference and of the other runs, as `find` finds them. A single run has the baseline of its
 * experiment as reference.
 */
export async function filesOf(home: Home, words: readonly string[], find: typeof findRun): Promise<readonly string[]> {
  const given = await Promise.all(words.map((word) => find(home, word)));
  const [only] = given;
  if (only === undefined || given.length > 1) return given;
  return [await find(home, 'baseline', (await headerOf(only)).plan.experiment.name), only];
}

/** The runs of these files, the first of which is the reference, with their comparison and their names. */
export async function comparedFiles(home: Home, files: readonly string[]) {
  const runs = await Promise.all(files.map((file) => loadRun(home, file)));
  const [reference, ...others] = runs;
  const kept = openRuns(home);
  const entries = await kept.list();
  const titles = files.map((file) => annotationOfFile(home, file).title);
  return {
    runs,
    comparison: compareWithReference(reference!, others, entries, await kept.alike(factsOf(reference!))),
    labels: runLabels(runs, titles, (iso) => iso.slice(0, 19).replace('T', ' ')),
  };
}

/** A word quoted for a shell if necessary. */
const quoted = (word: string): string => (/^[\w./:@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
