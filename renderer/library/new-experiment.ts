import { setIn } from '#experiment/yaml/edit-experiment.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import { type NewExperimentDefaults, standardDefaults } from '../state/new-experiment-defaults.ts';

/** The text of a new experiment: small, complete, and runnable without an installation. */
export const newExperimentText = `dyno: 1
name: New experiment
question: Which method inserts fastest?

dataset:
  rows: 20000
  key: id
  columns:
    id: { type: uuid4 }
    payload: { type: text, length: 20 }

workload:
  operation: insert

factors:
  method: [prepared, multiRow]

targets: [embedded-postgres, sqlite]

measure:
  until: { seconds: 1 }
  repeats: 3
`;

/** The text of an experiment that searches for the number of users that a server can serve within a latency limit. */
export const maximumUsersText = `dyno: 1
name: Maximum users
question: How many users can work at once until 1 % of their calls take longer than 50 ms?

dataset:
  rows: 20000
  key: id
  columns:
    id: { type: sequence }
    payload: { type: text, length: 100 }

workload:
  operation: readRange
  method: prepared
  rangeRows: 100
  load: closed
  connections: 8
  thinkTime: exponential
  thinkMs: 100

targets: [embedded-postgres]

goals: { p99Ms: 50 }

measure:
  until: { seconds: 1 }
  search: { find: limit, setting: users, from: 8, to: 4096, relativeStep: 0.1 }
  warmupSeconds: 0.3
  repeats: 3
`;

/** A new experiment with the user's defaults. */
export function withDefaults(text: string, defaults: NewExperimentDefaults): string {
  const { targets, repeats, seconds } = defaults;
  const changes = [
    [['targets'], targets, standardDefaults.targets],
    [['measure', 'until', 'seconds'], seconds, standardDefaults.seconds],
    [['measure', 'repeats'], repeats, standardDefaults.repeats],
  ] as const;
  return changes
    .filter(([, value, standard]) => value !== standard)
    .reduce((before, [path, value]) => setIn(readYaml(before), [...path], value).text, text);
}
