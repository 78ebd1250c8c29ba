import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { cleanTarget } from '#orchestrator/check/clean-target.ts';
import { collect } from '#orchestrator/run/run.fixture.ts';
import { type Control, createControl } from '#orchestrator/worker/control.ts';
import { smokeOf } from '#platform/whole.fixture.ts';
import { openGate } from '#workspace/trust/gate.ts';
import { keeping, sharedHome } from '../shared-home.fixture.ts';
import { newTrustedRun } from '../trusted.fixture.ts';

// Whole runs, on machines that may be busy.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

interface OnTarget {
  readonly engine: string;
  readonly setup: Readonly<Record<string, string>>;
  /** Statements that the server takes while the objects of setup are there; `refused`: one that it does not take. */
  readonly teardown: Readonly<Record<string, string>>;
  /** A statement that calls what setup has made, and finds one row. */
  readonly read: string;
  /** Counts what is left in Dyno's schema, tables apart. */
  readonly objects: string;
  /** A statement that the server refuses, and its words. */
  readonly wrong: string;
  readonly refusal: RegExp;
}

const view = 'CREATE VIEW {cheap} AS SELECT id, price FROM {table} WHERE price < 500';
/** So many that a strike hits the setup before its end. */
const views = Object.fromEntries(
  Array.from({ length: 60 }, (_, i) => [`v${i}`, `CREATE VIEW {v${i}} AS SELECT id FROM {cheap}`]),
);
const wrongView = 'CREATE VIEW {wrong} AS SELECT no_such_column FROM {table}';

const targets: Readonly<Record<string, OnTarget>> = {
  'embedded-postgres': {
    engine: 'postgres',
    setup: {
      price_of:
        'CREATE FUNCTION {price_of}(n bigint) RETURNS bigint STABLE LANGUAGE sql AS $$ SELECT price FROM {table} WHERE id = n $$',
      fill: 'CREATE PROCEDURE {fill}() LANGUAGE plpgsql AS $$ BEGIN NULL; END $$',
      on_insert: 'CREATE FUNCTION {on_insert}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$',
      audit: 'CREATE TRIGGER {audit} BEFORE INSERT ON {table} FOR EACH ROW EXECUTE FUNCTION {on_insert}()',
      both: 'CREATE STATISTICS {both} (dependencies) ON id, price FROM {table}',
      sums: 'CREATE MATERIALIZED VIEW {sums} AS SELECT sum(price) AS total FROM {table}',
      rights: 'GRANT SELECT ON {table} TO PUBLIC',
      cheap: view,
    },
    teardown: {
      refused: 'CALL {fill}(1)',
      sums: 'REFRESH MATERIALIZED VIEW {sums}',
      fill: 'CALL {fill}()',
      rights: 'REVOKE SELECT ON {table} FROM PUBLIC',
      cheap: 'DROP VIEW {cheap}',
      price_of: 'DROP FUNCTION {price_of}(bigint)',
    },
    read: 'SELECT {price_of}(max(id)) FROM {cheap}, {sums}',
    objects: `SELECT relname FROM pg_class WHERE relnamespace = 'dyno'::regnamespace AND relkind IN ('v', 'm')
      UNION ALL SELECT proname FROM pg_proc WHERE pronamespace = 'dyno'::regnamespace
      UNION ALL SELECT stxname FROM pg_statistic_ext WHERE stxnamespace = 'dyno'::regnamespace
      UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`,
    wrong: wrongView,
    refusal: /^setup\.wrong: column "no_such_column" does not exist/,
  },
  'local-mariadb': {
    engine: 'mysql',
    setup: {
      price_of:
        'CREATE FUNCTION {price_of}(n BIGINT) RETURNS BIGINT READS SQL DATA BEGIN DECLARE found BIGINT; SELECT price INTO found FROM {table} WHERE id = n; RETURN found; END',
      fill: 'CREATE PROCEDURE {fill}() SELECT 1',
      audit: 'CREATE TRIGGER {audit} BEFORE INSERT ON {table} FOR EACH ROW SET NEW.price = NEW.price',
      statistics: 'ANALYZE TABLE {table} PERSISTENT FOR ALL',
      cheap: view,
    },
    teardown: {
      refused: 'CALL {fill}(1)',
      fill: 'CALL {fill}()',
      cheap: 'DROP VIEW {cheap}',
      audit: 'DROP TRIGGER {audit}',
      price_of: 'DROP FUNCTION {price_of}',
    },
    read: 'SELECT {price_of}(max(id)) FROM {cheap}',
    objects: `SELECT table_name FROM information_schema.views WHERE table_schema = 'dyno'
      UNION ALL SELECT routine_name FROM information_schema.routines WHERE routine_schema = 'dyno'
      UNION ALL SELECT trigger_name FROM information_schema.triggers WHERE trigger_schema = 'dyno'`,
    wrong: wrongView,
    refusal: /^setup\.wrong: .*Unknown column 'no_such_column'/,
  },
  sqlite: {
    engine: 'sqlite',
    setup: {
      audit: 'CREATE TRIGGER {audit} AFTER INSERT ON {table} BEGIN SELECT 1; END',
      statistics: 'ANALYZE {table}',
      cheap: view,
    },
    teardown: { refused: 'DROP TRIGGER {cheap}', cheap: 'DROP VIEW {cheap}', audit: 'DROP TRIGGER {audit}' },
    read: 'SELECT max(id) FROM {cheap}',
    objects: "SELECT name FROM sqlite_schema WHERE type IN ('view', 'trigger')",
    wrong: 'CREATE VIEW {wrong} AS SELECT',
    refusal: /^setup\.wrong: .*incomplete input/,
  },
  'local-mongodb': {
    engine: 'mongodb',
    setup: {
      cheap: '{"create": "{cheap}", "viewOn": "{table}", "pipeline": [{"$match": {"price": {"$lt": 500}}}]}',
    },
    // MongoDB drops a view that is missing without an error, so that it refuses no statement of teardown.
    teardown: { cheap: '{"drop": "{cheap}"}' },
    read: '{"aggregate": "{cheap}", "pipeline": [{"$group": {"_id": null, "most": {"$max": "$price"}}}], "cursor": {}}',
    objects: '{"listCollections": 1, "filter": {"type": "view"}, "nameOnly": true}',
    wrong: '{"create": "{wrong}", "viewOn": "{table}", "pipeline": [{"$nothing": {}}]}',
    refusal: /^setup\.wrong: .*\$nothing/,
  },
};

const yamlOf = (target: string, setup: object, seconds = 0.3, teardown?: object) =>
  JSON.stringify({
    ...{ dyno: 1, name: 'Setup', question: 'Is anything left?' },
    dataset: {
      ...{ rows: 300, key: 'id' },
      columns: { id: { type: 'sequence' }, price: { type: 'integer', min: 1, max: 1_000 } },
    },
    workload: { operation: 'statement', method: 'bind' },
    setup,
    ...(teardown && { teardown }),
    statements: { read: { text: targets[target]!.read, expectRows: 1 } },
    targets: [target],
    measure: { until: { seconds }, repeats: 2, warmupSeconds: 0 },
  });

async function ran(target: string, setup: object, teardown?: object) {
  const run = await newTrustedRun({ home: own.home, yaml: yamlOf(target, setup, 0.3, teardown) });
  const { results } = collect(run);
  await run.start();
  return results();
}

const standing = fileURLToPath(new URL('struck-run.fixture.ts', import.meta.url));

/** Runs an experiment, and kills the command when the second trial has come to this point. */
async function killed(yaml: string, phase: string, when: () => Promise<unknown>): Promise<void> {
  const file = join(own.home.root, 'setup.dyno.yaml');
  writeFileSync(file, yaml);
  const child = spawn(process.execPath, [standing, 'run', file, '--quiet'], {
    env: { ...process.env, DYNO_HOME: own.home.root },
    stdio: ['pipe', 'ignore', 'inherit', 'pipe'],
  });
  child.stdin!.on('error', () => {}); // the process was killed while it paused
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.on('close', (_, signal) => resolve(signal)));
  for await (const told of createInterface({ input: child.stdio[3] as Readable })) {
    child.stdin!.write('\n');
    if (told !== phase) continue;
    await when();
    child.kill('SIGKILL');
  }
  expect(await ended).toBe('SIGKILL');
}

const signal = new AbortController().signal;

const here = smokeOf(Object.entries(targets).filter(([, { engine }]) => !isSkipped(engine)));
const own = sharedHome(keeping(...here.map(([target]) => target)));

describe.each(here)('setup on %s', (target, on) => {
  const trusted = () => openGate(own.home).named(target)!;
  /** Keeps the server up, whose start drops what statements have left. */
  const connected = async () => {
    const control = createControl({
      ...{ target: trusted(), home: own.home, variables: {}, tag: 'dyno-0000feed' },
      ...{ onActivity: () => {}, onProgress: () => {} },
    });
    await control.connect(signal);
    return control;
  };
  const objectsOf = async (control: Control) => {
    const request = { text: on.objects, tables: {}, options: {}, most: 500, isUndone: false };
    return (await control.ask({ call: 'query', ...request }, signal)).rows;
  };

  test('makes what statements call, and leaves nothing, also where one of its statements fails', async () => {
    await using control = await connected();
    const results = await ran(target, on.setup);
    expect(results.map(({ status, error }) => ({ status, error }))).toEqual(
      Array(2).fill({ status: 'ok', error: null }),
    );
    expect(results[0]!.totals.calls).toBeGreaterThan(0);
    expect(await objectsOf(control)).toEqual([]);
    const failed = await ran(target, { ...on.setup, wrong: on.wrong });
    expect(failed[0]).toMatchObject({ status: 'failed', error: { message: expect.stringMatching(on.refusal) } });
    expect(await objectsOf(control)).toEqual([]);
    expect(await control.ask({ call: 'leftovers', namePrefix: '' }, signal)).toEqual([]);
  });

  test('is followed by the teardown, whose errors stand beside the measurement', async () => {
    await using control = await connected();
    const { refused, ...taken } = on.teardown;
    expect((await ran(target, on.setup, taken)).map(({ status, teardownErrors }) => [status, teardownErrors])).toEqual(
      Array(2).fill(['ok', undefined]),
    );
    if (refused === undefined) return;
    const [result] = await ran(target, on.setup, { refused, ...taken });
    expect(result).toMatchObject({
      ...{ status: 'ok', error: null },
      teardownErrors: [expect.stringMatching(/^teardown\.refused: ./)],
    });
    expect(result!.totals.calls).toBeGreaterThan(0);
    expect(await objectsOf(control)).toEqual([]);
    expect(await control.ask({ call: 'leftovers', namePrefix: '' }, signal)).toEqual([]);
  });

  test('leaves nothing after dyno clean where the run was killed while it measured', async () => {
    await using control = await connected();
    await killed(yamlOf(target, on.setup, 5), 'measure', async () => {});
    expect(await objectsOf(control)).not.toEqual([]);
    await vi.waitFor(async () => {
      await cleanTarget({ home: own.home, target: trusted(), drops: true, signal, onActivity: () => {} });
      expect(await objectsOf(control)).toEqual([]);
    }, 20_000);
    expect(await control.ask({ call: 'leftovers', namePrefix: '' }, signal)).toEqual([]);
  });

  test('leaves nothing after the next run where the run was killed in the setup', async () => {
    await using control = await connected();
    const some = target === 'local-mongodb' ? on.setup : { ...on.setup, ...views };
    await killed(yamlOf(target, some), 'setup', () =>
      vi.waitFor(async () => expect(await objectsOf(control)).not.toEqual([]), { timeout: 20_000, interval: 5 }),
    );
    await vi.waitFor(async () => {
      await ran(target, on.setup);
      expect(await objectsOf(control)).toEqual([]);
      expect(await control.ask({ call: 'leftovers', namePrefix: '' }, signal)).toEqual([]);
    }, 60_000);
  });
});
