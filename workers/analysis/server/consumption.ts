import { keysOf } from '#model/keys-of.ts';
import type { ProbeRole } from '#model/resource.ts';
import { isReference } from '#planning/rates/contenders.ts';
import { keyOf } from '#protocol/cell-key.ts';
import type { TargetRecord } from '#protocol/journal.ts';
import type { Cell } from '#protocol/plan.ts';
import { builtInOf, specOf } from '#rules/targets/target-fields.ts';
import { type Interval, positiveMeanInterval } from '#stats/intervals/intervals.ts';
import { machineOf } from '../client/machine.ts';
import type { CellSummary, RunModel, TrialView } from '../run-model/run-model.ts';
import { countsRows } from '../run-model/select-cells.ts';
import { rolesOf } from './server-summary.ts';
import { serverTimeOf } from './server-time.ts';

/** The parts of a server's consumption, which Dyno divides by the operations. */
export type Consumed = 'log' | 'read' | 'written' | 'processor';

/** The consumption of one part for each operation in one repeat, or the reason why it is not known. */
type OneAmount =
  | { readonly value: number; readonly by: 'server' | 'system' }
  | { readonly value: null; readonly why: string };

/**
 * The mean consumption of one part for each operation over the repeats that tell it, with its 95 % interval, or the
 * reason why it is not known, as a sentence.
 */
export type ConsumedAmount = (Interval & { readonly by: 'server' | 'system' }) | Extract<OneAmount, { value: null }>;

/** The server's consumption by a cell for each row, or for each call if no rows move. */
export interface Consumption extends Cell {
  /** Bytes of tables and indexes for each stored row; null: not known. */
  readonly stored: CellSummary['storedBytesPerRow'];
  /** Bytes of log, bytes read from and written to data files, and ms of processor time. */
  readonly each: Readonly<Record<Consumed, ConsumedAmount>>;
}

const roles = { log: 'logBytes', read: 'bytesRead', written: 'bytesWritten' } as const satisfies Readonly<
  Record<Exclude<Consumed, 'processor'>, ProbeRole>
>;

/**
 * The consumption over the good repeats of each cell, in the order of the cells. Empty if no server tells anything
 * but the bytes that it stores.
 */
export function consumptions(model: Pick<RunModel, 'plan' | 'targets' | 'trials' | 'cells'>): readonly Consumption[] {
  const trials = Map.groupBy(model.trials, ({ trial }) => keyOf(trial));
  const counted = countsRows(model) ? 'rows' : 'calls';
  const all = model.cells.flatMap(({ variant, target, storedBytesPerRow: stored }): Consumption[] => {
    const record = model.targets.find(({ name }) => name === target);
    if (record === undefined || isReference(model, target)) return [];
    const views = (trials.get(keyOf({ variant, target })) ?? []).filter(({ result }) => result?.status === 'ok');
    const repeats = views.flatMap((view) => {
      const operations = view.result?.totals[counted] ?? 0;
      return operations === 0 ? [] : [amountsOf(model, record, view, operations)];
    });
    const [first] = repeats;
    if (first === undefined) return [];
    const each = Object.fromEntries(
      keysOf(first).map((part) => [part, overRepeats(repeats.map((amounts) => amounts[part]))]),
    ) as Consumption['each'];
    return [{ variant, target, stored, each }];
  });
  return all.some(({ each }) => Object.values(each).some(({ value }) => value !== null)) ? all : [];
}

/** The mean over the repeats with a value. Values of the server and of the system count different things. */
function overRepeats(amounts: readonly OneAmount[]): ConsumedAmount {
  const known = amounts.filter((amount) => amount.value !== null);
  const by = known.some((amount) => amount.by === 'server') ? 'server' : 'system';
  const interval = positiveMeanInterval(known.flatMap((amount) => (amount.by === by ? [amount.value] : [])));
  return interval === null ? (amounts[0] as Extract<OneAmount, { value: null }>) : { ...interval, by };
}

function amountsOf(
  { plan }: Pick<RunModel, 'plan'>,
  record: TargetRecord,
  view: TrialView,
  operations: number,
): Readonly<Record<Consumed, OneAmount>> {
  const { descriptor, probeInfo } = record;
  const infos = Object.values(probeInfo);
  const isInProcess = descriptor.inProcess ?? false;
  const found = rolesOf(probeInfo, [view]).roles;
  const whyNot = (isCounted: boolean): string =>
    isInProcess
      ? 'The engine works inside the client process.'
      : isCounted
        ? 'The counter could not be read, or it went back.'
        : 'The server has no counter of it.';
  const bytes = (part: keyof typeof roles): OneAmount => {
    const amount = found[roles[part]];
    return amount === undefined
      ? { value: null, why: whyNot(infos.some(({ role }) => role === roles[part])) }
      : { value: amount / operations, by: 'server' };
  };
  const processor = (): OneAmount => {
    const time = serverTimeOf(probeInfo, [view]);
    if (time?.method === 'timed' && time.classMs.cpu !== undefined)
      return { value: time.classMs.cpu / operations, by: 'server' };
    const spec = specOf(plan.experiment, record.name);
    const isManaged = !isInProcess && spec !== undefined && builtInOf(spec, descriptor) !== null;
    const used = isManaged && view.result ? (machineOf([view.result])?.managedServersMs ?? 0) : 0;
    if (used > 0) return { value: used / operations, by: 'system' };
    const isCounted = infos.some(({ class: of, unit }) => of === 'cpu' && unit !== 'count');
    return { value: null, why: whyNot(isCounted) };
  };
  return { log: bytes('log'), read: bytes('read'), written: bytes('written'), processor: processor() };
}
