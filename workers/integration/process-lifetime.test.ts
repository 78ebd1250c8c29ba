import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isSkipped } from '#engines/conformance/skipped.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { isAlive } from '#platform/is-alive.ts';
import type { Home } from '#platform/paths.ts';
import { commandOf, pidsBelow, procOf } from '#platform/processes.fixture.ts';
import { whole } from '#platform/whole.fixture.ts';
import { type Ended, start, until } from './cli.fixture.ts';
import { experimentYaml, type TestHome, testHome } from './home.fixture.ts';

// Real processes, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

/** A query that never ends, and blocks the event loop of the process that runs it: node:sqlite is synchronous. */
const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c';

const measure = '{ until: { seconds: 1 }, repeats: 1, warmupSeconds: 0, timeoutSeconds: 600 }';

const blockedClients = experimentYaml({
  targets: '[sqlite]',
  workload: '{ operation: statement, connections: 2, processes: 2 }',
  statements: `{ endless: { text: "${endless}" } }`,
  measure,
});

const blockedControl = experimentYaml({
  targets: '[sqlite]',
  workload: '{ operation: statement }',
  statements: `{ look: { text: "SELECT :x", parameters: { x: { type: query, text: "${endless}" } } } }`,
  measure,
});

const sleepingServer = experimentYaml({
  targets: '[embedded-postgres]',
  workload: '{ operation: statement, connections: 2, processes: 2 }',
  statements: '{ sleep: { text: "SELECT pg_sleep(600)" } }',
  measure,
});

const isWorker = (pid: number): boolean => commandOf(pid).includes('workers/worker.');

const journal = (home: Home): string =>
  existsSync(home.runs)
    ? readdirSync(home.runs)
        .map((name) => readFileSync(join(home.runs, name), 'utf8'))
        .join('')
    : '';

interface Running {
  readonly ended: Promise<Ended>;
  signal(name: NodeJS.Signals): void;
  /** Every process that the command line has started so far. */
  readonly pids: readonly number[];
}

let started: readonly number[] = [];
// A failed test leaves no busy process behind.
afterEach(() => {
  for (const pid of started.filter(isAlive)) process.kill(pid, 'SIGKILL');
  started = [];
});

/** Runs until this number of workers are in the endless calls of this phase. */
async function begin({ home }: TestHome, yaml: string, phase: string, workers: number, spins = true): Promise<Running> {
  const file = join(home.root, 'x.dyno.yaml');
  writeFileSync(file, yaml);
  const { child, ended } = start(home, 'run', file);
  const pid = child.pid ?? 0;
  const pids = () => pidsBelow(pid);
  started = [pid];
  await until(() => journal(home).includes(`"phase":"${phase}"`) && pids().filter(isWorker).length === workers);
  started = [pid, ...pids()];
  const before = new Map(pids().map((one) => [one, procOf(one)?.cpu ?? 0]));
  const isStuck = (one: number) => isWorker(one) && (procOf(one)?.cpu ?? 0) > (before.get(one) ?? 0) + 30;
  await until(() => !spins || pids().some(isStuck));
  return { ended, pids: pids(), signal: (name) => child.kill(name) };
}

const allGone = async ({ pids }: Running): Promise<void> => {
  await until(() => !pids.some(isAlive));
};

function tablesIn(home: Home): readonly string[] {
  using database = new DatabaseSync(join(home.embedded, 'sqlite', 'dyno.sqlite'), { readOnly: true });
  return database
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'dyno\\_%\\_%' ESCAPE '\\'")
    .all()
    .map((row) => String(row.name));
}

describe.skipIf(process.platform !== 'linux')('no process outlives the command line', () => {
  it.for([
    ['client workers are in a call that never returns', blockedClients, 'measure', 3],
    ['the control worker is in a call that never returns', blockedControl, 'prepare', 1],
    ['a server is asked for something that takes long', sleepingServer, 'measure', 3],
  ] as const)('that is killed while %s', async ([, yaml, phase, workers], { skip }) => {
    const sleeps = yaml === sleepingServer;
    if (sleeps && isSkipped('embedded-postgres')) skip('There is no PostgreSQL.');
    await using test = testHome();
    const run = await begin(test, yaml, phase, workers, !sleeps);
    run.signal('SIGKILL');
    await run.ended;
    await allGone(run);
  });

  it('that is asked once to end: calls are given up, tables are dropped', async () => {
    await using test = testHome();
    const run = await begin(test, blockedClients, 'measure', 3);
    expect(tablesIn(test.home)).toHaveLength(1);
    run.signal('SIGINT');
    const { code } = await run.ended;
    expect(code).toBe(exitCodes.cancelled);
    expect(run.pids.filter((pid) => isWorker(pid) && isAlive(pid))).toEqual([]);
    expect(tablesIn(test.home)).toEqual([]);
    await allGone(run);
  });

  it.runIf(whole)('that is asked once to end while the control worker is stuck', async () => {
    await using test = testHome();
    const run = await begin(test, blockedControl, 'prepare', 1);
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(exitCodes.cancelled);
    expect(tablesIn(test.home)).toEqual([]);
    await allGone(run);
  });

  it('that is asked twice to end: its workers are gone before it is', async () => {
    await using test = testHome();
    const run = await begin(test, blockedClients, 'measure', 3);
    run.signal('SIGINT');
    await sleep(1_000); // Two simultaneous signals are one Ctrl-C.
    run.signal('SIGINT');
    expect((await run.ended).code).toBe(exitCodes.cancelled);
    expect(run.pids.filter((pid) => isWorker(pid) && isAlive(pid))).toEqual([]);
    await allGone(run);
  });
});
