import { stringify } from 'yaml';
import { setIn } from './edit-experiment.ts';
import { readYaml } from './yaml-source.ts';

/** The text of an experiment with these parts, and with comments at its beginning. */
export function draftText(
  name: string,
  question: string,
  parts: Readonly<Record<string, unknown>>,
  comments: readonly string[],
  targets: readonly string[] = ['embedded-postgres'],
): string {
  const { tables, workload = { operation: 'statement', method: 'prepared' }, ...others } = parts;
  const sections = {
    ...(tables !== undefined && { tables }),
    ...{ workload, ...others, targets, measure: { until: { seconds: 2 }, repeats: 3 } },
  };
  const head = readYaml(stringify({ dyno: 1, name, question }, { lineWidth: 0 }));
  const { text } = Object.entries(sections).reduce((file, [key, value]) => setIn(file, [key], value), head);
  return [...comments.map((comment) => `# ${comment}\n`), text].join('');
}
