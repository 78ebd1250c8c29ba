import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import type { Connection, Passwords } from '#model/connections.ts';
import { loadHostsOf } from '#planning/load-host-rules.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import type { Plan } from '#protocol/plan.ts';
import { connectionsIn, requirePasswords } from '#workspace/connections/connection-passwords.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { requireConfirmed } from '#workspace/connections/production-hosts.ts';
import { findListFiles, requireListFiles } from '#workspace/library/list-files.ts';
import { requirePlan } from '#workspace/library/plan-experiment.ts';
import { requireLoadHosts } from '#workspace/load-hosts/load-host-store.ts';
import { runFile } from '#workspace/runs/journal-file.ts';
import { openJournal } from '../journal/journal.ts';
import type { Variables } from '../worker/targets.ts';
import { readUnfinished } from './resume.ts';
import { createScheduler, type Run } from './run-scheduler.ts';

interface RunOptions {
  readonly home: Home;
  /** Values of `${env:NAME}`; process.env by default. */
  readonly variables?: Variables;
  /** Passwords of the connections that the experiment names, where the environment does not have them. */
  readonly passwords?: Passwords;
  /** Host names that were typed to confirm production connections. Default: none. */
  readonly confirmed?: readonly string[];
}

/** Plans a run and opens its file. Throws 'badInput' with the experiment's problems, or where there can be no file. */
export async function createRun(
  options: RunOptions & {
    readonly yaml: string;
    readonly file?: string;
    /** Where the experiment's CSV files are. Default: the home's experiments. */
    readonly folder?: string;
  },
): Promise<Run> {
  const { home, yaml, variables = process.env } = options;
  const { connections } = openConnectionStore(home).list();
  const plan = requirePlan(yaml, connections);
  const reachable = reach(plan, connections, options);
  const savedHosts = savedHostsOf(home, plan);
  ensureHome(home);
  const files = findListFiles(options.folder ?? home.experiments, plan.experiment);
  const id = newRunId();
  const file = resolve(options.file ?? runFile(home, id));
  const broken = new AbortController();
  const journal = await openJournal(home, file, 'create', () => broken.abort());
  const start = { id, plan, yaml, files, done: [], targets: [], resumed: false };
  return createScheduler({ home, variables, reachable, savedHosts, journal, journalBroken: broken.signal, start });
}

/**
 * Goes on with a run: all trials that have no result yet, or failed for reasons that say nothing about the experiment
 * (mayGoOtherwise). Throws 'badInput' where nothing is left to do, or another process writes the run.
 */
export async function resumeRun(options: RunOptions & { readonly file: string }): Promise<Run> {
  const { home, variables = process.env } = options;
  ensureHome(home);
  const file = resolve(options.file);
  const broken = new AbortController();
  const journal = await openJournal(home, file, 'resume', () => broken.abort());
  try {
    const { connections } = openConnectionStore(home).list();
    const unfinished = await readUnfinished(file, connections);
    const reachable = reach(unfinished.plan, connections, options);
    const savedHosts = savedHostsOf(home, unfinished.plan);
    requireListFiles(unfinished.files);
    const start = { ...unfinished, resumed: true };
    return createScheduler({ home, variables, reachable, savedHosts, journal, journalBroken: broken.signal, start });
  } catch (thrown) {
    await journal.close();
    throw thrown;
  }
}

/**
 * The plan's connections as they are now. Throws 'badInput' where one has no password, 'notConfirmed' where one is
 * marked as production and was not confirmed, before the run begins.
 */
function reach(
  plan: Plan,
  all: readonly Connection[],
  { variables = process.env, passwords = {}, confirmed = [] }: RunOptions,
) {
  requireConfirmed(plan.experiment.targets, all, confirmed);
  const connections = connectionsIn(plan.experiment.targets, all);
  requirePasswords(connections, passwords, variables);
  return { connections, passwords };
}

/** The plan's load hosts. Throws 'badInput' where one of them is not known here. */
const savedHostsOf = (home: Home, plan: Plan) => requireLoadHosts(home, loadHostsOf(plan));

/** Sorts by time; the last part is the run's tag at the servers. */
function newRunId(): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${randomBytes(4).toString('hex')}`;
}
