import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { findEngine } from '#engines/catalog.ts';
import { loadEngine } from '#engines/load.ts';
import { kindOf } from '#managed-servers/servers/kinds.ts';
import { holdServer, supervisorStatus } from '#managed-servers/supervisor-client.ts';
import { deadRunsTables } from '#orchestrator/run/leftovers.ts';
import { exitCodes } from '#platform/exit-codes.ts';
import { isAlive } from '#platform/is-alive.ts';
import type { Home } from '#platform/paths.ts';
import { allProcs, commandOf, pidsBelow } from '#platform/processes.fixture.ts';
import type { JournalRecord } from '#protocol/journal.ts';
import type { Phase, TrialResult } from '#protocol/measurement.ts';
import { dyno } from '../cli.fixture.ts';
import { experimentYaml } from '../home.fixture.ts';

/**
 * The processes of a run, by role. `emulator` is the network emulator: while it is stopped, the network loses
 * everything. `machine`: all processes.
 */
export const victims = ['client', 'control', 'command', 'emulator', 'supervisor', 'server', 'machine'] as const;
type Victim = (typeof victims)[number];

/** The time at which a process is struck. */
export type Moment = Phase | 'setup' | 'report';

export interface Strike {
  readonly victim: Victim;
  /**
   * The phase of the second trial for the strike; `setup`: before the statements of `setup`; `report`: after the run,
   * before its report is written.
   */
  readonly phase: Moment;
  /** `suspend`: stopped, and continued after a while. */
  readonly signal: 'SIGKILL' | 'SIGSTOP' | 'suspend';
  /**
   * True: the level of the second trial changes a parameter of the server, so that each trial has a server of the run's
   * own, and the text of a statement, so that its answers are compared. Its indexes are built after the load, and a
   * view is set up.
   */
  readonly parameters?: true;
}

/** The outcome of a strike. */
interface Aftermath {
  /** The point of the run at the strike; null if the run did not reach it, or had no such process. */
  readonly struckIn: Moment | null;
  /** The output of the command line, and the journal. */
  readonly shown: string;
  /** The losses found afterwards. */
  readonly lost: readonly string[];
}

/** A command that takes longer hangs. The limit includes the time limit of a trial, and requests to a silent server. */
const endsWithinMs = 150_000;
/** A suspended process continues after this time, and so does a stopped command, which nothing else would end. */
const suspendedMs = 2_000;

/** The changes of the level of one of the trials, by engine. */
interface LevelOf {
  /** Absent: the engine has no settings of sessions. */
  readonly session?: Readonly<Record<string, string | number>>;
  /** The parameter that the level changes in a strike with parameters. Absent: SQLite has no server. */
  readonly parameter?: { readonly name: string; readonly usual: string; readonly changed: string };
}

const levels: Readonly<Record<string, LevelOf>> = {
  sqlite: { session: { cache_size: -4_000 } },
  postgres: {
    session: { work_mem: '8MB' },
    parameter: { name: 'max_locks_per_transaction', usual: '64', changed: '96' },
  },
  mysql: {
    session: { sort_buffer_size: 524_288 },
    parameter: { name: 'innodb_flush_log_at_trx_commit', usual: '1', changed: '2' },
  },
  mongodb: {
    parameter: { name: 'internalQueryMaxBlockingSortMemoryUsageBytes', usual: '104857600', changed: '52428800' },
  },
};

/** The texts of a strike with parameters: its view, and a statement that reads its table, or its view instead. */
const texts = {
  sql: {
    view: 'CREATE VIEW {seen} AS SELECT id, payload FROM {table}',
    look: (from: string) => `SELECT payload FROM ${from} WHERE id = :id`,
  },
  json: {
    view: '{ "create": "{seen}", "viewOn": "{table}", "pipeline": [] }',
    look: (from: string) => `{ "find": "${from}", "filter": { "_id": "$id" }, "projection": { "payload": 1 } }`,
  },
} as const;

/** The engine of a target, as experiments name it. */
const engineOf = (target: string): string => kindOf(target)?.engine ?? target;

/**
 * Two trials with rows. Their levels change an index and a setting of the sessions, so that a resumed trial has to have
 * those of its own level.
 */
function experiment(target: string, { phase, parameters, signal }: Strike): string {
  const engine = engineOf(target);
  const { session, parameter } = levels[engine]!;
  const { view, look } = texts[engine === 'mongodb' ? 'json' : 'sql'];
  const changed = {
    dataset: { indexes: [{ columns: ['payload'] }] },
    ...(session && { session: { [engine]: session } }),
    ...(parameters && {
      server: { [engine]: { [parameter!.name]: parameter!.changed } },
      statements: { look: { text: look('{seen}') } },
    }),
  };
  const network = target === 'sqlite' ? '' : ', networkRoundTripMs: 1';
  const access = parameters ? 'operation: statement, indexCreation: afterLoad' : 'operation: update';
  return experimentYaml({
    // Enough rows for a strike during the load.
    rows: phase === 'load' ? '200000' : '3000',
    workload: `{ ${access}, method: bind, connections: 2, processes: 2${network} }`,
    ...(parameters && {
      setup: JSON.stringify({ seen: view }),
      statements: JSON.stringify({ look: { text: look('{table}'), parameters: { id: { type: 'key' } } } }),
    }),
    targets: `[${target}]`,
    factors: JSON.stringify({ change: { unchanged: {}, changed } }),
    // Only trials of stopped processes end by their time limit.
    measure: `{ until: { seconds: 0.5 }, repeats: 1, order: declared, warmupSeconds: 0.5, timeoutSeconds: ${signal === 'SIGSTOP' ? 10 : 300} }`,
  });
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended.
    }
}

async function holds(so: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if (so()) return true;
    await sleep(50);
  }
  return so();
}

/** The run file's whole lines. */
const linesIn = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);
const recordsIn = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as JournalRecord);

function runFile(home: Home): string | null {
  const name = existsSync(home.runs) ? readdirSync(home.runs).find((one) => one.endsWith('.dyno-run')) : undefined;
  return name === undefined ? null : join(home.runs, name);
}

const parts = victims.filter((one) => one !== 'machine');

/** The supervisors of the servers that a run has for itself, besides the one that all runs share. */
const supervisorsOf = (home: Home): readonly number[] =>
  allProcs()
    .filter(({ pid }) => commandOf(pid).includes(home.root) && /supervisor\.[jt]s/.test(commandOf(pid)))
    .map(({ pid }) => pid);

async function pidsOf(home: Home, victim: Victim, command: number, target: string): Promise<readonly number[]> {
  const all = pidsBelow(command);
  const of = (file: string) => all.filter((pid) => commandOf(pid).includes(file)).sort((a, b) => a - b);
  switch (victim) {
    case 'command':
      return [command];
    // The control worker starts before every client.
    case 'control':
      return of('workers/worker.').slice(0, 1);
    case 'client':
      return of('workers/worker.').slice(1, 2);
    case 'machine':
      return (await Promise.all(parts.map((one) => pidsOf(home, one, command, target)))).flat();
    case 'emulator':
      return of('emulator-process.');
    case 'supervisor':
    case 'server': {
      const kind = kindOf(target);
      const status = kind ? await supervisorStatus(home, kind) : null;
      if (!status?.serverPid) return [];
      return victim === 'supervisor' ? [status.supervisorPid] : [status.serverPid, ...pidsBelow(status.serverPid)];
    }
  }
}

const statuses = (lines: readonly string[]): readonly string[] =>
  recordsIn(lines).flatMap((one) =>
    one.record === 'result'
      ? [one.result.status === 'ok' ? 'ok' : `${one.result.status} (${one.result.error?.kind ?? '–'})`]
      : [],
  );

const exitWord = (code: number | null): string =>
  code === null ? 'killed' : (Object.entries(exitCodes).find(([, one]) => one === code)?.[0] ?? `exit code ${code}`);

const standing = fileURLToPath(new URL('struck-run.fixture.ts', import.meta.url));

/** Runs an experiment, and calls `atMoment` while the run pauses at this point. `code` null: it was killed. */
async function runTo(
  home: Home,
  moment: Moment,
  args: readonly string[],
  atMoment: (command: number) => Promise<void>,
) {
  const child = spawn(process.execPath, [standing, 'run', ...args], {
    env: { ...process.env, DYNO_HOME: home.root },
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  });
  let err = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    err += text;
  });
  // The process was killed while it paused.
  child.stdin!.on('error', () => {});
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  let isStruck = false;
  for await (const told of createInterface({ input: child.stdio[3] as Readable })) {
    // A phase may come again.
    if (told === moment && !isStruck) {
      isStruck = true;
      await atMoment(child.pid!);
    }
    child.stdin!.write('\n');
  }
  return { code: await ended, err };
}

/** The results that have not the index, the session and the parameter of their level. */
const wrongLevels = (
  results: readonly TrialResult[],
  { parameters }: Strike,
  { session, parameter }: LevelOf,
): readonly string[] =>
  results.flatMap(({ number, status, variant, sessionSettings, serverParameters, indexBytes }) => {
    const isChanged = variant === 'change=changed';
    const isRight =
      (isChanged && session !== undefined) === (sessionSettings !== undefined) &&
      isChanged === (indexBytes?.length === 1) &&
      (!parameters || serverParameters?.[parameter!.name] === (isChanged ? parameter!.changed : parameter!.usual));
    return status !== 'ok' || isRight ? [] : [`Trial ${number} has other levels than ${variant}.`];
  });

/** The value that the target's own server has for the parameter of the level. */
async function parameterNow(home: Home, target: string): Promise<string | null | undefined> {
  const kind = kindOf(target)!;
  const { name } = levels[kind.engine]!.parameter!;
  const engine = await loadEngine(kind.engine);
  await using server = await holdServer(home, kind);
  const config = findEngine(kind.engine)!.config.parse(server.raw);
  await using database = await engine.open(config, 'dyno-test', new AbortController().signal);
  return (await database.serverParameters!({ [name]: null }))[name]?.value;
}

/** Runs an experiment in an empty home, strikes once, resumes the run, and checks the losses. */
export async function strike(home: Home, cell: Strike, target: string): Promise<Aftermath> {
  const { victim, phase, signal } = cell;
  const level = levels[engineOf(target)]!;
  const yaml = join(home.root, 'struck.dyno.yaml');
  const report = join(home.root, 'struck.html');
  rmSync(report, { force: true });
  writeFileSync(yaml, experiment(target, cell));
  let file: string | null = null;
  let before: readonly string[] = [];
  let all: readonly number[] = [];
  let pids: readonly number[] = [];
  let hangs: NodeJS.Timeout | undefined;
  const { code, err } = await runTo(home, phase, [yaml, '--quiet', '--report', report], async (command) => {
    file = runFile(home);
    before = file === null ? [] : linesIn(file);
    all = pidsBelow(command);
    pids =
      cell.parameters && victim === 'supervisor' ? supervisorsOf(home) : await pidsOf(home, victim, command, target);
    signalAll(pids, signal === 'suspend' ? 'SIGSTOP' : signal);
    if (signal === 'suspend' || (signal === 'SIGSTOP' && victim === 'command'))
      setTimeout(() => signalAll(pids, 'SIGCONT'), suspendedMs);
    hangs = setTimeout(() => signalAll([command], 'SIGKILL'), endsWithinMs);
  });
  clearTimeout(hangs);

  const lost: string[] = [];
  if (file === null)
    return { struckIn: null, shown: err, lost: [`The run did not reach its ${phase}: ${err.slice(-300)}`] };
  if (code === null && !(['command', 'machine'].includes(victim) && signal === 'SIGKILL'))
    lost.push('The command did not end.');
  if (code !== null || existsSync(report)) {
    const isWhole = existsSync(report) && /<\/html>\s*$/.test(readFileSync(report, 'utf8'));
    if (!isWhole) lost.push('There is no whole report.');
  }
  const struck = [...new Set([...all, ...pids])];
  // Nothing ends a stopped supervisor; all other processes end without being continued.
  if (victim === 'supervisor') signalAll(pids, 'SIGCONT');
  if (!(await holds(() => !struck.some(isAlive), 60_000)))
    lost.push(`Processes are left: ${struck.filter(isAlive).map(commandOf).join('; ')}`);
  signalAll(pids, 'SIGCONT');
  const told = statuses(linesIn(file)).join(', ');
  const again = await dyno(home, 'resume', file, '--quiet');
  const after = linesIn(file);
  if (!before.every((line, i) => after[i] === line)) lost.push('Lines of the run file have changed.');
  const last = new Map(
    recordsIn(after).flatMap((one) => (one.record === 'result' ? [[one.result.number, one.result]] : [])),
  );
  for (const number of [1, 2]) {
    const result = last.get(number);
    if (result === undefined) lost.push(`Trial ${number} has no result after dyno resume: ${again.err.slice(-300)}`);
    // A trial that exceeds the experiment's own time limit is reported, and not repeated.
    else if (result.status !== 'ok' && result.status !== 'didNotFinish')
      lost.push(`Trial ${number} is ${result.status}: ${result.error?.message}`);
  }
  lost.push(...wrongLevels([...last.values()], cell, level));
  // A trial that failed on a busy machine is repeated.
  const first = recordsIn(before).find((one) => one.record === 'result')?.result;
  if (first?.status === 'ok' && JSON.stringify(last.get(1)) !== JSON.stringify(first))
    lost.push('The first result has changed.');
  // A run with its last result written has nothing to resume: the next run on the target drops its tables.
  const hasTables = deadRunsTables(home).length > 0;
  if (hasTables) await dyno(home, 'run', yaml, '--quiet');
  if (deadRunsTables(home).length > 0) lost.push('Tables are left.');
  // The supervisors delete the servers of a run.
  const ownServers = () => readdirSync(home.embedded).filter((name) => name.includes('+'));
  if (!(await holds(() => ownServers().length === 0, 60_000)))
    lost.push(`Servers are left: ${ownServers().join(', ')}`);
  if (cell.parameters) {
    const value = await parameterNow(home, target);
    if (value !== level.parameter!.usual) lost.push(`The server has ${level.parameter!.name} = ${value}.`);
  }
  return {
    struckIn: pids.length === 0 ? null : phase,
    shown: `${exitWord(code)}: ${told}; then: ${statuses(after).join(', ')}${hasTables ? '; tables until the next run' : ''}`,
    lost,
  };
}
