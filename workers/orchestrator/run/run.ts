import { resolve } from 'node:path';
import type { Passwords } from '#model/connections.ts';
import { experimentsOf } from '#planning/variant-of.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import type { Plan } from '#protocol/plan.ts';
import { loadHostsOf } from '#rules/cells/load-host-rules.ts';
import { requirePasswords } from '#workspace/connections/connection-passwords.ts';
import { requireChangesConfirmed } from '#workspace/connections/server-changes.ts';
import { findListFiles, findRowFiles, requireListFiles, withRowFiles } from '#workspace/library/list-files.ts';
import { requireLoadHosts } from '#workspace/load-hosts/load-host-store.ts';
import { runFile } from '#workspace/runs/journal-file.ts';
import {
  connectionsOf,
  requireGenuine,
  requireTargetsConfirmed,
  type TrustedExperiment,
} from '#workspace/trust/gate.ts';
import { openJournal } from '../journal/journal.ts';
import type { Variables } from '../worker/targets.ts';
import { newTag } from './leftovers.ts';
import { readUnfinished } from './resume.ts';
import { createScheduler, type RoundJudge, type Run } from './run-scheduler.ts';

interface RunOptions {
  readonly home: Home;
  /** The experiment to run; for a resumed run, the experiment that its file contains. */
  readonly experiment: TrustedExperiment;
  /** Values of `${env:NAME}`; process.env by default. */
  readonly variables?: Variables;
  /** Passwords of the experiment's connections that the environment does not have. */
  readonly passwords?: Passwords;
  /** Host names that were typed to confirm production connections. Default: none. */
  readonly confirmed?: readonly string[];
  /** Names of connections that were typed to let the run change parameters of their servers. Default: none. */
  readonly changed?: readonly string[];
  /** Decides after each complete round if the run ends. Default: the measurement plan of the experiment does. */
  readonly judgeRound?: RoundJudge | undefined;
}

/** Opens the file of a new run. Throws 'badInput' if the file cannot be created or a password is missing. */
export async function createRun(
  options: RunOptions & {
    readonly file?: string;
    /** The folder of the experiment's CSV files. Default: the home's experiments. */
    readonly folder?: string;
  },
): Promise<Run> {
  const { home, experiment, variables = process.env, passwords = {} } = options;
  requireReachable(options);
  requireChangesConfirmed(experiment.plan, options.changed);
  const { yaml, plan, targets: trusted } = experiment;
  const savedHosts = savedHostsOf(home, plan);
  ensureHome(home);
  const folder = options.folder ?? home.experiments;
  const lists = findListFiles(folder, experimentsOf(plan));
  const files = withRowFiles(lists, await findRowFiles(folder, experimentsOf(plan)));
  const tag = newTag();
  const id = runIdOf(tag);
  const file = resolve(options.file ?? runFile(home, id));
  const broken = new AbortController();
  const journal = await openJournal(home, file, { runId: id }, () => broken.abort());
  const start = { id, tag, plan, yaml, files, done: [], targets: [], resumed: false };
  const given = { home, trusted, variables, passwords, savedHosts, journal };
  return createScheduler({ ...given, journalBroken: broken.signal, start, judgeRound: options.judgeRound });
}

/**
 * Resumes a run: all trials without a result, and trials that failed for reasons outside the experiment
 * (mayGoOtherwise). The run gets a new tag, because the file may be a copy of a running run, and its id may be the id
 * of any run. Throws 'badInput' if nothing is left to do, another process writes the run, or its file contains another
 * experiment than the trusted one.
 */
export async function resumeRun(options: RunOptions & { readonly file: string }): Promise<Run> {
  const { home, experiment, variables = process.env, passwords = {} } = options;
  ensureHome(home);
  const file = resolve(options.file);
  const broken = new AbortController();
  const journal = await openJournal(home, file, 'resume', () => broken.abort());
  try {
    requireReachable(options);
    requireChangesConfirmed(options.experiment.plan, options.changed);
    const unfinished = await readUnfinished(file, experiment);
    const savedHosts = savedHostsOf(home, unfinished.plan);
    await requireListFiles(unfinished.files);
    const start = { ...unfinished, tag: newTag(), resumed: true };
    const given = { home, trusted: experiment.targets, variables, passwords, savedHosts, journal };
    return createScheduler({ ...given, journalBroken: broken.signal, start, judgeRound: options.judgeRound });
  } catch (thrown) {
    await journal.close();
    throw thrown;
  }
}

/**
 * Throws before the run begins: 'badInput' if a connection has no password, 'notConfirmed' if a production connection
 * was not confirmed.
 */
function requireReachable(options: RunOptions): void {
  const { home, experiment, variables = process.env, passwords = {}, confirmed = [] } = options;
  requireGenuine(experiment);
  requireTargetsConfirmed(home, experiment.targets, confirmed);
  requirePasswords(connectionsOf(experiment.targets), passwords, variables);
}

/** The plan's load hosts. Throws 'badInput' if one of them is not known here. */
const savedHostsOf = (home: Home, plan: Plan) => requireLoadHosts(home, loadHostsOf(plan));

/** An id that sorts by time; its last part is the run's tag on the servers until it is resumed. */
function runIdOf(tag: string): string {
  const time = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${time}-${tag}`;
}
