import type { Passwords } from '#model/connections.ts';
import { toErrorData } from '#model/error.ts';
import { many } from '#model/format/plural.ts';
import type { ServerMark } from '#model/production.ts';
import { ensureHome, type Home } from '#platform/paths.ts';
import type { CleanReport, LeftTable } from '#protocol/ipc.ts';
import { openConnectionStore } from '#workspace/connections/connections.ts';
import { requireConfirmedNames } from '#workspace/connections/production-hosts.ts';
import { forDropping, requireTargetsConfirmed, type TrustedTarget } from '#workspace/trust/gate.ts';
import { deadRunsTables, forgetTables, isMakerAlive, tablePrefixOf, tablesOf } from '../run/leftovers.ts';
import { restoreParameters } from '../run/server-parameters.ts';
import { controlOf, leave, readsAlone } from '../try/own-control.ts';
import { type Control, momentOf } from '../worker/control.ts';
import type { Variables } from '../worker/targets.ts';

interface CleanOptions {
  readonly home: Home;
  readonly target: TrustedTarget;
  /** Passwords of the target's connection. Default: none. */
  readonly passwords?: Passwords;
  /** True: drops the listed tables that are not in use. False: changes nothing. */
  readonly drops: boolean;
  /**
   * True: also drops tables whose run may still be running, as far as this home and the server can tell. Default:
   * false.
   */
  readonly dropsUnsure?: boolean;
  /** Host names that were typed to confirm a production connection. Default: none. */
  readonly confirmed?: readonly string[];
  readonly variables?: Variables;
  readonly signal: AbortSignal;
  readonly onActivity: (text: string) => void;
}

/** Dropping large tables may take long. */
const dropMs = 600_000;

/**
 * Lists the parameters that dead runs of this home have changed, and restores them. Lists the tables with Dyno's mark
 * at a target, and drops them. Tables of a running run are kept: a process of this home holds them, or the run's
 * sessions are on the server. Tables are also kept if neither this home nor the server knows whether their run is
 * running. Throws the errors of connecting and dropping.
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
    const parameters = await parametersLeft(home, control, place, drops, signal);
    const names = await control.ask({ call: 'leftovers', namePrefix: '' }, momentOf(signal));
    const runs = Map.groupBy(names, runOf);
    const found: LeftTable[] = [];
    for (const [run, ofRun] of runs) {
      const state = run === null ? free : await stateOf(control, home, run, signal);
      found.push(...ofRun.map((name) => ({ name, run, ...state })));
    }
    const judged = options.dropsUnsure ? found.map((one) => (one.isUnsure ? { ...one, ...free } : one)) : found;
    const tables = judged.map((one) => (beginsAnother(one, judged) ? { ...one, inUse: beginsOne } : one));
    if (!drops) return { address, tables, dropped: [], parameters };
    const dropped: string[] = [];
    const held = new Map<string, string>();
    const late = AbortSignal.any([signal, AbortSignal.timeout(dropMs)]);
    for (const prefix of new Set(tables.filter(({ inUse }) => inUse === null).map(prefixOf))) {
      const done = await control.ask({ call: 'dropLeftovers', namePrefix: prefix }, late);
      dropped.push(...done.dropped);
      for (const { name, why } of done.kept) held.set(name, why);
    }
    for (const run of runs.keys()) {
      if (run !== null && tables.every((one) => one.run !== run || (one.inUse === null && !held.has(one.name))))
        forgetTables(home, run, place);
    }
    return {
      address,
      tables: tables.map((one) => ({ ...one, inUse: held.get(one.name) ?? one.inUse })),
      dropped,
      parameters,
    };
  } finally {
    await leave(control);
  }
}

/** The parameters that dead runs of this home have left changed, as sentences. `gives`: restores them. */
async function parametersLeft(
  home: Home,
  control: Control,
  place: string,
  gives: boolean,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const { tag, parameters } of deadRunsTables(home)) {
    const names = Object.keys(parameters?.[place] ?? {}).join(', ');
    if (names === '') continue;
    if (!gives) {
      texts.push(`A run has left its own values of parameters: ${names}.`);
      continue;
    }
    try {
      const { given, stay } = await restoreParameters(home, tag, control, place, signal);
      if (given.length > 0) texts.push(`Dyno has given back parameters that a run had changed: ${given.join(', ')}.`);
      texts.push(...stay);
    } catch (thrown) {
      const { message, hint } = toErrorData(thrown);
      texts.push(`Parameters that a run has changed were not given back (${names}): ${message} ${hint ?? ''}`.trim());
    }
  }
  return texts;
}

/** The tag of the run that created a table (`dyno_` + tag + `_` + …); null for another name. */
const runOf = (name: string): string | null => /^dyno_([0-9a-f]{8})_/.exec(name)?.[1] ?? null;

/**
 * A user may have renamed the table so that its name begins like the tables of a run. dropLeftovers() would then drop
 * those too.
 */
const beginsAnother = ({ name, inUse }: LeftTable, all: readonly LeftTable[]): boolean =>
  inUse === null && all.some((one) => one.inUse !== null && one.name.startsWith(name));
const beginsOne = 'tables that are in use have names that begin with its own';

/** The prefix with which dropLeftovers() drops a table and the tables of the same run. */
const prefixOf = ({ name, run }: LeftTable): string => (run === null ? name : tablePrefixOf(run));

type State = Pick<LeftTable, 'inUse' | 'isUnsure'>;
const free: State = { inUse: null, isUnsure: false };
const used = (inUse: string): State => ({ inUse, isUnsure: false });

/** The knowledge of this home and the server about a run. */
async function stateOf(control: Control, home: Home, run: string, signal: AbortSignal): Promise<State> {
  if (isMakerAlive(home, run)) return used('its run is going on here');
  const sessions = await control.ask({ call: 'sessionsOf', tag: `dyno-${run}`, of: 'everybody' }, momentOf(signal));
  if (sessions !== null) return sessions > 0 ? used(`${many(sessions, 'session')} of its run are at the server`) : free;
  // A run of this home, whose process is gone.
  if (tablesOf(home, run)) return free;
  return {
    inUse: 'its run may be going on in another home or on another machine, and the server does not tell',
    isUnsure: true,
  };
}
