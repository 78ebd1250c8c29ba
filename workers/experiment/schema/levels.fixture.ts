/**
 * An experiment file with levels that change texts and tables. `levels`: the levels of the factor `search`; `more`:
 * further lines.
 */
export const levelsYaml = (levels: string, more = ''): string => `dyno: 1
name: Levels
question: Is the rewrite faster?
tables:
  stores: { rows: 20, key: id, columns: { id: { type: sequence }, city: { type: integer, max: 5 } } }
  sales:
    rows: 2000
    key: id
    columns: { id: { type: sequence }, store: { type: reference, table: stores }, sold: { type: integer, max: 9 } }
workload: { operation: statement, method: bind }
statements:
  search:
    text: SELECT id FROM {stores} WHERE id IN (SELECT store FROM {sales} WHERE sold = :day)
    parameters: { day: { type: integer, max: 9 } }
factors:
  search: ${levels}
${more}`;

/** The levels of an ordinary comparison: the statement as it is, rewritten, with an index, and with a hint. */
export const usualLevels = `
    as it is: {}
    rewritten: { statements: { search: { text: "SELECT id FROM {stores} s WHERE EXISTS (SELECT 1 FROM {sales} x WHERE x.store = s.id AND x.sold = :day)" } } }
    index: { tables: { sales: { indexes: [{ columns: [sold, store] }] } } }
    hint: { statements: { search: { text: { oracle: "SELECT /*+ FULL(s) */ id FROM {stores} s WHERE city = :day" } } } }`;
