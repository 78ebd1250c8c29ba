import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Alternative } from '../conformance/conformance.ts';
import type { StartTestServer } from '../conformance/test-server.ts';
import { listedValues, typedValues } from './typed-values.fixture.ts';

/** Tables without a rowid must pass the same tests. */
export const alternatives: readonly Alternative[] = [
  {
    options: { table: 'withoutRowid' },
    unchanged: [
      'isolation',
      'cancel',
      'injection',
      'capturedValues',
      'parameterValues',
      'readOnlySessions',
      'probes',
      'cells',
    ],
  },
];

export const startTestServer: StartTestServer = async (folder) => {
  const raw = { path: folder };
  const direct = <T>(use: (database: DatabaseSync) => T): T => {
    const database = new DatabaseSync(join(folder, 'dyno.sqlite'));
    try {
      return use(database);
    } finally {
      database.close();
    }
  };
  return {
    raw,
    sessionSetting: ['cache_size', '-1234', '-1234'],
    values: typedValues,
    listed: listedValues,
    decimalsAreWhole: true,
    slow: { raw, method: 'prepared', rows: 1 },
    indexes: {
      list: async (name) => {
        const rows = direct((d) =>
          d
            .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = ?")
            .all(name),
        );
        return Object.fromEntries(rows.map((row) => [String(row.name), String(row.sql)]));
      },
      samples: {
        unique: { change: () => ({ unique: true }), shown: /^CREATE UNIQUE INDEX/ },
        order: { change: (part) => ({ parts: [{ ...part, descending: true }] }), shown: /" DESC/ },
        where: { change: () => ({ where: 'price > 5' }), shown: / WHERE \(price > 5\)$/ },
        expression: { change: () => ({ parts: [{ expression: 'upper(code)' }] }), shown: /\(\(upper\(code\)\)\)/ },
        path: {
          change: () => ({ parts: [{ column: 8, path: ['a', 'b'] }] }),
          shown: /json_extract\("details", '\$\.a\.b'\)/,
        },
      },
    },
    foreign: {
      create: async (name) => direct((d) => d.exec(`CREATE TABLE "${name}" (x); INSERT INTO "${name}" VALUES (1)`)),
      copy: async (original, name) =>
        direct((d) => {
          const made = d.prepare('SELECT sql FROM sqlite_schema WHERE name = ?').get(original);
          d.exec(String(made?.sql).replace(`CREATE TABLE "${original}"`, `CREATE TABLE "${name}"`));
        }),
      hold: async (table, holder) =>
        direct((d) => {
          d.exec(`CREATE TABLE "${holder}" (x REFERENCES "${table}" ON DELETE CASCADE)`);
        }),
      release: async (holder) => direct((d) => d.exec(`DROP TABLE "${holder}"`)),
      count: async (name) => Number(direct((d) => d.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.n)),
      drop: async (name) => direct((d) => d.exec(`DROP TABLE "${name}"`)),
    },
    [Symbol.asyncDispose]: async () => {},
  };
};
