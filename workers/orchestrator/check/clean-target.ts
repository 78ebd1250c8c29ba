import type { Passwords } from '#model/connections.ts';
import type { ServerMark } from '#model/production.ts';
import { isLocked } from '#platform/file-lock.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import type { CleanReport, LeftTable } from '#protocol/ipc.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { requireConfirmedNames } from '#workspace/connections/production-hosts.ts';
import { forDropping, requireTargetsConfirmed, type TrustedTarget } from '#workspace/trust/gate.ts';
import { forgetTables, tablesOf } from '../run/leftovers.ts';
import { controlOf, leave, readsAlone } from '../try/own-control.ts';
import { type Control, momentOf } from '../worker/control.ts';
import type { Variables } from '../worker/targets.ts';

interface CleanOptions {
  readonly home: Home;
  readonly target: TrustedTarget;
  /** Passwords of the target's connection. Default: none. */
  readonly passwords?: Passwords;
  /** Drops what is listed and not in use; else nothing is changed. */
  readonly drops: boolean;
  /** Host names that were typed to confirm a production connection. Default: none. */
  readonly confirmed?: readonly string[];
  readonly variables?: Variables;
  readonly signal: AbortSignal;
  readonly onActivity: (text: string) => void;
}

/** Dropping may take long where tables are large. */
const dropMs = 600_000;

/**
 * Lists the tables with Dyno's mark at a target, and drops them. Tables of a run that is still going on stay: its lock
 * is held on this machine, or its sessions are at the server. Throws what connecting and dropping throw.
 */
export async function cleanTarget(options: CleanOptions): Promise<CleanReport> {
  const { home, target, drops, signal } = options;
  ensureHome(home);
  const confirmed = options.confirmed ?? [];
  if (drops) requireTargetsConfirmed(home, [target], confirmed);
  const { connections } = openConnectionStore(home).list();
  const onProduction = drops ? ({ of }: ServerMark) => requireConfirmedNames(of, connections, confirmed) : readsAlone;
  const { control } = controlOf(drops ? forDropping(target) : target, { ...options, onProduction });
  try {
    const { address, place } = await control.connect(signal);
    const names = await control.ask({ call: 'leftovers', namePrefix: '' }, momentOf(signal));
    const runs = Map.groupBy(names, runOf);
    const found: LeftTable[] = [];
    for (const [run, ofRun] of runs) {
      const inUse = run === null ? null : await whyInUse(control, home, run, signal);
      found.push(...ofRun.map((name) => ({ name, run, inUse })));
    }
    const tables = found.map((one) => (beginsAnother(one, found) ? { ...one, inUse: beginsOne } : one));
    if (!drops) return { address, tables, dropped: [] };
    const dropped: string[] = [];
    const late = AbortSignal.any([signal, AbortSignal.timeout(dropMs)]);
    for (const prefix of new Set(tables.filter(({ inUse }) => inUse === null).map(prefixOf)))
      dropped.push(...(await control.ask({ call: 'dropLeftovers', namePrefix: prefix }, late)));
    for (const run of runs.keys()) {
      const note = run === null ? null : tablesOf(home, run);
      if (note && tables.every((one) => one.run !== run || one.inUse === null)) forgetTables(note, [place]);
    }
    return { address, tables, dropped };
  } finally {
    await leave(control);
  }
}

/** The tag of the run that made a table: `dyno_` + tag + `_` + …; null: a name of another kind. */
const runOf = (name: string): string | null => /^dyno_([0-9a-f]{8})_/.exec(name)?.[1] ?? null;

/** A table that was renamed may have a name with which those of a run begin: dropLeftovers() would take these along. */
const beginsAnother = ({ name, inUse }: LeftTable, all: readonly LeftTable[]): boolean =>
  inUse === null && all.some((one) => one.inUse !== null && one.name.startsWith(name));
const beginsOne = 'tables that are in use have names that begin with its own';

/** What dropLeftovers() takes for a table, and for those of the same run. */
const prefixOf = ({ name, run }: LeftTable): string => (run === null ? name : `dyno_${run}_`);

async function whyInUse(control: Control, home: Home, run: string, signal: AbortSignal): Promise<string | null> {
  const note = tablesOf(home, run);
  if (note && isLocked(note.lock)) return 'its run is going on here';
  const sessions = await control.ask({ call: 'sessionsOf', tag: `dyno-${run}` }, momentOf(signal));
  return sessions !== null && sessions > 0 ? `${sessions} sessions of its run are at the server` : null;
}
