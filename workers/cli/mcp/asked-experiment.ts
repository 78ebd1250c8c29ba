import * as v from 'valibot';
import { maxTextLength, readYaml, type YamlSource } from '#experiment/yaml/yaml-source.ts';
import { DynoError } from '#model/error.ts';
import { diagnosticLine } from '#model/text/diagnostic.ts';
import type { PlannedFile } from '#planning/plan-experiment.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import type { GivenFile } from '#workspace/trust/gate.ts';
import { changed, libraryText } from '../experiments/experiment-text.ts';
import { about, type ToolContext, word } from './tool.ts';

/** The arguments of tools that take an experiment. */
export const experimentInput = {
  experiment: v.optional(word('Name or id of an experiment that list_experiments shows. Give this or `text`.')),
  text: v.optional(
    about(
      v.pipe(v.string(), v.maxLength(maxTextLength)),
      'An experiment as YAML (describe_file_format, read_experiment). Give this or `experiment`.',
    ),
  ),
  size: v.optional(word('One of the file’s sizes.')),
  set: v.optional(
    about(
      v.pipe(v.array(v.pipe(v.string(), v.maxLength(2_000))), v.maxLength(50)),
      'Values that override the file’s, such as "dataset.rows=20000". They make the text yours.',
    ),
    [],
  ),
};

interface Given {
  readonly experiment?: string | undefined;
  readonly text?: string | undefined;
  readonly size?: string | undefined;
  readonly set: readonly string[];
}

/** An experiment that an AI agent asks for. */
interface AskedExperiment {
  readonly text: string;
  /** The folder of the files that it names. Undefined: its files are not looked at. */
  readonly folder: string | undefined;
  /** True: the AI agent has written or changed the text. */
  readonly isItsText: boolean;
  /** The parsed file, for a run. Only a text that was checked may be parsed here, because no time limit ends this. */
  given(): GivenFile;
}

/**
 * The experiment in the arguments of a tool: of the library or gallery, or a text. No argument is a path. Throws
 * 'badInput' as the command line does.
 */
export function askedExperiment({ home }: ToolContext, { experiment, text, size, set }: Given): AskedExperiment {
  const values = { size, set };
  if (experiment !== undefined && text === undefined) {
    const written = readYaml(libraryText(home, experiment));
    const source = changed(written, values);
    // An experiment that the agent has changed is its own text, which may name no files of the library's folder.
    if (set.length > 0) return itsText(source);
    const folder = home.experiments;
    const given = () => ({ written, file: parseFile(source), folder });
    return { text: source.text, folder, isItsText: false, given };
  }
  if (text === undefined || experiment !== undefined)
    throw new DynoError('badInput', 'Give either `experiment` or `text`.');
  return itsText(changed(readYaml(text), values));
}

const itsText = (source: YamlSource): AskedExperiment => {
  return { text: source.text, folder: undefined, isItsText: true, given: () => ({ file: parseFile(source) }) };
};

/** Checks and plans an experiment in a thread with a time limit. */
export const checkAsked = ({ home, checks }: ToolContext, { text, folder }: AskedExperiment): Promise<PlannedFile> =>
  checks.check(text, openConnectionStore(home).list().connections, folder);

/** The plan of an experiment, with its warnings. Throws 'badInput' with its mistakes if it has none. */
export async function requirePlan(context: ToolContext, asked: AskedExperiment) {
  const { plan, diagnostics } = await checkAsked(context, asked);
  const lines = diagnostics.map(diagnosticLine);
  if (plan !== null) return { plan, warnings: lines };
  throw new DynoError('badInput', `The experiment has no plan:\n${lines.slice(0, mostLines).join('\n')}`, {
    hint: 'check_experiment lists all its mistakes.',
  });
}

/** The most mistakes in an error message. */
const mostLines = 20;
