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

measure:
  until: { seconds: 1 }
  search: { find: limit, setting: users, from: 8, to: 4096, p99Ms: 50, relativeStep: 0.1 }
  warmupSeconds: 0.3
  repeats: 3
`;
