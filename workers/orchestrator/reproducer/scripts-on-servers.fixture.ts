import { execFile } from 'node:child_process';
import { existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import type { ScriptLanguage } from '#engine-api/reproducer.ts';
import { loadEngine } from '#engines/load.ts';
import { loadReproducer } from '#engines/load-reproducer.ts';
import { readYaml } from '#experiment/yaml/yaml-source.ts';
import type { TestServer } from '#managed-servers/test-server.fixture.ts';
import { planExperiment } from '#planning/plan-experiment.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import type { Plan } from '#protocol/plan.ts';
import { parseFile } from '#rules/parsed-file.ts';
import { createGenerator } from '#runner/generator/generator.ts';
import { planContext } from '#workspace/library/plan-context.ts';
import { catalogEntry } from '../worker/targets.ts';
import { makeReproducer } from './make-reproducer.ts';
import { cellOf, reproducedCell } from './reproduced-cell.ts';

const rows = 900;
const yaml = (target: unknown, workload: string) => `
dyno: 1
name: Rows
question: Which?
dataset:
  rows: ${rows}
  key: id
  columns:
    id: { type: uuid4 }
    price: { type: decimal, precision: 12, scale: 2, min: -50, nulls: 0.2 }
    at: { type: timestamp, from: '1965-01-01', to: '2030-01-01' }
    flag: { type: boolean }
    words: { type: text, minLength: 1, maxLength: 30, alphabet: unicode, nulls: 0.1 }
    bytes: { type: bytes, minLength: 1, maxLength: 33 }
    one: { type: oneOf, values: ["it's", 'a \\ b', '-- c'] }
workload: ${workload}
measure: { until: { rows: ${rows / 3} }, warmupRows: 20, repeats: 1 }
targets: ${JSON.stringify([target])}`;

const run = promisify(execFile);
const signal = new AbortController().signal;

/** The environment variables of scripts, from the fields of a server. */
type Variables = (raw: Readonly<Record<string, unknown>>) => Readonly<Record<string, string>>;

function planOf(engine: string, raw: TestServer['raw'], workload: string): Plan {
  const target = Object.fromEntries(Object.entries(raw).filter(([name]) => !/password/i.test(name)));
  const { plan, diagnostics } = planExperiment(
    parseFile(readYaml(yaml({ ...target, name: 'own', engine }, workload))),
    planContext(),
  );
  expect(diagnostics).toEqual([]);
  return plan!;
}

/** A language of scripts, and the way in which tests start one. */
interface Launch {
  readonly language: ScriptLanguage;
  readonly ending: string;
  readonly command: readonly [program: string, ...args: string[]];
  /** Changes of a script, so that one connection fails after a few calls and the others would go on. */
  readonly failing: Readonly<Record<string, string>>;
}

/** Node, in a folder from which a script finds Dyno's packages. */
const byNode: Launch = {
  ...{ language: 'node', ending: 'mjs', command: [process.execPath] },
  failing: { 'if (answered !== one.rows)': 'if (times.length > 20)' },
};

/** Java with a driver's jars on its class path. */
export const byJava = (java: string, classPath: string): Launch => ({
  ...{ language: 'java', ending: 'java' },
  command: [java, '-cp', classPath],
  failing: {
    'SECONDS = -1;': 'SECONDS = 600;',
    'if (answered != work.rows)': 'if (calls > 20 && Thread.currentThread().getName().endsWith("3"))',
  },
});

function scriptFile({ ending }: Launch): string {
  const folder = temporaryFolder();
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(folder, 'node_modules'));
  return join(folder, `Script.${ending}`);
}

/**
 * Runs the scripts of several workloads on a server, and compares the rows that an insert leaves with those that Dyno
 * itself writes: their number and their checksum. Dyno then drops the script's table by its mark.
 */
export async function compareScripts(
  engine: string,
  raw: TestServer['raw'],
  variables: Variables,
  workloads: readonly string[],
  launch: Launch = byNode,
): Promise<void> {
  const { descriptor, config } = catalogEntry(engine);
  const { language, command } = launch;
  const [program, ...args] = command;
  const reproducer = (await loadReproducer(engine))!;
  const loaded = await loadEngine(engine);
  const file = scriptFile(launch);
  await using database = await loaded.open(config.parse(raw), 'dyno-test', signal);
  for (const workload of workloads) {
    const plan = planOf(engine, raw, workload);
    const cell = reproducedCell(plan, cellOf(plan, {}), descriptor, reproducer);
    if ('cannot' in cell) throw new Error(cell.cannot);
    writeFileSync(file, await makeReproducer(plan, { language }));
    const { table, operation } = cell.work;
    const isInsert = operation === 'insert';
    const written = rows / 3 + 20;
    const expected = { ...table, name: 'dyno_expected' };
    await database.prepareSchema(expected);
    const load = (count: number) =>
      database.load(expected, [createGenerator(cell.dataset).fill(0, count, null)], () => {}, signal);
    await load(isInsert ? written : rows);
    const env = { ...process.env, ...variables(raw), KEEP: isInsert ? '1' : '0' };
    const { stdout } = await run(program, [...args, file], { env });
    expect(stdout, workload).toMatch(/measured: [1-9].*\nthroughput: .* rows\/s, .* calls\/s\ncall: p50 .* ms, p99 /);
    if (isInsert) {
      expect(stdout, workload).toContain(`measured: ${rows / 3} rows in `);
      expect(await database.checksum(table), workload).toEqual(await database.checksum(expected));
      const { rows: stored, columns } = (await database.checksum(table))!;
      expect(stored, workload).toBe(written);
      if (language === 'java' || reproducer.checksum !== undefined)
        expect(stdout, workload).toContain(
          `table: ${stored} rows; checksum ${table.columns.map(({ name }, c) => `${name} ${columns[c]}`).join(', ')}\n`,
        );
      await database.drop(table);
    }
    expect(await database.leftovers('dyno_')).not.toContain(table.name);
    await database.drop(expected);
  }
}

/** Runs a script in which a call fails within a transaction: it ends at once with the error, and leaves no table. */
export async function failScript(
  engine: string,
  raw: TestServer['raw'],
  variables: Variables,
  workload: string,
  launch: Launch = byNode,
): Promise<void> {
  const { language, failing } = launch;
  const [program, ...args] = launch.command;
  const file = scriptFile(launch);
  let script = await makeReproducer(planOf(engine, raw, workload), { language });
  for (const [text, change] of Object.entries(failing)) {
    expect(script).toContain(text);
    script = script.replace(text, change);
  }
  writeFileSync(file, script);
  const ends = run(program, [...args, file], { env: { ...process.env, ...variables(raw) }, timeout: 30_000 });
  await expect(ends).rejects.toThrow(/A call of \d+ rows touched/);
  const { config } = catalogEntry(engine);
  await using database = await (await loadEngine(engine)).open(config.parse(raw), 'dyno-test', signal);
  expect(await database.leftovers('dyno_')).not.toContain('dyno_reproducer');
}

/** The variables of libpq. */
export const libpqVariables: Variables = ({ host, port, user, password, database }) => ({
  ...{ PGHOST: String(host), PGPORT: String(port), PGUSER: String(user), PGPASSWORD: String(password) },
  PGDATABASE: String(database),
});

/** The variables of scripts for Java. */
export const jdbcVariables =
  (scheme: string): Variables =>
  ({ host, port, user, password, database }) => ({
    JDBC_URL: String(host).startsWith('/')
      ? `jdbc:${scheme}://localhost/?localSocket=${String(host)}`
      : `jdbc:${scheme}://${String(host)}:${String(port)}/${String(database ?? '')}`,
    ...{ JDBC_USER: String(user), JDBC_PASSWORD: String(password ?? '') },
  });

/** The place where Debian's packages libpostgresql-jdbc-java and libmariadb-java put the jars of drivers. */
export const debianJar = (name: string): string => `/usr/share/java/${name}.jar`;

/** Runs the scripts for SQLite beside a file of Dyno's, and looks at the file that a script leaves or deletes. */
export async function compareFiles(workloads: readonly string[]): Promise<void> {
  const folder = temporaryFolder();
  const database = join(folder, 'dyno.sqlite');
  await compareScripts('sqlite', { path: folder }, () => ({ SQLITE_FILE: database }), workloads);
  expect(existsSync(database)).toBe(true);
}
