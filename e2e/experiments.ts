// Small experiments for tests, which need no server.

/** Rows of a key and a short text. */
export const dataset = (rows: number): string => `dataset:
  rows: ${rows}
  key: id
  columns:
    id: { type: uuid4 }
    payload: { type: text, length: 20 }
`;

/** Each row may be a commit, which a busy disk makes slow. */
const few = dataset(400);

/** Four cells and two repeats; takes a few seconds. */
export const quick = `dyno: 1
name: Quick check
question: Does everything work?
# A comment that must survive.
${few}workload:
  operation: insert
factors:
  method: [prepared, multiRow]
targets: [sqlite, noop]
measure:
  repeats: 2
`;

/** Trials by time, long enough to interact with them while they run. */
export const slow = `dyno: 1
name: Slow check
question: What happens when something happens?
${few}workload:
  operation: readByKey
  method: prepared
targets: [sqlite, noop]
measure:
  until: { seconds: 4 }
  repeats: 2
  warmupSeconds: 0
  order: declared
`;
