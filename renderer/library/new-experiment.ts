/** Text of a new experiment: small, complete, and runnable without installing anything. */
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
