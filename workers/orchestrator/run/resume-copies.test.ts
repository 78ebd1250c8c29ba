import { copyFileSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { ownMark } from '#engines/shared/own-tables.ts';
import { experimentYaml, testHome } from '#integration/home.fixture.ts';
import { newTrustedRun, resumeTrusted } from '#integration/trusted.fixture.ts';
import { sharedTestServer, type TestServer } from '#managed-servers/test-server.fixture.ts';
import type { Home } from '#platform/paths.ts';
import { temporaryFolder } from '#platform/temporary-folder.fixture.ts';
import { deadRunsTables, holdTables, tablesOf } from './leftovers.ts';
import { collect, once } from './run.fixture.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const skipped = isSkipped('embedded-postgres') ? 'PostgreSQL cannot be started here' : null;

describe.skipIf(skipped !== null)(skipped ?? 'beside a run that goes on', () => {
  let server: TestServer;
  let yamlFor: (seconds: number) => string;
  let variables: Readonly<Record<string, string>>;
  beforeAll(async () => {
    server = await sharedTestServer();
    const { host, port, database, user, password } = server.raw;
    const target = { name: 'pg', engine: 'postgres', host, port, database, user, password: `\${env:PG}` };
    variables = { PG: String(password) };
    yamlFor = (seconds) =>
      experimentYaml({
        targets: JSON.stringify([target]),
        workload: '{ operation: insert, thinkMs: 20 }',
        measure: `{ until: { seconds: ${seconds} }, warmupSeconds: 0.1, repeats: 1 }`,
      });
  });
  afterAll(() => server[Symbol.asyncDispose]());

  test('a copy of its file is another run at the server where it is resumed from another home', async () => {
    await using here = testHome();
    await using elsewhere = testHome();
    const run = await newTrustedRun({ home: here.home, yaml: yamlFor(5), variables });
    const { results, records } = collect(run);
    const copy = join(temporaryFolder(), 'mailed.dyno-run');
    const measuring = new Promise<void>((resolve) => {
      once(run, (one) => one.record === 'phase' && one.phase === 'measure', resolve);
    });
    const ended = run.start();
    await measuring;

    // Neither the copy nor another name of the file can be resumed in the same home.
    const names = { copy: copyFileSync, link: linkSync, symlink: symlinkSync };
    for (const [name, make] of Object.entries(names)) {
      const other = join(temporaryFolder(), name);
      make(run.file, other);
      await expect(resumeTrusted({ home: here.home, file: other, variables }), name).rejects.toThrow(
        /Another Dyno process/,
      );
    }

    copyFileSync(run.file, copy);
    const again = await resumeTrusted({ home: elsewhere.home, file: copy, variables });
    const ofCopy = collect(again);
    const both = await Promise.all([ended, again.start()]);
    expect(both).toMatchObject([
      { status: 'complete', failedTrials: 0, error: null },
      { status: 'complete', failedTrials: 0, error: null },
    ]);
    expect([...results(), ...ofCopy.results()].map(({ status }) => status)).toEqual(['ok', 'ok']);
    const tag = run.id.slice(-8);
    const resumed = ofCopy.records.flatMap((one) => (one.record === 'resumed' ? [one.tag] : []));
    expect(resumed).toHaveLength(1);
    expect(resumed).not.toContain(tag);
    for (const one of [records, ofCopy.records])
      expect(one).toContainEqual(expect.objectContaining({ record: 'sessions', left: 0 }));
    for (const { home } of [here, elsewhere]) expect(deadRunsTables(home)).toEqual([]);
  });

  const connect = async (application_name: string) => {
    const { host, port, database, user, password } = server.raw;
    const client = new pg.Client({
      ...{ host: String(host), port: Number(port), database: String(database), user: String(user) },
      ...{ password: String(password), application_name },
    });
    await client.connect();
    return client;
  };
  /** A table that a run with this tag has created, and a session of the run. */
  async function tableAt(tag: string) {
    const client = await connect(`dyno-${tag}`);
    const name = `dyno_${tag}_1`;
    await client.query(`CREATE TABLE dyno.${name} (x int); COMMENT ON TABLE dyno.${name} IS '${ownMark(name)}'`);
    return { name, client };
  }
  async function isThere(name: string): Promise<boolean> {
    const client = await connect('test');
    const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS found', [`dyno.${name}`]);
    await client.end();
    return rows[0].found;
  }
  const runIn = async (home: Home) => newTrustedRun({ home, yaml: yamlFor(0.5), variables });

  test('a file that names its id drops none of its tables', async () => {
    await using own = testHome();
    const run = await runIn(own.home);
    once(
      run,
      ({ record }) => record === 'trial',
      () => run.cancel(),
    );
    await run.start();
    const { name, client } = await tableAt('0000beef');
    await client.end();
    const [header, ...lines] = readFileSync(run.file, 'utf8').split('\n');
    const stolen = { ...JSON.parse(header ?? ''), runId: '20261120-080000-0000beef' };
    const file = join(temporaryFolder(), 'stolen.dyno-run');
    writeFileSync(file, [JSON.stringify(stolen), ...lines].join('\n'));
    const again = await resumeTrusted({ home: own.home, file, variables });
    expect(again.id).toBe(stolen.runId);
    expect(await again.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
    expect(await isThere(name)).toBe(true);
  });

  test('tables that this home has noted stay as long as sessions of their run are at the server', async () => {
    await using own = testHome();
    const first = await runIn(own.home);
    let places: readonly string[] = [];
    once(
      first,
      ({ record }) => record === 'trial',
      () => {
        places = tablesOf(own.home, first.id.slice(-8))?.places ?? [];
        first.cancel();
      },
    );
    await first.start();
    expect(places).toHaveLength(1);
    const { name, client } = await tableAt('0000cafe');
    {
      using held = holdTables(own.home, '0000cafe');
      held.note(places[0]!);
    }
    await (await runIn(own.home)).start();
    expect(await isThere(name)).toBe(true);
    expect(deadRunsTables(own.home)).toHaveLength(1);
    await client.end();
    await (await runIn(own.home)).start();
    expect(await isThere(name)).toBe(false);
    expect(deadRunsTables(own.home)).toEqual([]);
  });
});
