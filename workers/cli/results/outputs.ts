import { relative, resolve, sep } from 'node:path';
import type { YamlSource } from '#experiment/yaml/yaml-source.ts';
import type { Path } from '#model/text/path-text.ts';
import { writeOutput } from '#platform/output-file.ts';
import { type FilePlace, githubAnnotations } from '#presentation/ci/github-annotations.ts';
import { junitXml } from '#presentation/ci/junit.ts';
import type { TestReport } from '#presentation/ci/test-suite.ts';
import { type CommandContext, text, type Values } from '../command.ts';

/** The options of every command that has results: the files and annotations that scripts and CI systems read. */
export const outputOptions = {
  json: { type: 'string', isOutput: true, about: 'Writes the results as JSON to this file (“-”: standard output).' },
  series: {
    type: 'boolean',
    about: 'With --json: adds the figures of each second and the histograms (docs/file-format.md).',
  },
  junit: {
    type: 'string',
    isOutput: true,
    about: 'Writes test cases as JUnit XML, for CI systems (“-”: standard output).',
  },
  markdown: {
    type: 'string',
    isOutput: true,
    about: 'Writes a summary as Markdown, for the page of a CI job (“-”: standard output).',
  },
  annotations: {
    type: 'string',
    oneOf: ['github'],
    about: 'Prints failed and undecided test cases as annotations of a CI system: “github”.',
  },
} as const;

/** The results of a command in each form. A form is made when an option asks for it. */
export interface Results {
  json(): unknown;
  tests(): TestReport;
  markdown(): string;
}

/** The experiment file that a command was given. */
export interface ExperimentFile {
  readonly path: string;
  readonly written: YamlSource;
}

const files = ['json', 'junit', 'markdown'] as const;

/** True if an output goes to standard output, which then holds nothing else. */
export const usesStandardOutput = (values: Values): boolean => files.some((name) => text(values, name) === '-');

/** True if an option asks for an output. */
export const hasOutput = (values: Values): boolean =>
  text(values, 'annotations') !== undefined || files.some((name) => text(values, name) !== undefined);

/**
 * Writes what the options ask for. Throws 'diskFull', 'fileAccess'… with the file named. Without `file`, annotations
 * name no place.
 */
export function writeOutputs({ values, print }: CommandContext, results: Results, file?: ExperimentFile): void {
  const forms: Readonly<Record<(typeof files)[number], readonly [what: string, content: () => string]>> = {
    json: ['The file of results', () => jsonText(results.json())],
    junit: ['The JUnit file', () => junitXml(results.tests())],
    markdown: ['The summary', () => results.markdown()],
  };
  for (const name of files) {
    const to = text(values, name);
    const [what, content] = forms[name];
    if (to === '-') print(content().trimEnd());
    else if (to !== undefined) writeOutput(what, to, content());
  }
  if (text(values, 'annotations') === undefined) return;
  const lines = githubAnnotations(results.tests(), (path) => (file === undefined ? null : placeIn(file, path)));
  // Dyno's own lines on the two streams are no commands of CI systems (ci-commands.ts), but these are.
  const stream = usesStandardOutput(values) ? process.stderr : process.stdout;
  for (const line of lines) stream.write(`${line}\n`);
}

/**
 * JSON with a line for each value, and one for each list of numbers: a series has a value for each second. No text in
 * JSON has a line break, so that a list in a text, such as `ARRAY[ 1, 2 ]`, stays as it is.
 */
function jsonText(value: unknown): string {
  const item = String.raw`(?:-?[\d.eE+-]+|null)`;
  const list = new RegExp(String.raw`\[\n\s+(${item}(?:,\n\s+${item})*)\n\s*\]`, 'g');
  const json = JSON.stringify(value, null, 2).replace(list, (_, items: string) => `[${items.replace(/\s+/g, ' ')}]`);
  return `${json}\n`;
}

/** The place of a path in the experiment file; null where the file is not in the repository of the job. */
function placeIn({ path, written }: ExperimentFile, at: Path): FilePlace | null {
  const file = relative(process.env.GITHUB_WORKSPACE ?? process.cwd(), resolve(path)).replaceAll(sep, '/');
  if (file.startsWith('..')) return null;
  return { file, line: written.locate({ path: at, at: 'key', message: '', suggestion: null }).line };
}
