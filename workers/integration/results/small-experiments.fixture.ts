// Small experiments for tests without a server.

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

/**
 * Trials by time, long enough to interact with them while they run. Users think, which leaves the processors to the
 * window.
 */
export const slow = `dyno: 1
name: Slow check
question: What happens when something happens?
${few}workload:
  operation: readByKey
  method: prepared
  thinkMs: 10
targets: [sqlite, noop]
measure:
  until: { seconds: 4 }
  repeats: 2
  warmupSeconds: 0
  order: declared
`;

/** Two tables, two custom statements and a check. */
export const shop = `dyno: 1
name: Shop
question: How fast does a shop sell?
tables:
  stores: # of the whole country
    rows: 30
    key: id
    columns:
      id: { type: sequence, start: 100 }
      city: { type: name, what: city }
  sales:
    rows: 300
    key: id
    columns:
      id: { type: sequence }
      store: { type: reference, table: stores, distribution: zipf }
workload:
  operation: statement
  method: prepared
statements:
  of-store:
    text: SELECT count(*) FROM {sales} s JOIN {stores} t ON t.id = s.store WHERE t.id = :store
    parameters:
      store: { type: key, table: stores }
    expectRows: 1
  sell:
    text: INSERT INTO {sales} (id, store) VALUES (:id, :store)
    parameters:
      id: { type: newKey, table: sales }
      store: { type: key, table: stores }
checks:
  stores-are-known:
    text: SELECT s.id FROM {sales} s LEFT JOIN {stores} t ON t.id = s.store WHERE t.id IS NULL
targets: [sqlite]
measure: { until: { seconds: 1 }, repeats: 1, warmupSeconds: 0 }
`;
